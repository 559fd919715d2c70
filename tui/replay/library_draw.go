package replay

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Actions implements [ui.Pane].
func (l *library) Actions() *ui.Actions { return l.actions }

// Receive implements [ui.Pane]; its jobs know what takes their outcome.
func (l *library) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (l *library) Resize(w, h int) { l.w, l.h = w, h; l.list.Resize(h) }

// Scopes implements [ui.Pane].
func (l *library) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Transcripts} }

// Cursor implements [ui.Pane].
func (l *library) Cursor() (ui.Point, bool) {
	at, ok := l.list.Point()
	at.Y++ // below the heads of the columns
	return at, ok && l.h > 1
}

// Path implements [ui.Listed]: the file of the transcript under the cursor.
func (l *library) Path() string {
	if e, ok := l.selected(); ok {
		return e.File
	}
	return ""
}

// Name implements [ui.Named]: what the transcript under the cursor was about, else its project and time.
func (l *library) Name() string {
	e, ok := l.selected()
	if !ok {
		return ""
	}
	if title := text.Clean(e.title()); title != "" {
		return title
	}
	return strings.TrimSpace(text.Clean(e.project()) + " " + ui.When(e.Changed, l.env.Now()))
}

// LineReader implements [ui.Listed].
func (l *library) LineReader(limit int) func() (string, error) {
	e, ok := l.selected()
	if !ok {
		return nil
	}
	return ui.LineOf(strings.Join(strings.Fields(l.cells(e, 160)), " "), limit)
}

// title heads the list.
func (l *library) title() string {
	if l.folder != "" {
		return "transcripts in " + text.Clean(l.tilde(l.folder))
	}
	if l.order == byTime {
		return "transcripts on this machine, newest first"
	}
	return "transcripts on this machine, by " + l.order
}

// tilde writes a path below the home folder as people do.
func (l *library) tilde(path string) string { return text.Tilde(path, l.where().Machine.Home) }

// place counts the transcripts.
func (l *library) place() string {
	if len(l.entries) == 0 {
		return ""
	}
	known, with := 0, 0
	for _, e := range l.fit {
		if e.survey != nil && e.survey.problem == "" && !e.survey.large {
			known++
			if e.survey.calls > 0 {
				with++
			}
		}
	}
	if known < len(l.fit) {
		return ui.Count(len(l.fit), "transcript")
	}
	return fmt.Sprintf("%d of %d with memory calls", with, len(l.fit))
}

const (
	textNone    = "No transcripts here. {replay-transcripts/replay-open-path} opens a file or folder"
	textLooking = "Looking for transcripts..."
)

func (l *library) emptyText() string {
	switch {
	case l.env.Jobs.Running(ownerFind):
		return textLooking
	case len(l.words) > 0:
		return l.env.Keyed(fmt.Sprintf("No rows match %q. {global/back} clears", l.filter))
	}
	return l.env.Keyed(textNone)
}

// Rows implements [ui.Pane].
func (l *library) Rows(focused bool) []string {
	l.sync()
	none := func() []string { return ui.Notice(l.env, l.emptyText(), l.w) }
	var above []string
	if len(l.shown) > 0 && l.h > 1 {
		above = append(above, l.env.Styles.Dim.Apply(text.Pad(text.Truncate(" "+l.heads(l.w-1), l.w, ""), l.w)))
	}
	return l.list.Draw(above, l.w, l.h, none, func(i int) string { return l.row(i, focused) })
}

// column is a part of a row, from a width of the list on.
type column struct {
	head  string
	width int
	from  int
	right bool
	text  func(*library, *entry) string
}

var columns = []column{
	{"when", 15, 0, false, func(l *library, e *entry) string { return ui.When(e.when(), l.env.Now()) }},
	{"agent", 11, 90, false, func(_ *library, e *entry) string { return e.Agent }},
	{"project", 14, 56, false, func(_ *library, e *entry) string { return e.project() }},
	{"size", 6, 110, true, func(_ *library, e *entry) string { return memstore.FormatSize(memstore.Docs, e.Size) }},
	{"calls", 5, 48, true, func(_ *library, e *entry) string { return e.survey.count(func(s *survey) int { return s.calls }) }},
	{"wrote", 5, 90, true, func(_ *library, e *entry) string { return e.survey.count(func(s *survey) int { return s.writes }) }},
	{"replay", 10, 72, false, func(_ *library, e *entry) string { return e.survey.word() }},
}

