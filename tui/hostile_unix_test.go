//go:build unix

package tui

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"memcurator/memstore"
	"memcurator/render/text"
)

func TestFileBecomesAPipeWhileItIsShown(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "text\n"}), w: 120, h: 24, theme: dark})
	d.opens("/memories/a.md")
	file := filepath.Join(d.dir, "a.md")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	want := text.Clean(memstore.ViewError(memstore.Docs, "/memories/a.md", memstore.ErrNotRegular))
	d.sees(want)
	d.press("G", "$", "w", "G")
	d.lacks("     1  text")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	d.sees("files and directories up to 2 levels deep") // the file is gone: its folder is open
	d.write("a.md", "back again\n")
	d.until("the file is back", func() bool { return d.m.store.Snapshot.Find("/memories/a.md") != nil })
	d.opens("/memories/a.md")
	d.sees("     1  back again")
}
