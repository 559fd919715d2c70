package drafts

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/ui"
)

// keepAfter is how long after a key what is typed is saved.
const keepAfter = 500 * time.Millisecond

// ownerTyped names the job that saves the text of a form.
const ownerTyped = "form.keep"

// Typed saves the text of a memory command's form in a private copy, like an editor's text, so that it survives a process
// that is killed. Make it with [List.NewTyped].
type Typed struct {
	list    *List
	copy    *editedCopy // nil: nothing is saved yet
	saved   []string
	due     bool // a save is under way
	dropped bool
}

// NewTyped makes the draft of a form that begins with some values.
func (l *List) NewTyped(initial []string) *Typed { return &Typed{list: l, saved: initial} }

// Keep saves the values of the fields soon, if they are not saved yet.
func (t *Typed) Keep(command string, values func() []string) tea.Cmd {
	l := t.list
	if t.due || t.dropped || l.StateDir == "" || l.Dir != l.StateDir || slices.Equal(values(), t.saved) {
		return nil
	}
	t.due = true
	return l.env.After(keepAfter, ui.Call(func() tea.Cmd { return t.save(command, values()) }))
}

func (t *Typed) save(command string, values []string) tea.Cmd {
	if t.dropped {
		return nil
	}
	base, saved := t.list.Dir, t.copy
	return ui.Start(t.list.env.Jobs, ui.Job[*editedCopy]{
		Owner: ownerTyped, Label: labelWrite, Write: true,
		Work: func(context.Context, *ui.Progress) (*editedCopy, error) {
			data, err := json.Marshal(values)
			if err != nil {
				return nil, err
			}
			if saved != nil {
				return saved, saved.Write(data)
			}
			return newForm(base, command, data)
		},
		Done: func(c *editedCopy) tea.Cmd {
			t.copy, t.saved, t.due = c, values, false
			if t.dropped {
				return t.Drop()
			}
			return nil
		},
	})
}

// Drop removes the copy: what was typed is written, or discarded.
func (t *Typed) Drop() tea.Cmd {
	c := t.copy
	t.dropped, t.copy = true, nil
	if c == nil {
		return nil
	}
	return ui.Start(t.list.env.Jobs, ui.Job[struct{}]{
		Owner: ownerTyped, Label: labelWrite, Write: true,
		Work: func(context.Context, *ui.Progress) (none struct{}, _ error) { return none, c.Remove() },
	})
}

// LeftForm is what was typed into a form when its process was killed.
type LeftForm struct {
	Command string
	Values  []string // of the fields
	Typed   *Typed
}

// leftForm reads the copy of a form; not ok: nothing of use is in it. It does I/O.
func (l *List) leftForm(one editorLeftover) (left LeftForm, ok bool) {
	data, err := one.Copy.Read(Limit)
	left = LeftForm{Command: one.Form, Typed: &Typed{list: l, copy: one.Copy}}
	if err != nil || json.Unmarshal(data, &left.Values) != nil || len(left.Values) == 0 {
		return left, false
	}
	left.Typed.saved = left.Values
	return left, true
}
