package screen

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore/discover"
)

// titles describes sessions by their IDs, which are also the names of the transcripts beside a store.
func titles(ctx context.Context, m discover.Machine, dir string, sessions []string) map[string]string {
	found := map[string]string{}
	if len(sessions) == 0 {
		return found
	}
	for _, file := range m.Transcripts(ctx, dir) {
		name := filepath.Base(file)
		id := strings.TrimSuffix(name, filepath.Ext(name))
		if !slices.Contains(sessions, id) {
			continue
		}
		if head, err := m.Head(ctx, file); err == nil {
			found[id] = head.Title
		}
	}
	return found
}
