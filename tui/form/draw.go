package form

import (
	"fmt"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// labelCells is the width of the names in front of fields of one row.
const labelCells = 13

// Below these inner sizes the form takes the whole screen.
const (
	roomyWidth  = 56
	roomyHeight = 16
)

// Title implements the root's overlay.
func (f *Form) Title() string {
	if f.page == previewing {
		return f.name + ": not written yet"
	}
	return f.name
}

// Scopes implements the root's overlay.
func (f *Form) Scopes() []keymap.Scope {
	if f.page == previewing {
		return append([]keymap.Scope{keymap.FormPreview}, append(f.diff.Scopes(), keymap.Motion)...)
	}
	return []keymap.Scope{keymap.Form}
}

// Size implements the root's overlay: as large as it can get.
func (f *Form) Size(maxW, maxH int) (int, int) {
	if maxW < roomyWidth || maxH < roomyHeight {
		return maxW + 2, maxH + 2
	}
	return maxW, maxH
}

// Hints implements [ui.Hinted]: of the keys of the diff those that it performs here.
func (f *Form) Hints() ui.Hints {
	var h ui.Hints
	for _, a := range f.env.Keys.Hints(f.Scopes()) {
		if a.ID != keymap.Help && (a.Scope != keymap.Diff || f.diff.Actions().Has(a.ID)) {
			h.Acts = append(h.Acts, ui.Act(a.Hint, a.ID))
		}
	}
	return h
}

// Footer implements the root's overlay: a job that takes long, else the keys, as many as fit.
func (f *Form) Footer() string {
	if job, ok := f.env.Jobs.Oldest(); ok && (f.writing || f.submitted) && job.Since >= settled {
		return job.Label + f.env.Styles.Glyphs.Ellipsis
	}
	out := ""
	for _, a := range f.env.Keys.Hints(f.Scopes()[:1]) {
		part := a.Keys[0] + " " + a.Hint
		if out != "" {
			part = "  " + part
		}
		if text.Width(out)+text.Width(part) > f.w-4 {
			break
		}
		out += part
	}
	return out
}

// slot is the place of a field in the box.
type slot struct {
	*field
	y          int // of its label; a single field is beside it
	x, top     int // of its text
	w, h       int
	labelCells int
}

// places is where everything of the editing page stands.
type places struct {
	slots []slot
	note  int // rows of the answer, at the bottom
	head  bool
}

// noteRows is how many rows the answer gets in a box of h rows.
func noteRows(h int) int {
	switch {
	case h < 12:
		return 2
	case h < 18:
		return 3
	case h < 30:
		return 5
	default:
		return 8
	}
}

// arrange puts the fields into a box of w by h cells; where it is too low for all of
// them only the one that is typed in is there.
func (f *Form) arrange(w, h int) places {
	p := places{note: noteRows(h), head: h >= 12}
	singles, texts := 0, 0
	for _, d := range f.fields {
		if d.single {
			singles++
		} else {
			texts++
		}
	}
	room := h - singles - texts - p.note
	if p.head {
		room--
	}
	if room < 2*texts {
		return f.cramped(w, h)
	}
	y := 0
	for i, d := range f.fields {
		s := slot{field: d, y: y, x: 1, top: y + 1, w: w - 2}
		if d.single {
			s.labelCells = min(labelCells, w/2)
			s.x, s.top, s.w, s.h = s.labelCells, y, w-s.labelCells-1, 1
			y++
		} else {
			s.h = f.share(i, room, texts)
			y += 1 + s.h
		}
		p.slots = append(p.slots, s)
	}
	return p
}

// share divides the rows among one or two texts: where they are few the one that is
// typed in gets more.
func (f *Form) share(i, room, texts int) int {
	if texts == 1 {
		return room
	}
	last := i == len(f.fields)-1
	first := (room + 1) / 2
	if room < 10 {
		first = room * 3 / 5
		if f.at == len(f.fields)-1 {
			first = room - first
		}
	}
	if last {
		return room - first
	}
	return first
}

func (f *Form) cramped(w, h int) places {
	d := f.focused()
	p := places{note: min(2, max(0, h-2))}
	s := slot{field: d, y: 0, x: 1, top: 1, w: w - 2, h: max(1, h-1-p.note)}
	if d.single {
		s.labelCells = min(labelCells, w/2)
		s.x, s.top, s.w, s.h = s.labelCells, 0, w-s.labelCells-1, 1
	}
	p.slots = []slot{s}
	return p
}

// Rows implements the root's overlay.
func (f *Form) Rows(w, h int) []string {
	f.w, f.h = w, h
	return ui.FillRows(f.rows(w, h), w, h)
}

func (f *Form) rows(w, h int) []string {
	if f.page == previewing {
		return f.previewRows(w, h)
	}
	p := f.arrange(w, h)
	var out []string
	for _, s := range p.slots {
		s.resize(s.w, s.h)
		label := f.label(s.field)
		body := s.rows(placeholder(s.name))
		if s.single {
			out = append(out, f.cells(label, f.labelPaint(s.field), s.labelCells)+body[0]+" ")
			continue
		}
		out = append(out, f.heading(label, measure(s.field), f.labelPaint(s.field), w))
		for _, row := range body {
			out = append(out, " "+row+" ")
		}
	}
	if fields := h - p.note - heads(p.head); len(out) < fields {
		out = ui.FillRows(out, w, fields)
	}
	return append(out, f.answer(w, p.note, p.head)...)
}

func heads(head bool) int {
	if head {
		return 1
	}
	return 0
}

// label is the name of a field, with a mark in front of the one that is typed in.
func (f *Form) label(d *field) string {
	if d == f.focused() {
		return f.env.Styles.Glyphs.Cursor + d.name
	}
	return " " + d.name
}

func (f *Form) labelPaint(d *field) theme.Paint {
	if d == f.focused() {
		return f.env.Styles.Selected
	}
	return f.env.Styles.Dim
}

// measure says how much a text field holds.
func measure(d *field) string {
	if d.empty() {
		return ""
	}
	return fmt.Sprintf("%s, %s", ui.Count(len(d.lines), "line"), ui.Count(d.size, "byte"))
}

func placeholder(name string) string {
	switch name {
	case argPath:
		return "/memories/..."
	case argNew:
		return "empty: old_str is deleted"
	case argLine:
		return "after this line; 0 is the start of the file"
	}
	return ""
}

func (f *Form) cells(s string, paint theme.Paint, w int) string {
	return paint.Apply(text.Pad(text.Truncate(s, max(0, w-1), ""), w))
}

// heading is a label, a rule, and a note at its end.
func (f *Form) heading(label, note string, paint theme.Paint, w int) string {
	st := f.env.Styles
	label = text.Truncate(label, max(0, w-1), "") + " "
	if note != "" {
		note = " " + note + " "
	}
	room := w - text.Width(label) - text.Width(note)
	if room < 0 {
		note, room = "", max(0, w-text.Width(label))
	}
	return paint.Apply(label) + st.Border.Apply(strings.Repeat(st.Glyphs.Border.Top, room)) + st.Dim.Apply(note)
}

// answer draws what the agent would get, or which field is missing.
func (f *Form) answer(w, rows int, head bool) []string {
	st := f.env.Styles
	mark := ""
	if !head && f.problem == "" && f.seen != nil && f.seen.result.IsError {
		mark = st.Glyphs.Warning + " " // when the heading does not fit
	}
	title, note, body, paint := f.said(w-2-text.Width(mark), rows)
	var out []string
	if head {
		out = append(out, f.heading(" "+title, note, paint, w))
	} else if len(body) > 0 {
		body[0] = mark + body[0]
	}
	for _, row := range body {
		out = append(out, paint.Apply(text.Pad(" "+row, w)))
	}
	return out
}

const (
	textWouldGet = "the agent would get"
	textLarge    = "File over 4 MiB: read for the preview only."
)

// said is the answer: its heading, the counts of lines, and a limited number of rows.
func (f *Form) said(w, n int) (title, note string, rows []string, paint theme.Paint) {
	st := f.env.Styles
	dots := st.Glyphs.Ellipsis
	switch {
	case f.problem != "":
		return "not valid", "", fitEnd(wrapText(f.problem, w, f.env), n, w, dots), st.Warning
	case len(f.choices) > 0:
		list := wrapText(text.Clean(strings.Join(f.choices[:min(len(f.choices), maxChoices)], "  ")), w, f.env)
		return "choices", "", fitEnd(list, n, w, dots), st.Info
	case f.seen == nil && f.missing() != "":
		return textWouldGet, "", fitEnd(wrapText(f.missing()+" is missing", w, f.env), n, w, dots), st.Dim
	case f.seen == nil:
		return textWouldGet, "", nil, st.Dim
	case f.seen.large:
		return textWouldGet, "", fitEnd(wrapText(textLarge, w, f.env), n, w, dots), st.Dim
	case f.seen.result.IsError:
		return "the agent would get an error", "", fitMiddle(wrapText(sentence(f.seen.result), w, f.env), n, w, dots), st.Error
	default:
		return textWouldGet, f.counts(), fitEnd(wrapText(f.seen.result.Content, w, f.env), n, w, dots), st.Text
	}
}

// maxChoices bounds the names that are shown for a path.
const maxChoices = 200

// Cursor is the cell of the box where the terminal's own cursor belongs.
func (f *Form) Cursor() (ui.Point, bool) {
	if f.page == previewing {
		at, ok := f.diff.Cursor()
		return ui.Point{X: at.X, Y: min(f.h-1, at.Y+f.diffTop)}, ok
	}
	for _, s := range f.arrange(f.w, f.h).slots {
		if s.field == f.focused() {
			at := s.cursor()
			return ui.Point{X: min(f.w-1, s.x+at.X), Y: min(f.h-1, s.top+at.Y)}, true
		}
	}
	return ui.Point{}, false
}
