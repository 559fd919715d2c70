package age_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
)

// Nothing of a name or of a content is found on disk, and equal contents look different.
func TestNothingReadableOnDisk(t *testing.T) {
	ctx := context.Background()
	d, _ := newDir(t)
	s := memstore.New(d, memstore.Options{})
	words := []string{"zebra", "quagga", "okapi", "giraffe", "AGE-SECRET"}
	for _, p := range []string{"/memories/zebra.md", "/memories/quagga/zebra.md", "/memories/quagga/okapi"} {
		if r := s.Create(ctx, p, strings.Repeat("a giraffe and an okapi\n", 4000)); r.IsError {
			t.Fatal(r.Content)
		}
	}
	s.StrReplace(ctx, "/memories/zebra.md", "no such text", "")
	s.Insert(ctx, "/memories/zebra.md", 0, "giraffe")
	s.Rename(ctx, "/memories/quagga/okapi", "/memories/giraffe")
	seen := map[string]string{}
	files := 0
	onDisk(t, d, func(disk string, e fs.DirEntry, data []byte) {
		rest := strings.TrimPrefix(disk, d.Path())
		for _, w := range words {
			if strings.Contains(strings.ToLower(rest), w) || bytes.Contains(data, []byte(w)) {
				t.Errorf("%s shows %q", rest, w)
			}
		}
		if !e.Type().IsRegular() {
			return
		}
		files++
		if len(data) > 64 {
			payload := string(data[len(data)-64:])
			if other, ok := seen[payload]; ok {
				t.Errorf("%s and %s end alike", rest, other)
			}
			seen[payload] = rest
		}
		if info, err := e.Info(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", rest, info.Mode(), err)
		}
	})
	if files != 4 {
		t.Errorf("%d files on disk, want the header and 3", files)
	}
}

func TestDamagedFile(t *testing.T) {
	ctx := context.Background()
	big := strings.Repeat("some text\n", 30000)
	for _, c := range []struct {
		name   string
		damage func(data []byte) []byte
	}{
		{"empty", func([]byte) []byte { return nil }},
		{"a plain text", func([]byte) []byte { return []byte("plain text of somebody else\n") }},
		{"cut in the header", func(d []byte) []byte { return d[:50] }},
		{"cut after the header", func(d []byte) []byte { return d[:190] }},
		{"cut at a chunk", func(d []byte) []byte { return d[:184+65552] }},
		{"cut at the end", func(d []byte) []byte { return d[:len(d)-1] }},
		{"longer", func(d []byte) []byte { return append(d, 0) }},
		{"a bit in the header", func(d []byte) []byte { d[40] ^= 1; return d }},
		{"a bit in the first chunk", func(d []byte) []byte { d[300] ^= 1; return d }},
		{"a bit at the end", func(d []byte) []byte { d[len(d)-1] ^= 1; return d }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := newDir(t)
			s := memstore.New(d, memstore.Options{})
			s.Create(ctx, "/memories/f", big)
			disk := only(t, d)
			s.Create(ctx, "/memories/other", "whole")
			data, err := os.ReadFile(disk)
			must(t, err)
			must(t, os.WriteFile(disk, c.damage(data), 0o600))

			r := s.View(ctx, "/memories/f", nil)
			if !r.IsError || !errors.Is(r.Err, age.ErrDamaged) || strings.Contains(r.Content, d.Path()) {
				t.Errorf("view: %.200q %v", r.Content, r.Err)
			}
			if r := s.Insert(ctx, "/memories/f", 0, "x"); !errors.Is(r.Err, age.ErrDamaged) {
				t.Errorf("insert: %q %v", r.Content, r.Err)
			}
			if err := d.Replace("f", []byte(big), []byte("x")); !errors.Is(err, age.ErrDamaged) {
				t.Errorf("replace: %v", err)
			}
			if r := s.View(ctx, "/memories", nil); r.IsError || !strings.Contains(r.Content, "/memories/f") {
				t.Errorf("listing: %q", r.Content)
			}
			if r := s.View(ctx, "/memories/other", nil); r.IsError {
				t.Errorf("the other file: %q", r.Content)
			}
			if r := s.Delete(ctx, "/memories/f"); r.IsError {
				t.Errorf("delete: %q", r.Content)
			}
		})
	}
}

