package replay

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// page is one way to look at a call.
type page uint8

const (
	pageMemory page = iota
	pageResult
	pageCall
	pageBlame
	pages
)

func (g page) String() string {
	return [...]string{"memory", "result", "call", "blame"}[g]
}

// detailPane shows the call under the list's cursor. newCallList makes it.
type detailPane struct {
	env     *ui.Env
	actions *ui.Actions
	list    *callList
	w, h    int
	page    page
	main    *sheet
	tree    *sheet
	side    bool // the tree is shown beside the file
	path    string
	shown   view // what is on the screen or under way
	built   *built
	stale   bool
}

// view is what a page is made of.
type view struct {
	step int
	page page
	path string
}

// built is the outcome of the job that makes a page.
type built struct {
	view
	main, tree *document
	path       string // that is shown
}

func newDetail(env *ui.Env, list *callList) *detailPane {
	d := &detailPane{env: env, list: list, main: newSheet(env), tree: newSheet(env)}
	d.actions = ui.NewActions(env, d.bindings()...).Or(list.actions)
	return d
}

// reset forgets what is shown.
func (d *detailPane) reset() {
	d.env.Jobs.Cancel(ownerPage)
	d.shown, d.stale = view{}, true
}

// follow shows the call that the list is on.
func (d *detailPane) follow() tea.Cmd {
	d.path = ""
	return d.show()
}

// Settle implements [ui.Settler].
func (d *detailPane) Settle() tea.Cmd { return d.show() }

// show builds the page for the call under the cursor, unless it is there.
func (d *detailPane) show() tea.Cmd {
	want := view{d.list.Step(), d.page, d.path}
	if want == d.shown && !d.stale || d.w <= 0 {
		return nil
	}
	step, ok := d.list.Selected()
	d.shown, d.stale = want, false
	if !ok {
		d.env.Jobs.Cancel(ownerPage)
		d.built = nil
		d.stale = d.list.state == loading
		doc := &document{}
		if d.list.Step() > 0 {
			doc.say(dim, "Not replayed yet")
		}
		d.main.set(doc, false)
		return nil
	}
	b := builder{track: d.list.calls.track, step: step, view: want}
	return d.env.Jobs.Start(ownerPage, "reading", func(ctx context.Context, _ *ui.Progress) (any, error) {
		return b.build(ctx), ctx.Err()
	})
}

// Receive implements [ui.Pane].
func (d *detailPane) Receive(done ui.Done) tea.Cmd {
	v, ok := done.Value.(*built)
	if !ok || v.view != d.shown {
		return nil
	}
	keep := d.built != nil && d.built.step == v.step && d.built.page == v.page && d.built.path == v.path
	d.built = v
	d.arrange()
	d.main.set(v.main, keep)
	if v.tree != nil {
		d.tree.set(v.tree, false)
	}
	return nil
}

// sideFrom is the width from which on the tree is shown beside the file.
const sideFrom = 72

func (d *detailPane) arrange() {
	d.side = d.w >= sideFrom && d.built != nil && d.built.tree != nil
	w := d.w
	if d.side {
		tw := max(22, min(40, d.w/3))
		d.tree.resize(tw, d.h)
		w -= tw + 1
	}
	d.main.resize(w, d.h)
}

// Actions implements [ui.Pane].
func (d *detailPane) Actions() *ui.Actions { return d.actions }

// bindings are those of the page; the list handles all others.
func (d *detailPane) bindings() []ui.Action {
	return append(d.main.bindings(),
		ui.On(keymap.SearchNext, func() { d.next(false) }),
		ui.On(keymap.SearchPrev, func() { d.next(true) }),
		ui.Action{ID: keymap.ReplayPageNext, Run: func() tea.Cmd { return d.Turn(1) }},
		ui.Action{ID: keymap.ReplayPagePrev, Run: func() tea.Cmd { return d.Turn(-1) }},
		ui.Action{ID: keymap.ReplayFileNext, Run: func() tea.Cmd { return d.nextFile(1) }},
		ui.Action{ID: keymap.ReplayFilePrev, Run: func() tea.Cmd { return d.nextFile(-1) }},
		ui.Action{ID: keymap.ReplayOpen, Run: d.open},
	)
}

// Turn goes to another page.
func (d *detailPane) Turn(by int) tea.Cmd {
	d.page = (d.page + page(by) + pages) % pages
	return d.show()
}

