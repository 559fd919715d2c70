package replay

import (
	"fmt"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// recording is the calls of transcripts as far as they are read and replayed, and what a search found in them.
type recording struct {
	env      *ui.Env
	rows     []row
	track    *transcript.Track // nil before the first call is replayed
	steps    []transcript.Step
	changed  []bool
	wrote    map[written][]int // the calls that made it
	sessions int               // that the calls are of
	search   search
}

// written is a version of a file; the zero digest means none.
type written struct {
	path string
	sum  memstore.Digest
}

// setRows takes the calls that are read by now.
func (c *recording) setRows(rows []row) {
	c.rows = rows
	sessions := map[string]bool{}
	for _, r := range rows {
		sessions[r.session] = true
	}
	c.sessions = len(sessions)
}

// first is the time of the first call; zero where the transcript has none.
func (c *recording) first() time.Time {
	if len(c.rows) == 0 {
		return time.Time{}
	}
	return c.rows[0].when
}

// hit reports whether a call matches the search.
func (c *recording) hit(i int) bool { return c.search.hits[i] != "" }

// glyphs are the signs of the verdicts, and their ASCII twins.
var glyphs = map[transcript.Verdict][2]string{
	transcript.Identical:     {"=", "="},
	transcript.OtherDialect:  {"≈", "~"},
	transcript.Drift:         {"≠", "!"},
	transcript.Divergent:     {"✗", "X"},
	transcript.Cleared:       {"∅", "0"},
	transcript.NoResult:      {"·", "."},
	transcript.NotReplayable: {"⊘", "-"},
	transcript.Unknown:       {"?", "?"},
}

// short are the verdicts in nine cells.
var short = map[transcript.Verdict]string{
	transcript.NotReplayable: "no replay",
	transcript.Unknown:       "unknown",
}

// find is the number of the call that made a path what a digest says: the one with an id, else the
// nearest in time; 0: there is none.
func (c *recording) find(id, agentPath string, sum memstore.Digest, at time.Time) int {
	for i, r := range c.rows {
		if id != "" && r.id == id {
			return i + 1
		}
	}
	best, nearest := 0, time.Duration(0)
	for _, n := range c.wrote[written{agentPath, sum}] {
		away := c.rows[n-1].when.Sub(at).Abs()
		if best == 0 || away < nearest {
			best, nearest = n, away
		}
	}
	return best
}

func (c *recording) changes(i int) bool { return i+1 < len(c.changed) && c.changed[i+1] }

func (c *recording) diverges(i int) bool { return i < len(c.steps) && c.steps[i].Verdict.Diverges() }

func (c *recording) verdict(i int) transcript.Verdict {
	if i < len(c.steps) {
		return c.steps[i].Verdict
	}
	return ""
}

// lead is what comes before the path: number, verdict, time, turn, command, as far as they fit.
func (c *recording) lead(i, width int) (before, verdict, after string) {
	r, v := c.rows[i], c.verdict(i)
	mark := " "
	switch {
	case c.hit(i):
		mark = c.env.Styles.Glyphs.Mark
	case c.changes(i):
		mark = c.env.Styles.Glyphs.Unread
	}
	digits := len(fmt.Sprint(len(c.rows)))
	before = fmt.Sprintf("%*d%s", digits, i+1, mark)
	if width >= 60 {
		before += " "
	}
	word := v.Word()
	if s := short[v]; s != "" {
		word = s
	}
	verdict = c.glyph(v)
	if width >= 60 {
		verdict += " " + text.Pad(word, 9)
	}
	clock := c.clock(r, width)
	op := text.Truncate(text.Clean(r.op), 11, c.env.Styles.Glyphs.Ellipsis)
	switch {
	case width >= 100 && c.sessions > 1:
		after = fmt.Sprintf("%s %s t%-5d %s ", clock, text.Pad(text.ShortID(r.session), 8), r.turn, text.Pad(op, 11))
	case width >= 100:
		after = fmt.Sprintf("%s t%-5d %s ", clock, r.turn, text.Pad(op, 11))
	case width >= 60:
		after = fmt.Sprintf("%s %s ", clock, text.Pad(op, 11))
	default:
		after = text.Pad(text.Truncate(op, 6, ""), 6) + " "
	}
	return before, verdict, after
}

func (c *recording) clock(r row, width int) string {
	if r.when.IsZero() {
		return text.Pad(text.Truncate(text.Clean(r.time), 8, ""), 8)
	}
	at := r.when.In(c.env.Now().Location())
	if width >= 120 {
		return at.Format("_2 Jan 15:04:05")
	}
	return at.Format("15:04:05")
}

// subject is the path, both of a rename, and what is to be said of the call.
func (c *recording) subject(i, room int) string {
	r, st := c.rows[i], c.env.Styles
	path := text.Clean(ui.PathText(r.path))
	if r.to != "" {
		path += " " + st.Glyphs.Arrow + " " + text.Clean(ui.PathText(r.to))
	}
	path = c.env.MaskedText(path)
	var notes []string
	if r.side {
		notes = append(notes, textSide)
	}
	if r.after != "" {
		notes = append(notes, r.after)
	}
	if i < len(c.steps) && c.steps[i].Result != nil && c.steps[i].Result.IsError && !strings.HasPrefix(c.steps[i].Detail, "failed") {
		notes = append(notes, "failed")
	}
	if why := c.search.hits[i]; why != "" {
		notes = append(notes, why)
	} else if i < len(c.steps) && c.steps[i].Detail != "" {
		notes = append(notes, c.env.MaskedText(text.Clean(c.steps[i].Detail)))
	}
	note := strings.Join(notes, ", ")
	if note != "" {
		note = "  " + note
	}
	if r.shell { // its beginning names the program
		path = text.Truncate(path, max(room/2, room-text.Width(note)), st.Glyphs.Ellipsis)
	}
	if text.Width(path)+text.Width(note) > room {
		note = text.Truncate(note, max(0, room-text.Width(path)), st.Glyphs.Ellipsis)
	}
	return text.Pad(text.TruncateLeft(path, room-text.Width(note), st.Glyphs.Ellipsis)+note, room)
}

func (c *recording) plain(i, width int) string {
	before, verdict, after := c.lead(i, width)
	head := before + verdict + " " + after
	return head + c.subject(i, max(0, width-1-text.Width(head)))
}

func (c *recording) glyph(v transcript.Verdict) string {
	g, ok := glyphs[v]
	switch {
	case !ok:
		return " "
	case c.env.ASCII:
		return g[1]
	}
	return g[0]
}