// heads names the columns that a width has room for.
func (l *library) heads(width int) string {
	out := l.indent()
	for _, c := range columns {
		if l.has(c, width) {
			out += c.cell(c.head) + "  "
		}
	}
	return out + "first prompt"
}

// has reports whether a width has room for a column. The headings name the projects.
func (l *library) has(c column, width int) bool {
	return width >= c.from && (c.head != "project" || !l.grouped())
}

// indent is what rows begin with below a heading.
func (l *library) indent() string {
	if l.grouped() {
		return "  "
	}
	return ""
}

func (c column) cell(s string) string {
	s = text.Truncate(s, c.width, "")
	if c.right {
		return strings.Repeat(" ", max(0, c.width-text.Width(s))) + s
	}
	return text.Pad(s, c.width)
}

// cells is a row without paint.
func (l *library) cells(e *entry, width int) string {
	ellipsis := l.env.Styles.Glyphs.Ellipsis
	out := l.indent()
	for _, c := range columns {
		if l.has(c, width) {
			out += c.cell(text.Truncate(text.Clean(c.text(l, e)), c.width, ellipsis)) + "  "
		}
	}
	title := text.Clean(e.title())
	if e.Side {
		title = textSide + " " + title
	}
	return text.Pad(text.Truncate(out+title, width, ellipsis), width)
}

func (l *library) row(i int, focused bool) string {
	st, e := l.env.Styles, l.shown[i].entry
	at, _ := l.list.At()
	cells := ""
	if e == nil {
		cells = text.Truncate(l.heading(l.shown[i].project), max(0, l.w-1), st.Glyphs.Ellipsis)
	} else {
		cells = l.cells(e, max(0, l.w-1))
	}
	if i == at {
		paint := st.SelectedBlur
		if focused {
			paint = st.Selected
		}
		return paint.Apply(text.Pad(text.Truncate(st.Glyphs.Cursor+cells, l.w, ""), l.w))
	}
	paint := st.Text
	switch {
	case e == nil:
		paint = st.Bold
	case e.survey != nil && e.survey.differ > 0:
		word := e.survey.word()
		if before, after, ok := strings.Cut(cells, word); ok && l.w > 72 {
			return " " + st.Text.Apply(before) + st.Error.Apply(word) + st.Text.Apply(after)
		}
	case e.survey != nil && e.survey.calls == 0 && !e.survey.large:
		paint = st.Dim
	}
	return paint.Apply(text.Pad(" "+cells, l.w))
}

// count formats a number of a survey; "" while it is unknown.
func (s *survey) count(of func(*survey) int) string {
	switch {
	case s == nil || s.large || s.problem != "":
		return ""
	case s.calls == 0:
		return "-"
	}
	return fmt.Sprint(of(s))
}

// word says how the replay came out.
func (s *survey) word() string {
	switch {
	case s == nil:
		return ""
	case s.problem != "":
		return "unreadable"
	case s.large:
		return "large"
	case s.calls == 0:
		return ""
	case s.differ == 1:
		return "1 differs"
	case s.differ > 1:
		return fmt.Sprintf("%d differ", s.differ)
	}
	return "identical"
}

// preview shows the beginning of the transcript under the cursor of a library: its memory calls.
type preview struct {
	env     *ui.Env
	actions *ui.Actions
	library *library
	sheet   *sheet
	of      *entry
}

func newPreview(env *ui.Env, l *library) *preview {
	p := &preview{env: env, library: l, sheet: newSheet(env)}
	p.actions = ui.NewActions(env, append(p.sheet.bindings(), ui.Action{ID: keymap.Open, Run: l.openSelected})...)
	return p
}

