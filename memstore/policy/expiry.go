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
	said  string // the date as the note has it
	swept bool   // its access time was ignored
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
	if c.rules.Expires.Value && c.file.Expires != "" && !c.archived { // or the archive would drop it immediately
		// Restored after its date, so the user wants to keep it.
		if due, day := parseExpires(c.file.Expires); day && !due.IsZero() && !c.recorded.Restored.After(due) && (!ok || due.Before(first.due)) {
			first, ok = expiry{key: "expires", from: moment{due, byNote}, due: due, rule: c.rules.Expires.From, said: c.file.Expires}, true
		}
	}
	return first, ok
}

// reason is the clause that says why a file has expired.
func (e expiry) reason(now time.Time) string {
	if e.key == "expires" {
		return "front matter says expires: " + e.said + ", " + span(now.Sub(e.due)) + " ago"
	}
	what, by := e.words(span(now.Sub(e.from.time)))
	day := e.from.time.UTC().Format(time.DateOnly)
	end := ")"
	switch {
	case e.key != "max_idle":
	case e.swept:
		end = sweptEnd
	default:
		end = onRecord[e.from.clock]
	}
	return what + ", limit " + config.FormatDuration(e.limit) + " (by " + by + " " + day + end
}

// onRecord says at the end of a max_idle why no better clock was taken.
var onRecord = map[Clock]string{
	byUse: ")", byRestore: ")", byMove: ")", byAccess: "; no use recorded)", byModification: "; no use or access recorded)",
	byRecord: "; no later use recorded)", byFirstSeen: "; no later use recorded)",
}

// sweptEnd says why the access time was not taken.
const sweptEnd = "; reads of most files at once don't count)"

// words are what has not happened for how long, and by which clock.
func (e expiry) words(ago string) (what, by string) {
	switch {
	case e.from.clock == byRestore:
		return "restored " + ago + " ago, unchanged since", "the journal"
	case e.from.clock == byMove:
		return "archived for " + ago, "the journal"
	case e.key == "max_age":
		return "first seen " + ago + " ago", "the journal"
	case e.from.clock == byUse:
		return "unused for " + ago, "the agent's last use"
	case e.from.clock == byAccess:
		return "unused for " + ago, "access time"
	case e.from.clock == byModification:
		return "unchanged for " + ago, "modification time"
	}
	return "unchanged for " + ago, "the journal's last change"
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

// expiresLayouts are the forms of a date in a front matter. A day ends with it, in UTC.
var expiresLayouts = []struct {
	layout string
	day    bool
}{
	{time.DateOnly, true}, {time.RFC3339, false}, {"2006-01-02 15:04:05", false}, {"2006-01-02T15:04:05", false},
	{"2006-01-02 15:04", false}, {"2006-01-02T15:04", false}, {"2006/01/02", true},
}

// parseExpires reads the date of an expires: in a front matter: 2026-12-31 (the file expires when
// that day is over), 2026-12-31 15:04, or RFC 3339. Without a zone it is UTC. Zero: it says never.
func parseExpires(text string) (time.Time, bool) {
	if text == "never" {
		return time.Time{}, true
	}
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
