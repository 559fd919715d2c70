package edits

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/merge"
	"memcurator/tui/ui"
)

import ()

// mergeUpTo bounds a text whose conflicts are decided in the box, in bytes.
const mergeUpTo = 1 << 20

// canMerge reports whether every conflict of a plan is one of lines, to be decided in the box.
func canMerge(p *undo.Plan) bool {
	for _, c := range p.Conflicts {
		if c.Why != undo.WhyChanged || len(c.Regions) == 0 || max(len(c.Base), len(c.Ours), len(c.Theirs)) > mergeUpTo {
			return false
		}
	}
	return len(p.Conflicts) > 0
}

// openMerge decides the conflicts of a plan, file by file, and then carries it out. Leaving any of
// them leaves everything as it is.
func (q *Queue) openMerge(p *undo.Plan, file int) tea.Cmd {
	c := p.Conflicts[file]
	parts := undo.Parts(context.Background(), c.Base, c.Ours, c.Theirs)
	title := mergeTitle(p.Command, text.Clean(c.Path), file+1, len(p.Conflicts))
	box := merge.New(q.env, title, parts)
	write := func() tea.Cmd {
		data, _ := box.Text()
		sum := memstore.Sum(c.Ours)
		step := memstore.Step{Kind: memstore.KindFile, Path: c.Path, Data: data, Expect: &sum}
		p.Steps = append(p.Steps, undo.PlannedStep{Step: step, Undoes: c.Rev, Merged: true})
		if file+1 < len(p.Conflicts) {
			return q.openMerge(p, file+1)
		}
		p.Conflicts = nil
		return q.RunUndo(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
	}
	edit := func() tea.Cmd {
		data, _ := box.Text()
		return q.EditText(c.Path, c.Ours, data)
	}
	q.shell.Open(ui.Box{Overlay: box, Answers: map[keymap.ID]func() tea.Cmd{keymap.Yes: write, keymap.Edit: edit}})
	return nil
}

// mergeTitle heads the box; file counts from 1, files is how many there are.
func mergeTitle(command, path string, file, files int) string {
	title := command + ": " + path
	if files > 1 {
		title += fmt.Sprintf(" (file %d of %d)", file, files)
	}
	return title
}
