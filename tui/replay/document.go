package replay

import (
	tea "charm.land/bubbletea/v2"

	"bytes"
	"strings"

	"memcurator/keymap"
	"memcurator/render/literal"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// look is how a line is painted; themes may change while it is shown.
type look uint8

const (
	plain look = iota
	dim
	title
	added
	removed
	warned
	folder
	good
)

func (l look) paint(st *theme.Styles) theme.Paint {
	switch l {
	case dim:
		return st.Dim
	case title:
		return st.Heading
	case added:
		return st.Added
	case removed:
		return st.Removed
	case warned:
		return st.Warning
	case folder:
		return st.Directory
	case good:
		return st.Success
	default:
		return st.Text
	}
}

// line is one line of a document.
type line struct {
	lead  string // in front of the text, of our own words
	text  []byte // content, or words of the program; sanitized when it is drawn
	look  look
	words [][2]int // bytes of text that changed
	step  int      // a call that enter goes to; 0: none
	path  string   // a file that enter shows
	exact bool     // tabs, and blanks at the end, are made visible
}

// document is lines that are scrolled through.
type document struct {
	lines []line
	at    int // where the cursor is put at first
}

func (d *document) add(l ...line) { d.lines = append(d.lines, l...) }

// say adds a sentence of the program.
func (d *document) say(l look, sentence string) { d.add(line{text: []byte(sentence), look: l}) }

// body adds a text line by line.
func (d *document) body(lead string, data []byte, l look) {
	if len(data) == 0 {
		return
	}
	for t := range bytes.Lines(data) {
		d.add(line{lead: lead, text: bytes.TrimSuffix(t, []byte("\n")), look: l})
	}
}

// sheet shows a document: cursor, scroll, wrap, search.
type sheet struct {
	env   *ui.Env
	doc   *document
	w, h  int
	view  ui.TextView
	col   int
	cut   bool // long lines are cut
	query string
	find  func([]byte) [][2]int // the matches of the query in a line
}

// wrapUpTo bounds the bytes of a line that are wrapped.
const wrapUpTo = 64 << 10

func newSheet(env *ui.Env) *sheet {
	s := &sheet{env: env}
	s.view = ui.TextView{Count: s.count, Height: func(i int) int { return len(s.parts(s.doc.lines[i])) }}
	s.seekFor("")
	return s
}

func (s *sheet) set(d *document, keep bool) {
	s.doc = d
	if !keep {
		s.view.Cursor, s.view.Top, s.col = ui.Place{Line: d.at}, ui.Place{Line: max(0, d.at-s.h/3)}, 0
	}
	s.view.Reveal()
}

func (s *sheet) count() int {
	if s.doc == nil {
		return 0
	}
	return len(s.doc.lines)
}

func (s *sheet) resize(w, h int) {
	s.w, s.h, s.view.H = w, h, h
	s.view.Reveal()
}

// cursor is the line under the cursor.
func (s *sheet) cursor() int { return s.view.Cursor.Line }

func (s *sheet) current() (line, bool) {
	if s.cursor() >= s.count() {
		return line{}, false
	}
	return s.doc.lines[s.cursor()], true
}

func (s *sheet) bindings() []ui.Action {
	return append(ui.BindMotions(func(id keymap.ID) tea.Cmd {
		to, _ := ui.Motion(id, s.cursor(), s.count(), s.h)
		s.view.MoveTo(to)
		return nil
	}),
		ui.On(keymap.Left, func() { s.col = max(0, s.col-8) }),
		ui.On(keymap.Right, func() {
			if s.cut {
				s.col += 8
			}
		}),
		ui.On(keymap.LineStart, func() { s.col = 0 }),
		ui.On(keymap.Wrap, func() {
			s.cut, s.col = !s.cut, 0
			s.view.Reveal()
		}),
	)
}

// seekFor sets the text to find; "" for none. Capitals match case.
func (s *sheet) seekFor(query string) { s.query, s.find = query, literal.SmartCase(query).Matcher() }

// seek goes to the next line with the query, around the end.
func (s *sheet) seek(by, from int) bool {
	n := s.count()
	for i := range n {
		at := ((from+i*by)%n + n) % n
		if len(s.find(s.doc.lines[at].text)) > 0 {
			s.view.MoveTo(at)
			return true
		}
	}
	return false
}

// hits counts the lines with the query.
func (s *sheet) hits() int {
	n := 0
	for i := range s.count() {
		if len(s.find(s.doc.lines[i].text)) > 0 {
			n++
		}
	}
	return n
}

func (s *sheet) room(l line) int { return max(1, s.w-1-text.Width(l.lead)) }

// parts are the rows of a line.
func (s *sheet) parts(l line) []text.Row {
	if s.cut || len(l.text) == 0 {
		return []text.Row{{End: len(l.text)}}
	}
	if rows := text.Wrap(nil, l.text[:min(len(l.text), wrapUpTo)], s.room(l), s.env.Text(0)); len(rows) > 0 {
		return rows
	}
	return []text.Row{{}}
}

// rows draws the document.
func (s *sheet) rows(focused bool) []string {
	out := make([]string, 0, s.h)
	skip := s.view.Top.Row
	for i := s.view.Top.Line; i < s.count() && len(out) < s.h; i++ {
		l := s.doc.lines[i]
		parts := s.parts(l)
		for k := min(skip, len(parts)); k < len(parts) && len(out) < s.h; k++ {
			out = append(out, s.row(l, parts[k], k == 0, i == s.cursor(), focused))
		}
		skip = 0
	}
	return ui.FillRows(out, s.w, s.h)
}

func (s *sheet) row(l line, part text.Row, first, cursor, focused bool) string {
	st := s.env.Styles
	base := l.look.paint(st)
	mark, lead := " ", l.lead
	if cursor && focused {
		mark = st.Glyphs.Cursor
	}
	if !first {
		lead = strings.Repeat(" ", text.Width(l.lead))
	}
	if text.Width(mark+lead) >= s.w {
		return base.Apply(text.Pad(text.Truncate(mark+lead, s.w, ""), s.w))
	}
	return st.Accent.Apply(mark) + base.Apply(lead) + s.content(l, part, base)
}

// content draws a part of a line: changed words and matches are marked and, in an exact line,
// tabs and the blanks at its end are made visible.
func (s *sheet) content(l line, part text.Row, base theme.Paint) string {
	st := s.env.Styles
	word := st.AddedWord
	if l.look == removed {
		word = st.RemovedWord
	}
	trail := len(l.text)
	if l.exact {
		trail = len(bytes.TrimRight(l.text, " "))
	}
	blanks := false
	c := ui.Cells{Env: s.env, Line: l.text, Room: s.room(l), First: s.col}
	c.Look = func(span text.Span, paint theme.Paint) (string, theme.Paint) {
		switch {
		case l.exact && span.Kind == text.Tab && span.Width > 0:
			return st.Glyphs.TabMark + strings.Repeat(" ", span.Width-1), paint.With(st.Control)
		case blanks:
			return strings.Repeat(st.Glyphs.Blank, span.Width), paint.With(st.Control)
		}
		return s.env.MarkOdd(span, paint)
	}
	matches := s.find(l.text)
	for done := part.Start; done < part.End && c.Room > 0; {
		end, paint := nextRun(done, part.End, l.words, base, word)
		end, paint = nextRun(done, end, matches, paint, st.Match)
		if done < trail {
			end = min(end, trail)
		}
		blanks = done >= trail
		c.Add(done, end, paint)
		done = end
	}
	return c.String(base)
}

// nextRun is the end of the run that begins at a byte, and its paint: in one of the ranges or not.
func nextRun(from, to int, ranges [][2]int, base, in theme.Paint) (int, theme.Paint) {
	for _, r := range ranges {
		switch {
		case r[1] <= from:
		case r[0] <= from:
			return min(to, r[1]), in
		default:
			return min(to, r[0]), base
		}
	}
	return to, base
}
