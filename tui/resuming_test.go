package tui

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/journal"
	"memcurator/memstore/memtest"
)

// begunPurge is an interface on a store where a purge of the token was killed before it did anything.
func begunPurge(t *testing.T) (d *driver, dir, state string) {
	t.Helper()
	state = t.TempDir()
	dir = files(t, map[string]string{"ops.md": "GitHub token: " + hiddenToken + "\n"})
	j, err := journal.Open(state, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.AnnouncePurge(context.Background(), []byte(`{"values":{"`+hiddenToken+`":"github-token"}}`)); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "layout.json"), []byte(`{"version":1,"history":{"command":["create /memories/a `+hiddenToken+`","version"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return start(t, setup{dir: dir, w: 100, h: 30, theme: dark, journal: state, scrub: scrubbingIn(t, state, dir)}), dir, state
}

func TestAPurgeThatWasKilledIsOfferedAtTheStart(t *testing.T) {
	t.Parallel()
	d, dir, state := begunPurge(t)
	d.sees("Resume the purge?")
	d.sees("6 Secrets 1")
	d.golden("purge-left-100x30")
	d.press("y")
	d.sees("Purged 1 value. Verified:")
	if n := memtest.FilesHolding(t, hiddenToken, dir, state); n != 0 {
		t.Errorf("the token is in %d files", n)
	}
	d.press("esc")
	// What was remembered does not come back from the memory of the interface.
	d.press("z", "q")
	d.until("the end", func() bool { return d.quit })
	if n := memtest.FilesHolding(t, hiddenToken, dir, state); n != 0 {
		t.Errorf("after leaving, the token is in %d files", n)
	}
}
