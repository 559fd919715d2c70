package edits

import (
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/undo"
)

// Question and message count the same: the changes that are undone, and each file once.
func TestExtentCountsChangesAndFiles(t *testing.T) {
	t.Parallel()
	sum := memstore.Sum(nil)
	step := func(rev int64, s memstore.Step) undo.PlannedStep {
		s.Kind, s.Path = memstore.KindFile, memstore.Root+"/"+s.Path
		if s.OldPath != "" {
			s.OldPath = memstore.Root + "/" + s.OldPath
		}
		return undo.PlannedStep{Step: s, Undoes: rev}
	}
	e := extentOf([]undo.PlannedStep{
		step(9, memstore.Step{Path: "a.md", Expect: &sum}),
		step(8, memstore.Step{Path: "a.md", Expect: &sum}),
		step(7, memstore.Step{Path: "b.md", OldPath: "c.md", Expect: &sum}),
		step(6, memstore.Step{Path: "d.md"}),
		step(5, memstore.Step{Path: "e.md", Remove: true, Expect: &sum}),
		step(4, memstore.Step{Path: "f.md"}),
		step(3, memstore.Step{Path: "f.md", Remove: true, Expect: &sum}),
	})
	if got, want := e.changesText(), "7 changes in 4 files"; got != want {
		t.Errorf("changes %q, want %q", got, want)
	}
	if got, want := e.actsText(), "1 deletion, 1 move, 1 edit, 1 creation"; got != want {
		t.Errorf("acts %q, want %q", got, want)
	}
	one := extentOf([]undo.PlannedStep{step(2, memstore.Step{Path: "d.md"})})
	if got, want := one.reversed().actsText(), "the deletion of d.md"; got != want {
		t.Errorf("undone %q, want %q", got, want)
	}
}
