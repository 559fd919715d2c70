package replay

import (
	"cmp"
	"strconv"
	"strings"

	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// recording is the calls of transcripts, read and replayed.
type recording struct {
	env      *kit.Env
	rows     []row
	track    *transcript.Track // nil: none was read yet
	steps    []transcript.Step
	changed  []bool
	sessions int // that the calls are of
}

// set takes the calls that were read.
func (c *recording) set(v loaded) {
	c.rows, c.track, c.steps, c.changed = v.rows, v.track, nil, v.changed
	if v.track != nil {
		c.steps = v.track.Steps()
	}
	sessions := map[string]bool{}
	for _, r := range c.rows {
		sessions[r.session] = true
	}
	c.sessions = len(sessions)
}

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

// short are the verdicts that take more than nine cells.
var short = map[transcript.Verdict]string{transcript.NotReplayable: "no replay", transcript.Unknown: "unknown"}

func (c *recording) changes(i int) bool { return i+1 < len(c.changed) && c.changed[i+1] }

func (c *recording) diverges(i int) bool { return i < len(c.steps) && c.steps[i].Verdict.Diverges() }

func (c *recording) verdict(i int) transcript.Verdict {
	if i < len(c.steps) {
		return c.steps[i].Verdict
	}
	return ""
}

// number is that of a call, with a mark if it changed the memory.
func (c *recording) number(i int) string {
	mark := " "
	if c.changes(i) {
		mark = c.env.Styles.Glyphs.Unread
	}
	return strconv.Itoa(i+1) + mark
}

// outcome is the verdict of a call, in a list with room for words or without.
func (c *recording) outcome(i int, words bool) string {
	v := c.verdict(i)
	if !words {
		return c.glyph(v)
	}
	return c.glyph(v) + " " + cmp.Or(short[v], v.Word())
}

// clock is the time of a call, with the day if there is room.
func (c *recording) clock(i int, day bool) string {
	r := c.rows[i]
	switch {
	case r.when.IsZero():
		return r.time
	case day:
		return r.when.In(c.env.Now().Location()).Format("_2 Jan 15:04:05")
	}
	return r.when.In(c.env.Now().Location()).Format("15:04:05")
}

// subject is the path, both of a rename, and what is to be said of the call.
func (c *recording) subject(i int) string {
	r, s := c.rows[i], c.steps[i]
	path := kit.PathText(r.path)
	if r.to != "" {
		path += " " + c.env.Styles.Glyphs.Arrow + " " + kit.PathText(r.to)
	}
	var notes []string
	if r.side {
		notes = append(notes, textSide)
	}
	if r.after != "" {
		notes = append(notes, r.after)
	}
	if s.Result != nil && s.Result.IsError && !strings.HasPrefix(s.Detail, "failed") {
		notes = append(notes, "failed")
	}
	if s.Detail != "" {
		notes = append(notes, s.Detail)
	}
	if len(notes) > 0 {
		path += "  " + strings.Join(notes, ", ")
	}
	return c.env.MaskedText(text.Clean(path))
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
