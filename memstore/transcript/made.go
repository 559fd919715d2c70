package transcript

import (
	"context"
	"time"

	"memcurator/memstore/past"
)

// Made is the step that made a revision: the one with its id, else, of those that left the same bytes at its path, the nearest in
// time; 0: there is none.
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
	for _, w := range t.Writes(ctx, 0) {
		if w.Path != r.Path || w.Sum == nil || *w.Sum != r.After.Digest || !r.After.Exists {
			continue
		}
		if away := steps[w.Step-1].When.Sub(r.Time).Abs(); best == 0 || away < nearest {
			best, nearest = w.Step, away
		}
	}
	return best
}
