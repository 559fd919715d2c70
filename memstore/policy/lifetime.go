package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/config"
	"memcurator/render/frontmatter"
)

// neverExpires is what a front matter says at expires: of a note that is kept for good.
const neverExpires = "never"

// Lifetime is how long the user wants a note to live: exactly one of the fields is set.
type Lifetime struct {
	Steps int           // 1 and -1: to the next longer or shorter of the usual lifetimes, from the time that remains
	Left  time.Duration // from now
	Until time.Time
	Good  bool // for good
}

// lifetimes are the usual ones.
var lifetimes = []time.Duration{5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
	day, 2 * day, 4 * day, 7 * day, 14 * day, 30 * day, 60 * day, 90 * day, 180 * day, 365 * day}

// slack is how far two lifetimes differ at least, so that a step just after another goes on.
const slack = 5

// Why a lifetime is refused, as clauses.
var (
	errNoExpiry  = errors.New("no expires: in its front matter, so nothing ends its life")
	errForGood   = errors.New("it is kept for good already")
	errShortest  = errors.New("it has less than 5 minutes: delete it instead")
	errLongest   = errors.New("a year is the longest step: keep it for good, or name a time")
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
	case l.Left > 0:
		return now.Add(l.Left), nil
	case was.IsZero() && l.Steps > 0:
		return was, errForGood
	case was.IsZero():
		return now.Add(lifetimes[len(lifetimes)-1]), nil
	}
	left := was.Sub(now)
	if l.Steps > 0 {
		i := slices.IndexFunc(lifetimes, func(d time.Duration) bool { return d-d/slack > left })
		if i < 0 {
			return was, errLongest
		}
		return now.Add(lifetimes[i]), nil
	}
	for _, d := range slices.Backward(lifetimes) {
		if d+d/slack < left {
			return now.Add(d), nil
		}
	}
	return was, errShortest
}

// Set returns a note with this lifetime in its front matter, and when it ends; zero for never. The error is a clause.
func (l Lifetime) Set(text []byte, now time.Time) (after []byte, until time.Time, err error) {
	said := expiresOf(text)
	if said == "" {
		return nil, until, errNoExpiry
	}
	was, ok := parseExpires(said)
	if !ok && l.Steps != 0 {
		return nil, until, fmt.Errorf("its expires: is not a date: %s", said)
	}
	if until, err = l.of(was, now); err != nil {
		return nil, until, err
	}
	value := neverExpires
	if !until.IsZero() {
		until = until.UTC().Truncate(time.Second)
		value = until.Format(time.RFC3339)
	}
	if after, ok = frontmatter.Set(text, "expires", value); !ok {
		return nil, until, errUnset
	}
	return after, until, nil
}
