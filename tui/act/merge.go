package act

import (
	"bytes"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/tui/kit"
	"memcurator/tui/merge"
)

// mergeUpTo is the largest text, in bytes, whose conflicts can be resolved in the box.
const mergeUpTo = 1 << 20

// TextKeptCurrent says that the current side of every conflict was chosen.
const TextKeptCurrent = "Nothing changed: you kept the current lines"

// canMerge reports whether every conflict of a plan is between lines, so that the box can resolve it.
func canMerge(p *undo.Plan) bool {
	for _, c := range p.Conflicts {
		if c.Why != undo.WhyChanged || len(c.Regions) == 0 || max(len(c.Base), len(c.Ours), len(c.Theirs)) > mergeUpTo {
			return false
		}
	}
	return len(p.Conflicts) > 0
}

// openMerge resolves the conflicts of a plan file by file and then executes the plan. Leaving any
// file unresolved abandons the whole plan.
func (q *Queue) openMerge(p *undo.Plan, file int) tea.Cmd {
	c := p.Conflicts[file]
	parts := undo.Parts(context.Background(), c.Base, c.Ours, c.Theirs)
	title := merge.Title(actText(p.Command), c.Path, parts)
	if len(p.Conflicts) > 1 {
		title += fmt.Sprintf(" (file %d of %d)", file+1, len(p.Conflicts))
	}
	box := merge.New(q.env, merge.Texts{Title: title, Other: "restored", Leave: "cancel"}, parts)
	write := func() tea.Cmd {
		data, _ := box.Text()
		if !bytes.Equal(data, c.Ours) {
			sum := memstore.Sum(c.Ours)
			step := memstore.Step{Kind: memstore.KindFile, Path: c.Path, Data: data, Expect: &sum}
			p.Steps = append(p.Steps, undo.PlannedStep{Step: step, Undoes: c.Rev, Merged: true})
		}
		if file+1 < len(p.Conflicts) {
			return q.openMerge(p, file+1)
		}
		if len(p.Steps) == 0 {
			q.shell.Tell(kit.Info, TextKeptCurrent)
			return nil
		}
		p.Conflicts = nil
		return q.RunUndo(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
	}
	edit := func() tea.Cmd {
		data, _ := box.Text()
		return q.shell.EditText(c.Path, c.Ours, data)
	}
	q.shell.Open(kit.Box{Overlay: box, Answers: map[keymap.ID]func() tea.Cmd{keymap.Yes: write, keymap.Edit: edit}})
	return nil
}
