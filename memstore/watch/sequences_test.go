package watch

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestSequences does to a store what programs do, and expects what a person
// would say that they did. The table of what is recorded for which difference is the journal's.
func TestSequences(t *testing.T) {
	t.Parallel()
	files := []string{"a.md", "b.md", "d/x.md", "d/y.md", "d/sub/z.md", "empty/"}
	rewrite := func(f *follower, name, text string) {
		file, err := os.OpenFile(f.path(name), os.O_WRONLY|os.O_TRUNC, 0)
		must(f.t, err)
		_, err = file.WriteString(text)
		must(f.t, err)
		must(f.t, file.Close())
	}
	byTemp := func(f *follower, temp, name, text string) {
		temp = filepath.ToSlash(filepath.Join(filepath.Dir(name), temp))
		f.write(temp, text)
		f.rename(temp, name)
	}
	tests := []struct {
		name string
		do   func(f *follower)
		want []string
	}{
		{"new file in new folders", func(f *follower) { f.write("p/q/r/n.md", "new") }, []string{"external create p/q/r/n.md"}},
		{"truncate and write", func(f *follower) { rewrite(f, "a.md", "other") }, []string{"external edit a.md"}},
		{"an SDK's temporary file", func(f *follower) {
			byTemp(f, ".tmp-4711-0f8fad5b-d9cb-469f-a165-70867728950e", "d/x.md", "other")
		}, []string{"external edit d/x.md"}},
		{"an editor's backup", func(f *follower) {
			f.rename("a.md", "a.md~")
			f.write("a.md", "edited")
			f.remove("a.md~")
		}, []string{"external edit a.md"}},
		{"same bytes", func(f *follower) { rewrite(f, "a.md", f.text("a.md")) }, nil},
		{"made and removed", func(f *follower) { f.write("n.md", "x"); f.remove("n.md") }, nil},
		{"rename", func(f *follower) { f.rename("a.md", "n.md") }, []string{"external rename a.md -> n.md"}},
		{"rename a folder into a new one", func(f *follower) {
			mkdir(f.t, f.path("new"))
			f.rename("d", "new/e")
		}, []string{"external rename d -> new/e/"}},
		{"rename a folder and edit in it", func(f *follower) {
			f.rename("d", "e")
			f.write("e/x.md", "other")
			f.rename("e/y.md", "e/w.md")
		}, []string{"external rename d -> e/", "external rename e/y.md -> e/w.md", "external edit e/x.md"}},
		{"delete a folder", func(f *follower) { f.remove("d") }, []string{
			"external delete d/sub/z.md", "external delete d/sub/", "external delete d/x.md", "external delete d/y.md", "external delete d/",
		}},
		{"a file becomes a folder", func(f *follower) { f.remove("a.md"); f.write("a.md/n.md", "x") },
			[]string{"external delete a.md", "external create a.md/n.md"}},
		{"move a folder in", func(f *follower) {
			mkdir(f.t, filepath.Join(f.dir, "..", "in", "s"))
			must(f.t, os.WriteFile(filepath.Join(f.dir, "..", "in", "s", "n.md"), []byte("x"), 0o600))
			must(f.t, os.Rename(filepath.Join(f.dir, "..", "in"), f.path("in")))
		}, []string{"external create in/s/n.md"}},
		{"an old temporary file is not a write in progress", func(f *follower) {
			mkdir(f.t, filepath.Join(f.dir, "..", "in"))
			must(f.t, os.WriteFile(filepath.Join(f.dir, "..", "in", ".tmp-1-evil.md"), []byte("x"), 0o600))
			must(f.t, os.Chtimes(filepath.Join(f.dir, "..", "in", ".tmp-1-evil.md"), time.Now(), time.Now().Add(-time.Hour)))
			must(f.t, os.Rename(filepath.Join(f.dir, "..", "in"), f.path("in")))
		}, []string{"external create in/.tmp-1-evil.md"}},
		{"odd names", func(f *follower) { f.write("...", "x"); f.write(" 日本%2f \n.md", "y"); f.write("...d/..../f", "z") }, []string{
			"external create  日本%2f \n.md", "external create ...", "external create ...d/..../f",
		}},
	}
	for _, test := range tests {
		for way, options := range map[string]Options{"": {}, " polled": polled()} {
			t.Run(test.name+way, func(t *testing.T) {
				t.Parallel()
				f := follow(t, options, files...)
				f.atOnce(func() { test.do(f) })
				f.expect(test.want...)
				f.check()
			})
		}
	}
}

// polled is a system without watches, whose polls follow on each other.
func polled() Options {
	return Options{system: system{add: func(string) error { return syscall.ENOSPC }, pollEach: time.Millisecond}}
}
