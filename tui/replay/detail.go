package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/transcript"
	"memcurator/tui/kit"
)

// aspect is one way to look at a call.
type aspect uint8

const (
	asMemory aspect = iota
	asResult
	asCall
	aspects
)

func (a aspect) String() string {
	return [...]string{"memory", "result", "call"}[a]
}

// detailPane shows the call under the list's cursor, with the tree of its memory beside a file. newCallList makes it.
type detailPane struct {
	*kit.Text
	env     *kit.Env
	actions *kit.Actions
	list    *callList
	tree    *kit.Text
	w, h    int
	aspect  aspect
	chosen  string // a file that was chosen; "": the one that the call is about
	built   *built // nil: no call is shown
}

// built is what is shown of a call.
type built struct {
	step       int
	main, tree *page
	path       string // that is shown
}

func newDetail(env *kit.Env, list *callList) *detailPane {
	d := &detailPane{env: env, list: list}
	d.Text = kit.NewText(env, kit.TextSpec{
		Scope: keymap.ReplayDetail, Owner: ownerPage, Label: "reading", Lead: leadOf, Read: d.reader, Shown: d.arrive,
		More: []kit.Action{
			{ID: keymap.ReplayPageNext, Run: func() tea.Cmd { return d.Turn(1) }},
			{ID: keymap.ReplayPagePrev, Run: func() tea.Cmd { return d.Turn(-1) }},
			{ID: keymap.ReplayFileNext, Run: func() tea.Cmd { return d.nextFile(1) }},
			{ID: keymap.ReplayFilePrev, Run: func() tea.Cmd { return d.nextFile(-1) }},
			{ID: keymap.ReplayOpen, Run: d.open},
		},
	})
	d.tree = kit.NewText(env, kit.TextSpec{Scope: keymap.ReplayDetail, Owner: ownerTree, Lead: leadOf})
	d.actions = d.Text.Actions().Or(list.actions)
	return d
}

// follow shows the call that the list is on.
func (d *detailPane) follow() tea.Cmd {
	d.chosen = ""
	return d.show()
}

// show shows the call under the cursor, unless it is there.
func (d *detailPane) show() tea.Cmd {
	if _, ok := d.list.Selected(); !ok {
		d.Set("", (&page{}).doc())
		return nil
	}
	return d.Show(fmt.Sprintf("%d %d %s", d.list.Call(), d.aspect, d.chosen))
}

// reader makes the page of the call under the cursor.
func (d *detailPane) reader(string) func(context.Context) (*kit.Doc, error) {
	step, _ := d.list.Selected()
	b := builder{track: d.list.calls.track, step: step, n: d.list.Call(), aspect: d.aspect, chosen: d.chosen}
	return func(ctx context.Context) (*kit.Doc, error) {
		out := b.build(ctx)
		doc := out.main.doc()
		doc.Of = out
		return doc, ctx.Err()
	}
}

// arrive arranges what was read.
func (d *detailPane) arrive(doc *kit.Doc, same bool) {
	d.built, _ = doc.Of.(*built)
	d.arrange()
	if d.built != nil && !same {
		d.MoveTo(d.built.main.at-d.h/3, d.built.main.at)
	}
	if tree := d.treeHere(); tree != nil {
		d.tree.Set(d.built.path, tree.doc())
		d.tree.MoveTo(tree.at-d.h/3, tree.at)
	}
}

// sideFrom is the width from which on the tree is shown beside the file.
const sideFrom = 72

// treeHere is the tree that is shown beside the file; nil: there is none.
func (d *detailPane) treeHere() *page {
	if d.w < sideFrom || d.built == nil {
		return nil
	}
	return d.built.tree
}

func (d *detailPane) arrange() {
	w := d.w
	if d.treeHere() != nil {
		d.tree.Resize(d.treeWidth(), d.h)
		w -= d.treeWidth() + 1
	}
	d.Text.Resize(w, d.h)
}

func (d *detailPane) treeWidth() int { return max(22, min(40, d.w/3)) }

