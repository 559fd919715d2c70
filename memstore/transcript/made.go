package transcript

import (
	"context"
	"time"

	"memcurator/memstore/past"
)

// Made is the step that made a revision: the one with its id, else, of those that left the same bytes at its path or deleted it as
// well, the nearest in time; 0: there is none.
func (t *Track) Made(ctx context.Context, r past.Revision) int {
	steps := t.Steps()
	if r.ToolUseID != "" {
		for i, s := range steps {
			if s.ID == r.ToolUseID {
				return i + 1
			}
		}
	}
	best, nearest := 0, time.Duration(0)
	for _, w := range t.Writes(ctx) {
		deleted := w.Sum == nil
		if w.Path != r.Path || deleted == r.After.Exists || !deleted && *w.Sum != r.After.Digest {
			continue
		}
		if away := steps[w.Step-1].When.Sub(r.Time).Abs(); best == 0 || away < nearest {
			best, nearest = w.Step, away
		}
	}
	return best
}