// What others put into the directory, and what a crash leaves, is not listed and harms
// nothing.
func TestForeignEntries(t *testing.T) {
	ctx := context.Background()
	d, _ := newDir(t)
	s := memstore.New(d, memstore.Options{})
	s.Create(ctx, "/memories/a", "text")
	sealed := only(t, d)
	data, err := os.ReadFile(sealed)
	must(t, err)
	put := func(name string, data []byte) {
		must(t, os.WriteFile(filepath.Join(d.Path(), name), data, 0o600))
	}
	put("notes.md", []byte("plain"))
	put(".tmp-99999999-0123456789abcdef", data[:100]) // a write that was killed
	renamed := []byte(filepath.Base(sealed))
	renamed[0] ^= 1
	put(string(renamed), data)
	must(t, os.Mkdir(filepath.Join(d.Path(), "folder"), 0o700))
	_ = os.Symlink("notes.md", filepath.Join(d.Path(), "link")) // not every system can make links

	if list, err := d.ReadDir("."); err != nil || len(list) != 1 || list[0].Name != "a" || readAll(t, d, "a") != "text" {
		t.Errorf("listed: %v, %v", list, err)
	}
	if r := s.Create(ctx, "/memories/b", "next"); r.IsError {
		t.Fatal(r.Content)
	}
}

// A directory that is not this store any more is not an empty memory.
func TestStoreRemoved(t *testing.T) {
	ctx := context.Background()
	const gone = "Error: The memory directory is not available"
	d, key := newDir(t)
	s := memstore.New(d, memstore.Options{})
	s.Create(ctx, "/memories/a", "text")
	dir, away := d.Path(), d.Path()+".away"
	if err := os.Rename(dir, away); err != nil {
		t.Skip("an open directory cannot be moved here:", err)
	}
	expect := func(when string) {
		t.Helper()
		for _, r := range []memstore.Result{s.View(ctx, "/memories", nil), s.View(ctx, "/memories/a", nil), s.Create(ctx, "/memories/n", "")} {
			if r.Content != gone {
				t.Errorf("%s: %q %v", when, r.Content, r.Err)
			}
		}
	}
	expect("away")
	must(t, os.Mkdir(dir, 0o700))
	expect("an empty directory in its place")
	must(t, os.Remove(dir))
	other, err := age.Create(dir, newKey(t))
	must(t, err)
	other.Close()
	expect("another store in its place")
	must(t, os.RemoveAll(dir))
	must(t, os.Rename(away, dir))
	if r := s.View(ctx, "/memories/a", nil); r.IsError {
		t.Errorf("back again: %q", r.Content)
	}
	s.Close()
	expect("closed")
	_, err = age.Open(dir, key)
	must(t, err)
}

// Two openings of one store, as two processes have them, lose no edit of each other.
func TestTwoWriters(t *testing.T) {
	ctx := context.Background()
	d, key := newDir(t)
	must(t, d.Create("log", []byte("start\n")))
	const each = 30
	var group sync.WaitGroup
	for w := range 2 {
		b, err := age.Open(d.Path(), key)
		must(t, err)
		defer b.Close()
		s := memstore.New(b, memstore.Options{})
		group.Go(func() {
			for i := range each {
				if r := s.Insert(ctx, "/memories/log", 1, fmt.Sprintf("w%d-%d\n", w, i)); r.IsError {
					t.Error(r.Content, r.Err)
				}
			}
		})
	}
	group.Wait()
	if got := strings.Count(readAll(t, d, "log"), "\n"); got != 2*each+1 {
		t.Errorf("%d lines, want %d", got, 2*each+1)
	}
}
