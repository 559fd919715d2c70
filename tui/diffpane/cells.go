package diffpane

import (
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// content draws a part of a line exactly as wide as there is room, with the changed words,
// the white space that would not be seen, and the matches of the search marked. A line may be
// many megabytes long: what it costs is what is on the screen and left of it. A cut line that
// goes on beyond the edge ends in a sign.
func (p *Pane) content(row diff.Row, l look, part text.Row, side int) string {
	c := cells{p: p, room: p.room(side), line: row.Text, col: part.Col, at: part.Col}
	to := part.End
	cut := false
	if !p.wrap {
		c.col = p.col
		if end := text.ByteAt(row.Text, p.col+c.room, p.env.Text(0)); end < to {
			c.room--
			cut, to = true, end
		}
	}
	c.run(part.Start, to, l.line, p.layers(row, l, part.Start, to, side))
	if c.room > 0 {
		c.out.WriteString(strings.Repeat(" ", c.room))
	}
	if cut {
		c.out.WriteString(p.env.Styles.Dim.Apply(p.env.Styles.Glyphs.More))
	}
	return c.out.String()
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

// cells draws one line piece by piece until there is no room.
type cells struct {
	p    *Pane
	line []byte
	out  strings.Builder
	room int
	col  int // first cell shown
	at   int // cell where the next piece begins
}

// run draws the bytes [from, to) with what the layers say.
func (c *cells) run(from, to int, base theme.Paint, layers []layer) {
	for from < to && c.room > 0 {
		end, paint, blanks := to, base, false
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
		c.piece(from, end, paint, blanks)
		from = end
	}
}

func (c *cells) piece(from, to int, paint theme.Paint, blanks bool) {
	st, b := c.p.env.Styles, c.line[from:to]
	o := c.p.env.Text(c.at)
	for _, s := range text.Window(b, max(0, c.col-c.at), c.room, o) {
		use, shown := paint, s.Text
		switch s.Kind {
		case text.Control, text.Invisible:
			use = st.Control
		case text.Invalid:
			use = st.Invalid
		case text.Tab:
			if blanks {
				shown = st.Glyphs.TabMark + s.Text[1:]
			}
		default:
			if blanks {
				shown = strings.ReplaceAll(s.Text, " ", st.Glyphs.Blank)
			}
		}
		c.out.WriteString(use.Apply(shown))
		c.room -= s.Width
	}
	if c.room > 0 {
		c.at += text.Column(b, len(b), o)
	}
}
