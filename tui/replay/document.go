package replay

import (
	"bytes"
	"strings"

	"memcurator/keymap"
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
	text  []byte // content, or words of ours; sanitised when it is drawn
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

// say adds a sentence of ours.
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
	env    *ui.Env
	doc    *document
	w, h   int
	top    int
	cursor int
	col    int
	cut    bool // long lines are cut
	query  string
}

// wrapUpTo bounds the bytes of a line that are wrapped.
const wrapUpTo = 64 << 10

func (s *sheet) set(d *document, keep bool) {
	s.doc = d
	if !keep {
		s.cursor, s.top, s.col = d.at, max(0, d.at-s.h/3), 0
		if len(d.lines) <= s.h {
			s.top = 0
		}
	}
	s.move(s.cursor)
}

func (s *sheet) count() int {
	if s.doc == nil {
		return 0
	}
	return len(s.doc.lines)
}

func (s *sheet) resize(w, h int) {
	s.w, s.h = w, h
	s.move(s.cursor)
}

func (s *sheet) current() (line, bool) {
	if s.cursor < 0 || s.cursor >= s.count() {
		return line{}, false
	}
	return s.doc.lines[s.cursor], true
}

// move puts the cursor on a line and that on the screen.
func (s *sheet) move(to int) {
	s.cursor = max(0, min(to, s.count()-1))
	s.top = max(0, min(s.top, s.cursor))
	for s.top < s.cursor && s.rowsTo(s.cursor) > s.h {
		s.top++
	}
}

// rowsTo counts the rows from the top to the end of a line, as far as the screen.
func (s *sheet) rowsTo(to int) int {
	if to-s.top > s.h {
		return to - s.top + 1
	}
	n := 0
	for i := s.top; i <= to && n <= s.h; i++ {
		n += min(s.h, len(s.parts(s.doc.lines[i])))
	}
	return n
}

func (s *sheet) motion(id keymap.ID) bool {
	if to, ok := ui.Motion(id, s.cursor, s.count(), s.h); ok {
		s.move(to)
		return true
	}
	switch id {
	case keymap.Left:
		s.col = max(0, s.col-8)
	case keymap.Right:
		if s.cut {
			s.col += 8
		}
	case keymap.LineStart:
		s.col = 0
	case keymap.Wrap:
		s.cut, s.col = !s.cut, 0
		s.move(s.cursor)
	default:
		return false
	}
	return true
}

// seek goes to the next line with the query, around the end.
func (s *sheet) seek(by, from int) bool {
	n := s.count()
	if s.query == "" || n == 0 {
		return false
	}
	for i := range n {
		at := ((from+i*by)%n + n) % n
		if len(s.matches(s.doc.lines[at].text)) > 0 {
			s.move(at)
			return true
		}
	}
	return false
}

// matches are the byte ranges of a line that the query is found in.
func (s *sheet) matches(b []byte) [][2]int {
	if s.query == "" {
		return nil
	}
	q := []byte(s.query)
	if strings.ToLower(s.query) == s.query {
		if lower := bytes.ToLower(b); len(lower) == len(b) {
			b = lower
		}
	}
	var out [][2]int
	for from := 0; ; {
		i := bytes.Index(b[from:], q)
		if i < 0 || len(out) == 1000 {
			return out
		}
		out = append(out, [2]int{from + i, from + i + len(q)})
		from += i + len(q)
	}
}

// hits counts the lines with the query.
func (s *sheet) hits() int {
	n := 0
	for i := range s.count() {
		if len(s.matches(s.doc.lines[i].text)) > 0 {
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
	for i := s.top; i < s.count() && len(out) < s.h; i++ {
		l := s.doc.lines[i]
		for k, part := range s.parts(l) {
			if len(out) < s.h {
				out = append(out, s.row(l, part, k == 0, i == s.cursor, focused))
			}
		}
	}
	for len(out) < s.h {
		out = append(out, strings.Repeat(" ", max(0, s.w)))
	}
	return out
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
	d := drawing{s: s, base: base, room: s.room(l), skip: s.col}
	d.line(l, part)
	return st.Accent.Apply(mark) + base.Apply(lead) + d.out.String() + base.Apply(strings.Repeat(" ", max(0, d.room)))
}

// drawing puts the bytes of a row on the screen: changed words and matches marked.
type drawing struct {
	s    *sheet
	out  strings.Builder
	base theme.Paint
	room int
	skip int // cells to leave out
	at   int // cell of the row
	// tabs and blanks say that these are made visible.
	tabs, blanks bool
}

func (d *drawing) line(l line, part text.Row) {
	st := d.s.env.Styles
	word := st.AddedWord
	if l.look == removed {
		word = st.RemovedWord
	}
	done, trail := part.Start, len(l.text)
	if l.exact {
		trail = len(bytes.TrimRight(l.text, " "))
	}
	d.tabs = l.exact
	for done < part.End && d.room > 0 {
		end, paint := nextRun(done, part.End, l.words, d.base, word)
		if e, p := nextRun(done, end, d.s.matches(l.text), paint, st.Match); e < end || p.Apply("x") != paint.Apply("x") {
			end, paint = e, p
		}
		if done < trail {
			end = min(end, trail)
		}
		d.blanks = done >= trail
		d.put(l.text[done:end], paint)
		done = end
	}
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

func (d *drawing) put(b []byte, paint theme.Paint) {
	o := d.s.env.Text(d.at)
	st := d.s.env.Styles
	for _, span := range text.Window(b, max(0, d.skip-d.at), d.room, o) {
		p := paint
		switch span.Kind {
		case text.Control, text.Invisible:
			p = paint.With(st.Control)
		case text.Invalid:
			p = paint.With(st.Invalid)
		}
		shown := span.Text
		switch {
		case d.tabs && span.Kind == text.Tab && span.Width > 0:
			shown, p = st.Glyphs.TabMark+strings.Repeat(" ", span.Width-1), paint.With(st.Control)
		case d.blanks:
			shown, p = strings.Repeat(st.Glyphs.Blank, span.Width), paint.With(st.Control)
		}
		d.out.WriteString(p.Apply(shown))
		d.room -= span.Width
	}
	d.at += text.Column(b, len(b), o)
}
