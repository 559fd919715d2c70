package policy

import (
	"fmt"
	"time"

	"memcurator/memstore/config"
)

// noTime is the newest modification time that is taken for none: archives that keep no times
// unpack with the beginning of 1970 or of 1980.
var noTime = time.Date(1980, 1, 3, 0, 0, 0, 0, time.UTC)

// moment is a time and what it was taken from; a zero time is not known.
type moment struct {
	time  time.Time
	clock Clock
}

// later is the later of two; of equal ones the first.
func (m moment) later(other moment) moment {
	if other.time.After(m.time) {
		return other
	}
	return m
}

// changed is when a file last changed: the journal's word, else that of the disk.
func (c *candidate) changed() moment {
	if at := c.recorded.Changed; !at.IsZero() {
		return moment{at, ByRecord}
	}
	if c.node.ModTime.After(noTime) {
		return moment{c.node.ModTime, ByModification}
	}
	return moment{}
}

// used is since when nobody needed a file: the agent's last use; where none is recorded the
// access time, and where there is none the last change. What was changed since counts always: a
// note that the user has just written is not stale because the agent did not look yet.
func (c *candidate) used() moment {
	changed := c.changed()
	if at := c.recorded.Used; !at.IsZero() {
		return moment{at, ByUse}.later(changed)
	}
	if at := c.file.Accessed; at.After(noTime) {
		return moment{at, ByAccess}.later(changed)
	}
	return changed
}

// expiry is one way in which a file expires.
type expiry struct {
	key   string
	from  moment
	due   time.Time
	rule  config.Origin
	limit time.Duration
	said  string // the date as the note has it
}

// earliest is the expiry of a file that is due first; ok is false where it never expires.
func (c *candidate) earliest() (first expiry, ok bool) {
	try := func(key string, limit config.Value[time.Duration], from moment) {
		if limit.Value <= 0 || from.time.IsZero() {
			return
		}
		if c.archived { // its time there begins when it came, and where that is not known, never
			came := moment{c.recorded.Moved, ByMove}.later(moment{c.recorded.FirstSeen, ByFirstSeen})
			if came.time.IsZero() {
				return
			}
			from = from.later(came)
		}
		from = from.later(moment{c.recorded.Restored, ByRestore}) // or an undo would last until the next apply
		e := expiry{key: key, from: from, due: from.time.Add(limit.Value), rule: limit.From, limit: limit.Value}
		if !ok || e.due.Before(first.due) {
			first, ok = e, true
		}
	}
	try("max_idle", c.rules.MaxIdle, c.used())
	try("max_age", c.rules.MaxAge, moment{c.recorded.FirstSeen, ByFirstSeen})
	try("ttl", c.rules.TTL, c.changed())
	if c.rules.Expires.Value && c.file.Expires != "" {
		if due, day := ParseExpires(c.file.Expires); day && (!ok || due.Before(first.due)) {
			first, ok = expiry{key: "expires", from: moment{due, ByNote}, due: due, rule: c.rules.Expires.From, said: c.file.Expires}, true
		}
	}
	return first, ok
}

// reason is the clause that says why a file has expired, or when it is going to.
func (e expiry) reason(now time.Time) string {
	ago := func(what string) string { return fmt.Sprintf("%s for %s", what, span(now.Sub(e.from.time))) }
	limit := e.key + " " + config.FormatDuration(e.limit)
	day := e.from.time.UTC().Format(time.DateOnly)
	switch {
	case e.key == "expires" && e.due.After(now):
		return fmt.Sprintf("its own front matter says expires: %s, in %s", e.said, span(e.due.Sub(now)))
	case e.key == "expires":
		return fmt.Sprintf("its own front matter says expires: %s, %s ago", e.said, span(now.Sub(e.due)))
	case e.from.clock == ByRestore:
		return fmt.Sprintf("put back %s ago and left alone since (%s, by the journal %s)", span(now.Sub(e.from.time)), limit, day)
	case e.from.clock == ByMove:
		return fmt.Sprintf("%s (%s, by the journal %s)", ago("in the archive"), limit, day)
	case e.key == "max_age":
		return fmt.Sprintf("first seen %s ago (%s, by the journal %s)", span(now.Sub(e.from.time)), limit, day)
	case e.key == "ttl" && e.from.clock == ByRecord:
		return fmt.Sprintf("%s (%s, by the journal's last change %s)", ago("unchanged"), limit, day)
	case e.key == "ttl":
		return fmt.Sprintf("%s (%s, by modification time %s)", ago("unchanged"), limit, day)
	case e.from.clock == ByUse:
		return fmt.Sprintf("%s (%s, by the agent's last use %s)", ago("unused"), limit, day)
	case e.from.clock == ByAccess:
		return fmt.Sprintf("%s (%s, by access time %s; no use by the agent on record)", ago("not accessed"), limit, day)
	case e.from.clock == ByRecord, e.from.clock == ByFirstSeen:
		return fmt.Sprintf("%s (%s, by the journal's last change %s; no later use by the agent on record)", ago("unchanged"), limit, day)
	}
	return fmt.Sprintf("%s (%s, by modification time %s; no use or access on record)", ago("unchanged"), limit, day)
}

// span is a length of time in its largest unit, as people say it: "75 days", "3 hours".
func span(d time.Duration) string {
	const day = 24 * time.Hour
	units := []struct {
		unit time.Duration
		from time.Duration
		name string
	}{{365 * day, 3 * 365 * day, "year"}, {day, 2 * day, "day"}, {time.Hour, 2 * time.Hour, "hour"}, {time.Minute, time.Minute, "minute"}}
	for _, u := range units {
		if d >= u.from {
			if n := d / u.unit; n != 1 {
				return fmt.Sprintf("%d %ss", n, u.name)
			}
			return "1 " + u.name
		}
	}
	return "less than a minute"
}

// expiresLayouts are the forms of a date in a front matter. A day ends with it, in UTC.
var expiresLayouts = []struct {
	layout string
	day    bool
}{
	{time.DateOnly, true}, {time.RFC3339, false}, {"2006-01-02 15:04:05", false}, {"2006-01-02T15:04:05", false},
	{"2006-01-02 15:04", false}, {"2006-01-02T15:04", false}, {"2006/01/02", true},
}

// ParseExpires reads the date of an expires: in a front matter: 2026-12-31 (the file expires when
// that day is over), 2026-12-31 15:04, or RFC 3339. Without a zone it is UTC.
func ParseExpires(text string) (time.Time, bool) {
	for _, l := range expiresLayouts {
		at, err := time.Parse(l.layout, text)
		if err != nil {
			continue
		}
		if l.day {
			at = at.AddDate(0, 0, 1)
		}
		return at, true
	}
	return time.Time{}, false
}