// Actions implements [kit.Pane].
func (d *detailPane) Actions() *kit.Actions { return d.actions }

// Turn goes to another page.
func (d *detailPane) Turn(by int) tea.Cmd {
	d.aspect = (d.aspect + aspect(by) + aspects) % aspects
	return d.show()
}

// nextFile shows the next file of the memory.
func (d *detailPane) nextFile(by int) tea.Cmd {
	if d.built == nil {
		return nil
	}
	files := filesAt(d.list.calls.track, d.list.Call())
	if len(files) == 0 {
		return nil
	}
	at := slices.Index(files, d.built.path)
	if at < 0 && by < 0 {
		at = 0
	}
	d.chosen = files[(at+by+len(files))%len(files)]
	return d.show()
}

// open goes where the line under the cursor leads: to a call or to a file.
func (d *detailPane) open() tea.Cmd {
	l, ok := d.Current()
	if !ok {
		return nil
	}
	switch of := l.Of.(part); {
	case of.path != "":
		d.chosen, d.aspect = of.path, asMemory
		return d.show()
	case of.step > 0:
		return d.list.GoToCall(of.step)
	}
	return nil
}

// File is the agent path of the file that is shown, and its bytes; false: there is none.
func (d *detailPane) File() (agentPath string, data []byte, exists bool) {
	agentPath = d.list.Path()
	if d.built != nil && d.built.path != "" && d.built.step == d.list.Call() {
		agentPath = d.built.path
	}
	track := d.list.calls.track
	if track == nil {
		return agentPath, nil, false
	}
	agentPath = cleaned(agentPath)
	if track.Unknown(agentPath, d.list.Call()) {
		return agentPath, nil, false
	}
	data, exists = track.Content(agentPath, d.list.Call())
	return agentPath, data, exists
}

// Resize implements [kit.Pane].
func (d *detailPane) Resize(w, h int) {
	d.w, d.h = w, h
	d.arrange()
}

// Rows implements [kit.Pane].
func (d *detailPane) Rows(focused bool) []string {
	rows := d.Text.Rows(focused)
	if d.treeHere() == nil {
		return rows
	}
	bar := d.env.Styles.Dim.Apply(d.env.Styles.Glyphs.SplitVertical)
	for i, r := range d.tree.Rows(false) {
		rows[i] = r + bar + rows[i]
	}
	return rows
}

// Scopes implements [kit.Pane].
func (d *detailPane) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.ReplayDetail, keymap.Replay, keymap.Text}
}

// Cursor implements [kit.Pane].
func (d *detailPane) Cursor() (kit.Point, bool) {
	at, ok := d.Text.Cursor()
	if d.treeHere() != nil {
		at.X = d.treeWidth() + 1
	}
	return at, ok
}

// Title implements [kit.Tab]: the pages, the shown one in brackets.
func (d *detailPane) Title() string {
	if d.w < 56 {
		return fmt.Sprintf("[%v]  %d/%d", d.aspect, d.aspect+1, aspects)
	}
	var names []string
	for a := range aspects {
		if a == d.aspect {
			names = append(names, "["+a.String()+"]")
			continue
		}
		names = append(names, a.String())
	}
	return strings.Join(names, " ")
}

// Path implements [kit.Tab].
func (d *detailPane) Path() string {
	if d.built != nil {
		return d.built.path
	}
	return ""
}

// Place implements [kit.Tab].
func (d *detailPane) Place() string {
	s, ok := d.list.Selected()
	if !ok {
		return ""
	}
	return d.list.calls.glyph(s.Verdict) + " " + s.Verdict.Word() + " " + d.Text.Place()
}

// All is all that is shown, for the clipboard.
func (d *detailPane) All() string {
	if d.built == nil {
		return ""
	}
	var b strings.Builder
	for _, l := range d.built.main.lines {
		b.Write(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// verdictOf is a verdict in words with its detail.
func verdictOf(s transcript.Step) string {
	if s.Detail == "" {
		return s.Verdict.Word()
	}
	return s.Verdict.Word() + ": " + s.Detail
}
