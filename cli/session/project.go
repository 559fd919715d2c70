package session

import (
	"context"
	"os"
	"sync"

	"memcurator/memstore/discover"
	"memcurator/memstore/lint"
	"memcurator/memstore/project"
)

// Project returns what answers claims about the project of a store, as [lint.Source.Project]. The transcripts beside the store
// name the folder, else its place does; the first claim looks it up. Without a project, every claim stands.
func (run *Session) Project(dir string) func(context.Context, []lint.Claim) (lint.Checked, error) {
	found := sync.OnceValue(func() *project.Project {
		root := projectRoot(run.Machine(), dir)
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

// askedTranscripts is how many of the newest transcripts of a store are asked for their project.
const askedTranscripts = 5

// projectRoot is the folder of the project that a store is of, "" for none.
func projectRoot(m discover.Machine, dir string) string {
	if dir == "" {
		return ""
	}
	ctx := context.Background()
	list := m.Transcripts(ctx, dir)
	for i := len(list) - 1; i >= max(0, len(list)-askedTranscripts); i-- {
		head, err := m.Head(ctx, list[i])
		if err != nil || head.Project == "" {
			continue
		}
		if info, err := os.Stat(head.Project); err == nil && info.IsDir() {
			return head.Project
		}
	}
	return project.Root(dir)
}
