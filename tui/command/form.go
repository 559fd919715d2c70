package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/drafts"
	"memcurator/tui/edits"
	"memcurator/tui/form"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// The owners of the jobs around forms.
const (
	ownerFormDiff = "form.diff"
	ownerPrefill  = "prefill"
)

// formBox is an open form with the pane that draws the diff of its preview.
type formBox struct {
	*form.Form
	diff  *diffpane.Pane
	typed *drafts.Typed
}

// Actions open forms for the file in the view.
func (r *Runner) Actions() []ui.Action {
	return []ui.Action{
		{ID: keymap.NewFile, Run: func() tea.Cmd { return r.OpenForm(memstore.CmdCreate, r.Browse().Tree.Folder()) }},
		{ID: keymap.InsertHere, Run: r.insertHere},
		{ID: keymap.ReplaceLine, Run: r.replaceLine, Why: r.Edits.WhyNoWrite},
	}
}

// OpenForm opens the form of a memory command with its first fields filled in.
func (r *Runner) OpenForm(command string, values ...string) tea.Cmd {
	if r.away() || r.Edits.Blocked() {
		return nil
	}
	if len(values) == 0 {
		values = []string{r.formPath(command)}
	}
	box := r.newForm(command, values)
	box.typed = r.Drafts.NewTyped(box.Values())
	r.shell.Open(ui.Box{Overlay: box})
	return box.Init()
}

func (r *Runner) newForm(command string, values []string) *formBox {
	b, diff := r.Browse(), diffpane.New(r.env, ownerFormDiff)
	return &formBox{Form: form.New(r.env, b.Store, command, values, b.Files.Children, diff), diff: diff}
}

// Keep saves the text of the open form, so that it survives the process.
func (r *Runner) Keep() tea.Cmd {
	box := r.formBelow()
	if box == nil {
		return nil
	}
	return box.typed.Keep(box.Command(), box.Values)
}

// Resume offers to resume a form that a killed process left.
func (r *Runner) Resume(left drafts.LeftForm) tea.Cmd {
	if !form.Has(left.Command) {
		return left.Typed.Drop()
	}
	box := r.newForm(left.Command, nil)
	box.Restore(left.Values)
	box.typed = left.Typed
	title := "Resume " + left.Command + " " + ui.PathText(box.Path()) + "?"
	r.shell.OpenUnasked(ui.Box{
		Overlay: overlay.NewQuestionIn(r.env, title, textResume, keymap.Resuming),
		Answers: map[keymap.ID]func() tea.Cmd{
			keymap.Yes: func() tea.Cmd {
				r.shell.Open(ui.Box{Overlay: box})
				return box.Init()
			},
			keymap.DropDraft: left.Typed.Drop,
		},
	})
	return nil
}

const textResume = "memcurator quit before you saved it.\nCancel asks again at the next start."

const textNoFileShown = "No file here. Open one in the view tab"

// insertHere opens the form that inserts after the line under the cursor.
func (r *Runner) insertHere() tea.Cmd {
	view := r.Browse().View
	line, ok := view.Line()
	if !ok {
		r.shell.Tell(ui.Info, textNoFileShown)
		return nil
	}
	return r.OpenForm(memstore.CmdInsert, view.Path(), strconv.Itoa(line))
}

// formPath is the path that a form begins with if none was given: the file in the view,
// or the folder under the cursor for a new one.
func (r *Runner) formPath(command string) string {
	b := r.Browse()
	if command == memstore.CmdCreate {
		return b.Tree.Folder()
	}
	if _, ok := b.View.Line(); ok {
		return b.View.Path()
	}
	return ""
}

// prefill is what a form begins with, read in a job.
type prefill struct {
	values []string
	line   int // of the last value, where the cursor begins; from 0
}

