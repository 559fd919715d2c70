package journal

import (
	"context"
	"testing"
)

// TestUndoKnowsWhatHappenedSince: what was undone since, with its undo, counts as nothing; what others did counts.
func TestUndoKnowsWhatHappenedSince(t *testing.T) {
	d := newDesk(t)
	d.reconcile()
	since := func(want int) {
		t.Helper()
		d.j.Flush()
		p, err := d.editor().PlanUndo(context.Background())
		d.must(err)
		if p.Since.Count != want || (want > 0) != (p.Since.Newest.Rev != 0) || p.Made.IsZero() {
			t.Errorf("%d changes since, want %d: %+v", p.Since.Count, want, p.Since.Newest)
		}
	}
	d.as("curator", create("/memories/a.md", "a\n"))
	d.as("curator", create("/memories/b.md", "b\n"))
	since(0)
	d.undo()
	since(0) // b.md is as if it had not been
	d.redo()
	since(0)
	d.do(create("/memories/agent.md", "x\n"))
	since(0) // another file
	d.do(create("/memories/b.md", "b\n2\n3\n4\n5\n6\n"))
	since(1)
}
