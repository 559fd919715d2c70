package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

func TestCopy(t *testing.T) {
	t.Parallel()
	src := newStore(t, map[string]string{"notes/a.md": "a\n", "b.md": "mine\n"})
	dst := newStore(t, map[string]string{"b.md": "theirs\n"})
	before := memtest.DescribeDisk(t, src) + memtest.DescribeDisk(t, dst)
	do(t, "copy", src, dst).sentence(t, 2, "Not a terminal. Pass --yes to copy")
	if o := (call{args: []string{"copy", src, dst}, tty: true, stdin: "n\n"}).run(t); o.code != 1 ||
		!strings.Contains(o.err, "Copy 1 note (2B) to "+dst+"? undo reverts it [y/N]") {
		t.Errorf("%+v", o)
	}
	if got := memtest.DescribeDisk(t, src) + memtest.DescribeDisk(t, dst); got != before {
		t.Errorf("nothing was confirmed, and there is\n%swant\n%s", got, before)
	}
	if o := do(t, "copy", "--yes", src, dst); o.code != 1 || !strings.Contains(o.err, "Copied 1 note (2B) to "+dst+". Undo with: ") ||
		!strings.Contains(o.out, "conflict       5B  b.md: it has other text there") {
		t.Errorf("%+v", o)
	}
	if text := read(t, dst, "notes/a.md") + read(t, dst, "b.md"); text != "a\ntheirs\n" {
		t.Errorf("%q", text)
	}
	rows := jsonOf(t, ok(t, "copy", "--yes", "--json", "--replace", src, dst))
	for key, want := range map[string]any{"action": "replace", "path": "/memories/b.md", "bytes": 5.0, "result": "done", "why": nil} {
		if rows[0][key] != want {
			t.Errorf("%s is %v, want %v", key, rows[0][key], want)
		}
	}
	if o := do(t, "copy", "--yes", src, dst); o.code != 0 || !strings.Contains(o.err, "Nothing to copy") {
		t.Errorf("%+v", o)
	}
	for range 2 {
		if o := do(t, "undo", dst); o.code != 0 || !strings.Contains(o.err, "Undid copy ") {
			t.Errorf("%+v", o)
		}
	}
	if got := memtest.DescribeDisk(t, src) + memtest.DescribeDisk(t, dst); got != before {
		t.Errorf("after the undo there is\n%swant\n%s", got, before)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	must(t, err)
	return string(data)
}

func TestMove(t *testing.T) {
	t.Parallel()
	src, dst := newStore(t, map[string]string{"notes/a.md": "a\n", "b.md": "b\n"}), newStore(t, nil)
	before := memtest.DescribeDisk(t, src) + memtest.DescribeDisk(t, dst)
	o := do(t, "move", "--yes", src, "notes/a.md", dst)
	if o.code != 0 || !strings.Contains(o.err, "Moved 1 note (2B) to "+dst+". Undo with: memcurator undo "+src+" && memcurator undo "+dst+"\n") {
		t.Errorf("%+v", o)
	}
	if text := read(t, dst, "notes/a.md"); text != "a\n" {
		t.Errorf("%q", text)
	}
	if _, err := os.Stat(filepath.Join(src, "notes")); err == nil {
		t.Error("the folder that the move emptied is still there")
	}
	ok(t, "undo", src)
	ok(t, "undo", dst)
	if got := memtest.DescribeDisk(t, src) + memtest.DescribeDisk(t, dst); got != before {
		t.Errorf("after the undo there is\n%swant\n%s", got, before)
	}
	made := filepath.Join(t.TempDir(), "new", "memories")
	do(t, "move", "--yes", src, made).sentence(t, 1, "No directory "+made)
	if o := do(t, "move", "--yes", "--create", src, made); o.code != 0 || read(t, made, "b.md") != "b\n" {
		t.Errorf("%+v", o)
	}
}

// The secrets of a note stay out of a store that masks them, and the only whole text stays where it is.
func TestMoveMasksAsTheDestinationDoes(t *testing.T) {
	t.Parallel()
	value := "ghp_" + strings.Repeat("aB3", 12)
	src, dst := newStore(t, map[string]string{"a.md": "token: " + value + "\n"}), newStore(t, nil)
	config := writeConfig(t, "[stores.dst]\ndir = \""+dst+"\"\n[stores.dst.scrub]\non_write = \"mask\"\n")
	o := do(t, "move", "--yes", "--config", config, src, dst)
	if o.code != 1 || !strings.Contains(o.out, "kept") || !strings.Contains(o.out, "a rule there masks values in it") ||
		strings.Contains(read(t, dst, "a.md"), value) || !strings.Contains(read(t, src, "a.md"), value) {
		t.Errorf("%+v\n%s", o, read(t, dst, "a.md"))
	}
	refuses := writeConfig(t, "[stores.dst]\ndir = \""+dst+"\"\n[stores.dst.scrub]\non_write = \"refuse\"\n")
	ok(t, "undo", dst)
	if o := do(t, "move", "--yes", "--config", refuses, src, dst); o.code != 1 ||
		!strings.Contains(o.out, "skip          48B  a.md: The text holds a sensitive value in line 1") {
		t.Errorf("%+v", o)
	}
}
