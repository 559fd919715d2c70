package session

import (
	"context"
	"os"
	"sync"

	"memcurator/memstore/lint"
	"memcurator/memstore/project"
)

// Project returns what answers claims about the project of a store, as [lint.Source.Project]. The first claim looks the
// project up. Without a project, every claim stands.
func (run *Session) Project(dir string) func(context.Context, []lint.Claim) (lint.Checked, error) {
	found := sync.OnceValue(func() *project.Project {
		if dir == "" {
			return nil
		}
		root := run.Machine().Of(context.Background(), dir).Root
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			root = project.Root(dir)
		}
		if root == "" {
			return nil
		}
		return project.Open(root)
	})
	return func(ctx context.Context, claims []lint.Claim) (lint.Checked, error) {
		if p := found(); p != nil {
			return p.Look(ctx, claims)
		}
		return lint.Checked{}, nil
	}
}
