package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
)

// leave lays a copy into the state folder as a process has left it that was killed with its editor open.
func leave(t *testing.T, state, path, filled, text string) {
	t.Helper()
	dir := filepath.Join(state, "edit-"+filepath.Base(path))
	note := fmt.Sprintf(`{"path":%q,"sha256":%q,"pid":999999999}`, path, memstore.Sum([]byte(filled)))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for at, content := range map[string]string{filepath.Join(dir, filepath.Base(path)): text, dir + ".json": note} {
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// After a kill the next start says which text was not saved, and e resumes it. A copy without anything new is removed silently.
func TestATextThatWasLeftInAnEditorIsResumed(t *testing.T) {
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\n", "b.md": "b\n", "c.md": "now\n"})
	leave(t, state, "/memories/a.md", "one\n", "one\ntwo\n")
	leave(t, state, "/memories/b.md", "b\n", "b\n")
	leave(t, state, "/memories/c.md", "before\n", "now\n")
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, state: state})
	d.sees("An edit of a.md was not saved: e there resumes it")
	d.holds("a.md", "one\n")
	d.browse().Tree.Select("/memories/a.md")
	d.edits(`for f; do :; done; echo three >> "$f"`)
	d.press("e")
	d.sees("Saved")
	d.holds("a.md", "one\ntwo\nthree\n")
	nothingLeft(t, state)
}
