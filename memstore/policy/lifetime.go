package policy

import (
	"errors"
	"strings"
	"time"

	"memcurator/memstore/config"
	"memcurator/render/frontmatter"
)

// neverExpires is what a front matter says at expires: of a note that is kept for good.
const neverExpires = "never"

// Lifetime is how long the user wants a note to live: exactly one of the fields is set.
type Lifetime struct {
	Left  time.Duration // from now
	Until time.Time
	Good  bool // for good
}

// Why a lifetime is refused, as clauses.
var (
	errNoExpiry  = errors.New("no expires: in its front matter, so nothing ends its life")
	errForGood   = errors.New("it is kept for good already")
	errUnset     = errors.New("its expires: can't be changed here: edit the file")
	errNoLife    = errors.New(`say how long: 2h, 3d, 2026-12-31, 2026-12-31 18:00, or "keep" for good`)
	errPastUntil = errors.New("that time is past")
)

// ParseLifetime reads what a user types: 2h, 2026-12-31, 2026-12-31 18:00 in the zone of now, or keep. The error is a clause.
func ParseLifetime(typed string, now time.Time) (Lifetime, error) {
	typed = strings.TrimSpace(typed)
	switch strings.ToLower(typed) {
	case "keep", "never", "for good", "good", "forever":
		return Lifetime{Good: true}, nil
	}
	if d, ok := config.ParseDuration(typed); ok {
		return Lifetime{Left: d}, nil
	}
	until, ok := time.Time{}, false
	for _, l := range expiresLayouts {
		if at, err := time.ParseInLocation(l.layout, typed, now.Location()); err == nil {
			if until, ok = at, true; l.day {
				until = at.AddDate(0, 0, 1)
			}
		}
	}
	switch {
	case !ok:
		return Lifetime{}, errNoLife
	case !until.After(now):
		return Lifetime{}, errPastUntil
	}
	return Lifetime{Until: until}, nil
}

// of is when a note ends that was to end at a time, both zero for never. The error is a clause.
func (l Lifetime) of(was, now time.Time) (time.Time, error) {
	switch {
	case l.Good && was.IsZero():
		return was, errForGood
	case l.Good:
		return time.Time{}, nil
	case !l.Until.IsZero():
		return l.Until, nil
	}
	return now.Add(l.Left), nil
}

// Set returns a note with this lifetime in its front matter, and when it ends; zero for never. The error is a clause.
func (l Lifetime) Set(text []byte, now time.Time) (after []byte, until time.Time, err error) {
	said := expiresOf(text)
	if said == "" {
		return nil, until, errNoExpiry
	}
	was, _ := parseExpires(said) // what isn't a date is replaced too
	if until, err = l.of(was, now); err != nil {
		return nil, until, err
	}
	value := neverExpires
	if !until.IsZero() {
		until = until.UTC().Truncate(time.Second)
		value = until.Format(time.RFC3339)
	}
	ok := false
	if after, ok = frontmatter.Set(text, "expires", value); !ok {
		return nil, until, errUnset
	}
	return after, until, nil
}