// refresh makes the page of the transcript under the cursor.
func (p *preview) refresh() {
	e, ok := p.library.selected()
	if !ok {
		p.of = nil
		d := &document{}
		if it, ok := p.library.current(); ok {
			d.say(plain, p.library.heading(it.project))
			d.say(dim, p.env.Keyed("{replay-transcripts/open} folds or unfolds"))
		}
		p.sheet.set(d, false)
		return
	}
	keep := e == p.of
	p.of = e
	p.sheet.set(p.page(e), keep)
}

func (p *preview) page(e *entry) *document {
	d := &document{}
	facts := []string{p.library.tilde(e.File), memstore.FormatSize(memstore.Docs, e.Size)}
	if e.head != nil && e.head.Project != "" {
		facts = append(facts, "in "+p.library.tilde(e.head.Project))
	}
	d.say(dim, strings.Join(facts, "  "))
	s := e.survey
	switch {
	case s == nil:
		d.say(dim, "Reading...")
		return d
	case s.problem != "":
		d.say(warned, "Can't read it: "+s.problem)
		return d
	case s.large:
		d.say(plain, p.env.Keyed("Too large to read ahead. {replay-transcripts/open} reads it"))
		return d
	case s.calls == 0:
		d.say(plain, s.empty)
		return d
	}
	d.say(plain, "")
	for i, r := range s.rows {
		look, verdict := plain, transcript.Verdict("")
		if i < len(s.verdicts) {
			verdict = s.verdicts[i]
		}
		if verdict.Diverges() {
			look = warned
		} else if !r.writes() {
			look = dim
		}
		path := r.path
		if r.to != "" {
			path += " " + p.env.Styles.Glyphs.Arrow + " " + r.to
		}
		d.add(line{lead: p.lead(r), text: []byte(strings.TrimPrefix(path, "/memories/")), look: look})
		if verdict.Diverges() {
			last := &d.lines[len(d.lines)-1]
			last.text = append(last.text, "  "+verdict.Word()...)
		}
	}
	if more := s.calls - len(s.rows); more > 0 {
		d.say(dim, fmt.Sprintf("and %s", ui.Count(more, "more call")))
	}
	return d
}

// lead is the mark of a write, the time and the command of a call.
func (p *preview) lead(r row) string {
	mark, clock := " ", strings.Repeat(" ", 8)
	if r.writes() {
		mark = p.env.Styles.Glyphs.Unread
	}
	if !r.when.IsZero() {
		clock = r.when.In(p.env.Now().Location()).Format("15:04:05")
	}
	return mark + " " + clock + "  " + text.Pad(text.Truncate(text.Clean(r.op), 12, ""), 12) + " "
}

// Actions implements [ui.Pane].
func (p *preview) Actions() *ui.Actions { return p.actions }

// Receive implements [ui.Pane]: it has no jobs.
func (p *preview) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (p *preview) Resize(w, h int) { p.sheet.resize(w, h) }

// Rows implements [ui.Pane].
func (p *preview) Rows(focused bool) []string { return p.sheet.rows(focused) }

// Scopes implements [ui.Pane].
func (p *preview) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Transcripts} }

// Cursor implements [ui.Pane].
func (p *preview) Cursor() (ui.Point, bool) {
	if p.sheet.count() == 0 {
		return ui.Point{}, false
	}
	return ui.Point{Y: p.sheet.view.CursorRow()}, true
}

// Title implements [ui.Tab].
func (p *preview) Title() string {
	if p.of == nil {
		return "preview"
	}
	title := "preview: " + ui.When(p.of.when(), p.env.Now())
	if s := p.of.survey; s != nil && s.calls > 0 {
		title += ", " + ui.Count(s.calls, "call")
	}
	return title
}

// Path implements [ui.Tab].
func (p *preview) Path() string { return "" }

// Place implements [ui.Tab].
func (p *preview) Place() string {
	if p.of == nil || p.of.survey == nil || p.of.survey.from.IsZero() {
		return ""
	}
	at := p.env.Now().Location()
	return p.of.survey.from.In(at).Format("15:04") + "-" + p.of.survey.to.In(at).Format("15:04")
}

// LineReader implements [ui.Tab].
func (p *preview) LineReader(limit int) func() (string, error) {
	l, ok := p.sheet.current()
	if !ok {
		return nil
	}
	return ui.LineOf(l.text, limit)
}
