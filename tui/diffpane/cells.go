package diffpane

import (
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// content draws a part of a line exactly as wide as there is room, with the changed words,
// the white space that would not be seen, and the matches of the search marked. A line may be
// many megabytes long: what it costs is what is on the screen and left of it. A cut line that
// continues past the edge ends in a sign.
func (d *painter) content(row diff.Row, l look, part text.Row, side int) string {
	st, blanks := d.env.Styles, false
	c := kit.Cells{Env: d.env, Line: row.Text, Room: d.columns.room(side), First: part.Col, At: part.Col}
	c.Look = func(s text.Span, paint theme.Paint) (string, theme.Paint) {
		switch {
		case s.Kind == text.Control, s.Kind == text.Invisible:
			return s.Text, st.Control
		case s.Kind == text.Invalid:
			return s.Text, st.Invalid
		case blanks && s.Kind == text.Tab:
			return st.Glyphs.TabMark + s.Text[1:], paint
		case blanks:
			return strings.ReplaceAll(s.Text, " ", st.Glyphs.Blank), paint
		}
		return s.Text, paint
	}
	to, more := part.End, ""
	if !d.columns.wrap {
		c.First = d.columns.col
		if end := text.ByteAt(row.Text, d.columns.col+c.Room, d.env.Text(0)); end < to {
			c.Room--
			to, more = end, st.Dim.Apply(st.Glyphs.More)
		}
	}
	layers := d.layers(row, l, part.Start, to, side)
	for from := part.Start; from < to && c.Room > 0; {
		end, paint, shown := top(layers, from, to, l.line)
		blanks = shown
		c.Add(from, end, paint)
		from = end
	}
	return c.String(theme.Paint{}) + more
}

// top is what the layers say of the bytes that begin at from: how far it holds, the paint of the
// topmost, and whether white space is shown.
func top(layers []layer, from, end int, paint theme.Paint) (int, theme.Paint, bool) {
	blanks := false
	for k := range layers {
		l := &layers[k]
		for l.next < len(l.spans) && l.spans[l.next][1] <= from {
			l.next++
		}
		if l.next == len(l.spans) {
			continue
		}
		if span := l.spans[l.next]; span[0] > from {
			end = min(end, span[0])
		} else {
			end, paint, blanks = min(end, span[1]), l.paint, blanks || l.blanks
		}
	}
	return end, paint, blanks
}

// layer is a paint for some byte ranges of a line, which rise and do not overlap.
type layer struct {
	spans  [][2]int
	paint  theme.Paint
	blanks bool // white space in them is drawn as signs
	next   int  // first span that does not end before the place drawn at
}

// layers are what is marked in a line, a later one on top of an earlier one.
func (d *painter) layers(row diff.Row, l look, from, to, side int) []layer {
	st := d.env.Styles
	var words, blanks [][2]int
	for _, w := range row.Words {
		if diff.Blank(row.Text[w[0]:w[1]]) {
			blanks = append(blanks, w)
		} else {
			words = append(words, w)
		}
	}
	out := []layer{{spans: words, paint: l.word}, {spans: blanks, paint: l.word, blanks: true}}
	if end := diff.TrailingSpace(row.Text); row.Kind == diff.Added && end < len(row.Text) && !d.ignore {
		out = append(out, layer{spans: [][2]int{{end, len(row.Text)}}, paint: st.Invalid, blanks: true})
	}
	if hits, current := d.marks(row, from, to, side); len(hits) > 0 {
		out = append(out, layer{spans: hits, paint: st.Match})
		if current != nil {
			out = append(out, layer{spans: current, paint: st.MatchCurrent})
		}
	}
	return out
}

// marks are the matches in the bytes [from, to) of a row, and the one that was gone to last.
func (d *painter) marks(row diff.Row, from, to, side int) (all, current [][2]int) {
	s := d.search
	if s.Query() == "" {
		return nil, nil
	}
	base, end := 0, len(row.Text)
	if end > markUpTo {
		margin := 4 * len(s.Query())
		base, end = max(0, from-margin), min(end, to+margin)
	}
	for _, span := range s.In(row.Text[base:end]) {
		all = append(all, [2]int{base + span[0], base + span[1]})
	}
	if s.Current >= 0 && d.match.ANumber == row.ANumber && d.match.BNumber == row.BNumber {
		if m := s.Matches[s.Current]; m.Part == side {
			current = [][2]int{{m.Start, m.End}}
		}
	}
	return all, current
}
