package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

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

// TestATextThatWasLeftInAnEditorIsOffered: after a kill the next start shows it against the file, and
// a copy without anything new is removed silently.
func TestATextThatWasLeftInAnEditorIsOffered(t *testing.T) {
	for _, key := range []string{"y", "n"} {
		t.Run(key, func(t *testing.T) {
			state := t.TempDir()
			dir := files(t, map[string]string{"a.md": "one\n", "b.md": "b\n", "c.md": "now\n"})
			leave(t, state, "/memories/a.md", "one\n", "one\ntwo\n")
			leave(t, state, "/memories/b.md", "b\n", "b\n")
			leave(t, state, "/memories/c.md", "before\n", "now\n")
			d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, state: state})
			d.sees("Unsaved edit")
			d.sees("+two")
			d.press(key)
			if key == "n" {
				d.holds("a.md", "one\n")
				d.browse().Tree.Select("/memories/a.md")
				d.edits(`for f; do :; done; echo three >> "$f"`)
				d.press("e")
				d.sees("Saved")
				d.holds("a.md", "one\ntwo\nthree\n")
			} else {
				d.sees("Saved")
				d.holds("a.md", "one\ntwo\n")
			}
			d.rest()
			if left, err := filepath.Glob(filepath.Join(state, "edit-*")); err != nil || len(left) != 0 {
				t.Errorf("left are %v, %v", left, err)
			}
		})
	}
}

// What was typed into a form outlasts a process that is killed, and is gone once it is written or discarded.
func TestAFormThatWasLeftIsResumed(t *testing.T) {
	t.Parallel()
	state, dir := t.TempDir(), files(t, map[string]string{"a.md": "a"})
	kept := func(want int) {
		t.Helper()
		if left, err := filepath.Glob(filepath.Join(state, "edit-*")); err != nil || len(left) != want {
			t.Fatalf("left are %v, %v", left, err)
		}
	}
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, state: state})
	d.press("c")
	d.passes(time.Minute)
	kept(0)
	d.press("n", ".", "m", "d", "tab", "one")
	d.passes(time.Minute)
	d.rest()
	d.press("enter", "t", "w", "o")
	d.passes(time.Minute)
	d.rest()
	kept(2)
	d.press("esc", "y")
	d.rest()
	kept(0)

	d.press("c", "n", ".", "m", "d", "tab", "o", "n", "e")
	d.passes(time.Minute)
	d.rest()
	kept(2)
	notes, _ := filepath.Glob(filepath.Join(state, "edit-*.json"))
	note, err := os.ReadFile(notes[0])
	if err != nil {
		t.Fatal(err)
	}
	killed := strings.Replace(string(note), strconv.Itoa(os.Getpid()), "999999999", 1)
	if err := os.WriteFile(notes[0], []byte(killed), 0o600); err != nil {
		t.Fatal(err)
	}
	dropped := t.TempDir()
	if err := os.CopyFS(dropped, os.DirFS(state)); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"n", "y"} {
		d = start(t, setup{dir: dir, w: 110, h: 30, theme: dark, state: state})
		d.sees("Resume create n.md?")
		d.press(key)
		d.lacks("Resume create")
		kept(2)
	}
	d.sees("file_text")
	d.press("ctrl+s")
	d.sees("not written yet")
	d.press("enter")
	d.until("it is written", func() bool { return !d.gone("n.md") })
	d.holds("n.md", "one")
	d.rest()
	kept(0)

	state = dropped
	d = start(t, setup{dir: dir, w: 110, h: 30, theme: dark, state: state})
	d.sees("[d] Drop")
	d.press("d")
	d.lacks("Resume create")
	d.rest()
	kept(0)
}