// nextFile shows the next file of the memory.
func (d *detailPane) nextFile(by int) tea.Cmd {
	if d.list.calls.track == nil || d.built == nil {
		return nil
	}
	var files []string
	at := -1
	for _, f := range filesAt(d.list.calls.track, d.list.Step()) {
		if f == d.built.path {
			at = len(files)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil
	}
	if at < 0 && by < 0 {
		at = 0
	}
	d.path = files[((at+by)%len(files)+len(files))%len(files)]
	return d.show()
}

// open goes where the line under the cursor leads: to a call or to a file.
func (d *detailPane) open() tea.Cmd {
	l, ok := d.main.current()
	switch {
	case ok && l.path != "":
		d.path, d.page = l.path, pageMemory
		return d.show()
	case ok && l.step > 0:
		return d.list.GoTo(l.step)
	}
	return nil
}

// File is the agent path of the file that is shown, and its bytes; false: there is none.
func (d *detailPane) File() (agentPath string, data []byte, exists bool) {
	agentPath = d.list.Path()
	if d.built != nil && d.built.path != "" && d.built.step == d.list.Step() {
		agentPath = d.built.path
	}
	if d.list.calls.track == nil {
		return agentPath, nil, false
	}
	agentPath = cleaned(agentPath)
	data, exists = d.list.calls.track.Content(agentPath, d.list.Step())
	if d.list.calls.track.Unknown(agentPath, d.list.Step()) {
		return agentPath, nil, false
	}
	return agentPath, data, exists
}

// Resize implements [ui.Pane].
func (d *detailPane) Resize(w, h int) {
	d.w, d.h = w, h
	d.arrange()
}

// Rows implements [ui.Pane].
func (d *detailPane) Rows(focused bool) []string {
	rows := d.main.rows(focused)
	if !d.side {
		return rows
	}
	bar := d.env.Styles.Dim.Apply(d.env.Styles.Glyphs.SplitVertical)
	for i, r := range d.tree.rows(false) {
		rows[i] = r + bar + rows[i]
	}
	return rows
}

// Scopes implements [ui.Pane].
func (d *detailPane) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.ReplayDetail, keymap.Replay}
}

// Cursor implements [ui.Pane].
func (d *detailPane) Cursor() (ui.Point, bool) {
	if d.main.count() == 0 {
		return ui.Point{}, false
	}
	x := 0
	if d.side {
		x = d.tree.w + 1
	}
	return ui.Point{X: x, Y: d.main.view.CursorRow()}, true
}

// Title implements [ui.Tab]: the pages, the shown one in brackets.
func (d *detailPane) Title() string {
	var names []string
	for g := range pages {
		if g == d.page {
			names = append(names, "["+g.String()+"]")
			continue
		}
		names = append(names, g.String())
	}
	if d.w < 56 {
		return "[" + d.page.String() + "] " + fmt.Sprintf(" %d/%d", int(d.page)+1, int(pages))
	}
	return strings.Join(names, " ")
}

// Path implements [ui.Tab].
func (d *detailPane) Path() string {
	if d.built != nil {
		return d.built.path
	}
	return ""
}

// Place implements [ui.Tab].
func (d *detailPane) Place() string {
	s, ok := d.list.Selected()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s %s %d/%d", d.list.calls.glyph(s.Verdict), s.Verdict.Word(), d.main.cursor()+1, d.main.count())
}

// LineReader implements [ui.Tab].
func (d *detailPane) LineReader(limit int) func() (string, error) {
	l, ok := d.main.current()
	if !ok {
		return nil
	}
	return ui.LineOf(l.text, limit)
}

// Text is all that is shown, for the clipboard.
func (d *detailPane) Text() string {
	var b strings.Builder
	for i := range d.main.count() {
		b.Write(d.main.doc.lines[i].text)
		b.WriteByte('\n')
	}
	return b.String()
}

// Query implements [ui.Searcher].
func (d *detailPane) Query() string { return d.main.query }

// SetQuery implements [ui.Searcher].
func (d *detailPane) SetQuery(query string) tea.Cmd {
	d.main.seekFor(query)
	return nil
}

// Jump implements [ui.Searcher].
func (d *detailPane) Jump() tea.Cmd {
	d.main.seek(1, d.main.cursor())
	return nil
}

// noMoreText says that a walk found nothing; by is below 0 for the way up.
func noMoreText(by int) string {
	if by < 0 {
		return "No more above"
	}
	return "No more below"
}

func (d *detailPane) next(back bool) {
	by := 1
	if back {
		by = -1
	}
	if !d.main.seek(by, d.main.cursor()+by) {
		d.env.Emit(ui.Say{Text: noMoreText(by)})
	}
}

// SearchState implements [ui.Searcher].
func (d *detailPane) SearchState() string {
	if d.main.query == "" {
		return ""
	}
	return fmt.Sprintf("/%s: %s", text.Clean(d.main.query), ui.Count(d.main.hits(), "line"))
}

// Click moves the cursor to a row and reports whether it was there.
func (d *detailPane) Click(row int) (again bool) {
	hit, again := d.main.view.Click(row)
	if !hit {
		d.main.view.MoveTo(d.main.count() - 1)
	}
	return again
}

// verdictOf is a verdict in words with its detail.
func verdictOf(s transcript.Step) string {
	if s.Detail == "" {
		return s.Verdict.Word()
	}
	return s.Verdict.Word() + ": " + s.Detail
}
