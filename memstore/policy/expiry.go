package policy

import (
	"strconv"
	"time"

	"memcurator/memstore/config"
)

// noTime is the newest modification time that is taken for none: archives that keep no times
// unpack with the beginning of 1970 or of 1980.
var noTime = time.Date(1980, 1, 3, 0, 0, 0, 0, time.UTC)

// moment is a time and what it was taken from; a zero time is unknown.
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
		return moment{at, byRecord}
	}
	if c.node.ModTime.After(noTime) {
		return moment{c.node.ModTime, byModification}
	}
	return moment{}
}

// used is since when a file has been idle: the agent's last use; where none is recorded the
// access time, and where there is none the last change. What was changed since counts always: a
// note that the user has just written is not stale because the agent did not look yet.
func (c *candidate) used() moment {
	changed := c.changed()
	if at := c.recorded.Used; !at.IsZero() {
		return moment{at, byUse}.later(changed)
	}
	if at := c.file.Accessed; at.After(noTime) {
		return moment{at, byAccess}.later(changed)
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
	swept bool // its access time was ignored
}

// earliest is the expiry of a file that is due first; ok is false where it never expires.
func (c *candidate) earliest() (first expiry, ok bool) {
	try := func(key string, limit config.Value[time.Duration], from moment) {
		if limit.Value <= 0 || from.time.IsZero() {
			return
		}
		if c.archived { // its time there begins when it came, and where that is unknown, never
			came := moment{c.recorded.Moved, byMove}.later(moment{c.recorded.FirstSeen, byFirstSeen})
			if came.time.IsZero() {
				return
			}
			from = from.later(came)
		}
		from = from.later(moment{c.recorded.Restored, byRestore}) // or an undo would last until the next apply
		e := expiry{key: key, from: from, due: from.time.Add(limit.Value), rule: limit.From, limit: limit.Value, swept: c.file.Swept}
		if !ok || e.due.Before(first.due) {
			first, ok = e, true
		}
	}
	try("max_idle", c.rules.MaxIdle, c.used())
	try("max_age", c.rules.MaxAge, moment{c.recorded.FirstSeen, byFirstSeen})
	try("ttl", c.rules.TTL, c.changed())
	return first, ok
}

// reason is the clause that says why a file has expired, and by which clock.
func (e expiry) reason(now time.Time) string {
	end := ")"
	if e.key == "max_idle" && e.swept && e.from.clock != byRestore && e.from.clock != byMove {
		end = sweptEnd
	}
	return e.words(span(now.Sub(e.from.time))) + ", limit " + config.FormatDuration(e.limit) + " (by " + e.from.clock.Source() + " " +
		e.from.time.UTC().Format(time.DateOnly) + end
}

// sweptEnd says why the access time was not taken.
const sweptEnd = "; reads of most files at once don't count)"

// words are what has not happened for how long.
func (e expiry) words(ago string) string {
	switch {
	case e.from.clock == byRestore:
		return "restored " + ago + " ago, unchanged since"
	case e.from.clock == byMove:
		return "archived for " + ago
	case e.key == "max_age":
		return "first seen " + ago + " ago"
	case e.from.clock == byUse || e.from.clock == byAccess:
		return "unused for " + ago
	}
	return "unchanged for " + ago
}

var spans = []struct {
	unit, from time.Duration
	name       string
}{{365 * day, 3 * 365 * day, " year"}, {day, 2 * day, " day"}, {time.Hour, 2 * time.Hour, " hour"}, {time.Minute, time.Minute, " minute"}}

const day = 24 * time.Hour

// span is a length of time in its largest unit, as people say it: "75 days", "3 hours".
func span(d time.Duration) string {
	for _, u := range spans {
		if d < u.from {
			continue
		}
		if n := d / u.unit; n != 1 {
			return strconv.FormatInt(int64(n), 10) + u.name + "s"
		}
		return "1" + u.name
	}
	return "less than a minute"
}
