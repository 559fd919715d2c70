package diffpane

import (
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// content draws a part of a line exactly as wide as there is room, with the changed words,
// the white space that would not be seen, and the matches of the search marked. A line may be
// many megabytes long: what it costs is what is on the screen and left of it. A cut line that
// goes on beyond the edge ends in a sign.
func (p *Pane) content(row diff.Row, l look, part text.Row, side int) string {
	st, blanks := p.env.Styles, false
	c := ui.Cells{Env: p.env, Room: p.room(side), First: part.Col, At: part.Col}
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
	if !p.wrap {
		c.First = p.col
		if end := text.ByteAt(row.Text, p.col+c.Room, p.env.Text(0)); end < to {
			c.Room--
			to, more = end, st.Dim.Apply(st.Glyphs.More)
		}
	}
	layers := p.layers(row, l, part.Start, to, side)
	for from := part.Start; from < to && c.Room > 0; {
		end, paint, shown := top(layers, from, to, l.line)
		blanks = shown
		c.Add(row.Text[from:end], paint)
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
func (p *Pane) layers(row diff.Row, l look, from, to, side int) []layer {
	st := p.env.Styles
	var words, blanks [][2]int
	for _, w := range row.Words {
		if diff.Blank(row.Text[w[0]:w[1]]) {
			blanks = append(blanks, w)
		} else {
			words = append(words, w)
		}
	}
	out := []layer{{spans: words, paint: l.word}, {spans: blanks, paint: l.word, blanks: true}}
	if end := diff.TrailingSpace(row.Text); row.Kind == diff.Added && end < len(row.Text) && !p.result.ignore {
		out = append(out, layer{spans: [][2]int{{end, len(row.Text)}}, paint: st.Invalid, blanks: true})
	}
	if hits, current := p.marks(row, from, to, side); len(hits) > 0 {
		out = append(out, layer{spans: hits, paint: st.Match})
		if current != nil {
			out = append(out, layer{spans: current, paint: st.MatchCurrent})
		}
	}
	return out
}
