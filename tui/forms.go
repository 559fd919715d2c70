package tui

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/form"
	"memcurator/tui/ui"
)

// formBox is an open form with the pane that draws the diff of its preview.
type formBox struct {
	*form.Form
	diff *diffpane.Pane
}

// openForm opens the form of a memory command with its first fields filled in.
func (m *Model) openForm(command string, values ...string) tea.Cmd {
	if !m.mayWrite() {
		return nil
	}
	if len(values) == 0 {
		values = []string{m.formPath(command)}
	}
	diff := diffpane.New(m.env, ownerFormDiff)
	box := &formBox{form.New(m.env, m.options.Store, command, values, m.children, diff), diff}
	m.open(box)
	return box.Init()
}

const textNoFileShown = "no file is shown: open one in the view tab first"

// insertHere opens the form that inserts after the line under the cursor.
func (m *Model) insertHere() tea.Cmd {
	line, ok := m.viewer.Line()
	if !ok {
		m.tell(ui.Info, textNoFileShown)
		return nil
	}
	return m.openForm(memstore.CmdInsert, m.viewer.Path(), strconv.Itoa(line))
}

// formPath is the path that a form begins with where none was given: the file in the view,
// or the folder under the cursor for a new one.
func (m *Model) formPath(command string) string {
	if command == memstore.CmdCreate {
		return m.folder()
	}
	if _, ok := m.viewer.Line(); ok {
		return m.viewer.Path()
	}
	return ""
}

// folder is the agent folder under the tree's cursor, with its final slash.
func (m *Model) folder() string {
	at, n := m.tree.Selected()
	if n == nil || n.Kind != memstore.KindDir {
		at = path.Dir(at)
	}
	if _, err := memstore.ParsePath(at); err != nil {
		at = memstore.Root
	}
	return at + "/"
}

// prefill is what a form begins with, read in a job.
type prefill struct {
	command string
	values  []string
	line    int // of the last value, where the cursor begins; from 0
}

// replaceLine opens a form for the line under the cursor. What is to be replaced must occur
// once in the file: neighbours are taken along where the line alone does not.
func (m *Model) replaceLine() tea.Cmd {
	at, shown := m.viewer.Line()
	read := m.viewer.LineReader(edits.ReadLimit)
	switch {
	case !shown:
		m.tell(ui.Info, textNoFileShown)
		return nil
	case read == nil:
		m.tell(ui.Info, "there is no line under the cursor to replace")
		return nil
	}
	store, name := m.options.Store, m.viewer.Path()
	return m.env.Jobs.Start(ownerPrefill, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		line, err := read()
		if err != nil {
			return nil, err
		}
		above := 0
		if store.Dialect() != memstore.TypeScript { // that SDK finds no text of several lines
			if data, why := edits.ReadSmall(store, name); why == "" {
				line, above = form.Around(data, at, line)
			}
		}
		return prefill{memstore.CmdStrReplace, []string{name, line, line}, above}, nil
	})
}

// formOnTop is the form that has the keys.
func (m *Model) formOnTop() *formBox {
	top, _ := m.boxes.Top()
	box, _ := top.Overlay.(*formBox)
	return box
}

// formBelow is the form that is open, also under a question.
func (m *Model) formBelow() *formBox {
	box, _ := ui.OpenOverlay[*formBox](&m.boxes)
	return box
}

// formKey gives a key to the form on top.
func (m *Model) formKey(box *formBox, a keymap.Action, known bool, msg tea.KeyPressMsg) tea.Cmd {
	if !known {
		return box.Type(msg)
	}
	if a.ID == keymap.Help {
		m.openHelp()
		return nil
	}
	cmd, _ := box.Perform(a.ID)
	return cmd
}

// formReceived hands the outcome of a form's job to it.
func (m *Model) formReceived(done ui.Done) tea.Cmd {
	box := m.formBelow()
	switch {
	case box == nil:
		return nil
	case done.Owner == ownerFormDiff:
		return box.diff.Receive(done)
	}
	return box.Receive(done)
}

// prefilled opens the form whose beginning was read, unless something else is open by now.
func (m *Model) prefilled(done ui.Done) tea.Cmd {
	if p, ok := done.Value.(prefill); ok && m.boxes.Len() == 0 && !m.line.Active() {
		cmd := m.openForm(p.command, p.values...)
		if box := m.formOnTop(); box != nil {
			box.GoTo(p.line)
		}
		return cmd
	}
	return nil
}

// formIntent carries out what the form asks for; false: it is another's intent.
func (m *Model) formIntent(intent any) (tea.Cmd, bool) {
	box := m.formBelow()
	if box == nil {
		return nil, false
	}
	switch v := intent.(type) {
	case form.Compare:
		m.commands++
		return box.diff.Show(diffpane.Comparison{
			Key: fmt.Sprintf("form %d", m.commands), Title: v.Title, Path: v.Path, Before: v.Before, After: v.After,
		}), true
	case form.Write:
		d := commandDone{command: v.Command, path: v.Path, seen: v.Before, form: box, expected: v.Result}
		return m.run(d, func() *memstore.Digest { return v.Digest }), true
	case form.Leave:
		m.leaveForm(box, v.Lost)
		return nil, true
	}
	return nil, false
}

const textLeaveLoses = "What you typed is lost. {confirm/yes} leaves, {confirm/no} goes back to it."

func (m *Model) leaveForm(box *formBox, lost bool) {
	if !lost {
		m.closeForm(box)
		return
	}
	m.ask("Leave the form?", m.env.Keyed(textLeaveLoses), func() tea.Cmd {
		m.closeForm(box)
		return nil
	})
}

func (m *Model) closeForm(box *formBox) {
	for _, owner := range []string{form.Owner, ownerFormDiff} {
		m.env.Jobs.Cancel(owner)
	}
	m.boxes.Close(box)
}

// formDone takes the outcome of a command that a form has shown before: what was typed
// goes only when it is written.
func (m *Model) formDone(d commandDone) tea.Cmd {
	if errors.Is(d.result.Err, memstore.ErrChanged) {
		return m.openConflict(d, d.seen)
	}
	if d.result.IsError {
		d.form.Refused(d.result)
		return nil
	}
	m.closeForm(d.form)
	m.tell(ui.Info, d.command.Name+": done, "+d.path)
	if d.result.Content != d.expected.Content { // the preview has not shown this
		m.showResult(d.command.Name, d.result)
	}
	if m.node(d.path) == nil {
		m.awaited = d.path // the watch has not told of it yet
		return nil
	}
	return m.selectPath(d.path, true)
}

// goToAwaited goes to a path that was written by a form, once it is in the tree.
func (m *Model) goToAwaited() tea.Cmd {
	path := m.awaited
	if path == "" || m.node(path) == nil {
		return nil
	}
	m.awaited = ""
	return m.selectPath(path, true)
}

// tellForm tells the open form of changes in the store.
func (m *Model) tellForm(list []past.Revision) tea.Cmd {
	box := m.formBelow()
	if box == nil {
		return nil
	}
	for i := range list {
		if touches(&list[i], box.Path()) {
			return box.Changed()
		}
	}
	return nil
}
