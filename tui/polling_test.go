package tui

import (
	"testing"

	"memcurator/memstore/watch"
)

// TestPollingIsShown: the top bar says that folders are polled, and a message once why.
func TestPollingIsShown(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "text\n"}), w: 120, h: 35, theme: dark})
	note := "The file system (NFS) doesn't report all changes. Edits by other programs show up within 2 seconds"
	d.run(d.m.takeUpdate(updateMsg{Snapshot: d.m.store.Snapshot, State: watch.Polling, Note: note}))
	d.sees("○ polling")
	d.sees(note)
	d.run(d.m.takeUpdate(updateMsg{Snapshot: d.m.store.Snapshot, State: watch.Live}))
	d.sees("● live")
}