// replaceLine opens a form for the line under the cursor. What is replaced must occur
// only once in the file: if the line alone does not, its neighbors are added.
func (r *Runner) replaceLine() tea.Cmd {
	view, store := r.Browse().View, r.Browse().Store
	at, shown := view.Line()
	read := view.LineReader(edits.ReadLimit)
	switch {
	case !shown:
		r.shell.Tell(ui.Info, textNoFileShown)
		return nil
	case read == nil:
		r.shell.Tell(ui.Info, "No line under the cursor to replace")
		return nil
	}
	name := view.Path()
	return ui.Start(r.env.Jobs, ui.Job[prefill]{
		Owner: ownerPrefill, Label: ui.LabelOpen, Done: r.prefilled,
		Work: func(context.Context, *ui.Progress) (prefill, error) {
			line, err := read()
			if err != nil {
				return prefill{}, err
			}
			above := 0
			if store.Dialect() != memstore.TypeScript { // that SDK finds no text of several lines
				if data, why := edits.ReadSmall(store, name); why == "" {
					line, above = form.Around(data, at, line)
				}
			}
			return prefill{[]string{name, line, line}, above}, nil
		},
	})
}

// prefilled opens the form whose beginning was read, unless something else is open by now.
func (r *Runner) prefilled(p prefill) tea.Cmd {
	if r.Boxes.Len() > 0 || r.Typing() {
		return nil
	}
	cmd := r.OpenForm(memstore.CmdStrReplace, p.values...)
	if box := r.formOnTop(); box != nil {
		box.GoTo(p.line)
	}
	return cmd
}

// formOnTop is the form that has the keys.
func (r *Runner) formOnTop() *formBox {
	top, _ := r.Boxes.Top()
	box, _ := top.Overlay.(*formBox)
	return box
}

// FormOnTop is the form that has the keys, nil if none has.
func (r *Runner) FormOnTop() *form.Form {
	if box := r.formOnTop(); box != nil {
		return box.Form
	}
	return nil
}

// formBelow is the form that is open, also under a question.
func (r *Runner) formBelow() *formBox {
	box, _ := ui.OpenOverlay[*formBox](r.Boxes)
	return box
}

// formReceived hands the outcome of a form's job to it.
func (r *Runner) formReceived(done ui.Done) tea.Cmd {
	box := r.formBelow()
	switch {
	case box == nil:
		return nil
	case done.Owner == ownerFormDiff:
		return box.diff.Receive(done)
	}
	return box.Receive(done)
}

// Receive carries out what the form asks for; false: it is another's intent.
func (r *Runner) Receive(intent any) (cmd tea.Cmd, mine bool) {
	box := r.formBelow()
	if box == nil {
		return nil, false
	}
	switch v := intent.(type) {
	case form.Compare:
		r.count++
		return box.diff.Show(diffpane.Comparison{
			Key: fmt.Sprintf("form %d", r.count), Title: v.Title, Path: v.Path, Before: v.Before, After: v.After,
		}), true
	case form.Write:
		d := run{command: v.Command, path: v.Path, seen: v.Before, form: box, expected: v.Result}
		return r.start(d, v.Digest), true
	case form.Leave:
		return r.leave(box, v.Lost), true
	}
	return nil, false
}

const textLeaveLoses = "The store has not changed."

func (r *Runner) leave(box *formBox, lost bool) tea.Cmd {
	if !lost {
		return r.close(box)
	}
	r.shell.Ask("Discard what you typed?", textLeaveLoses, func() tea.Cmd { return r.close(box) })
	return nil
}

func (r *Runner) close(box *formBox) tea.Cmd {
	for _, owner := range []string{form.Owner, ownerFormDiff} {
		r.env.Jobs.Cancel(owner)
	}
	r.Boxes.Close(box)
	return box.typed.Drop()
}

// formDone takes the outcome of a command that a form has previewed: what was typed
// is discarded only when it is written.
func (r *Runner) formDone(d run) tea.Cmd {
	if errors.Is(d.result.Err, memstore.ErrChanged) {
		return r.openConflict(d, d.seen)
	}
	if d.result.IsError {
		d.form.Refused(d.result)
		return nil
	}
	closed := r.close(d.form)
	r.shell.Tell(ui.Info, d.command.Name+": done, "+d.path)
	if d.result.Content != d.expected.Content { // the preview has not shown this
		r.showResult(d.command.Name, d.result)
	}
	return tea.Batch(closed, r.GoTo(d.path))
}
