package dir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/backend"
)

// A lazy directory answers every name as an open one does, whether it is read by its path or takes more than that.
func TestLazyReadsWhatAnOpenDirectoryReads(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "store")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(root, "folder"), 0o700),
		os.WriteFile(filepath.Join(parent, "outside.md"), []byte("not yours"), 0o600),
		os.WriteFile(filepath.Join(root, "note.md"), []byte("a note"), 0o600),
		os.WriteFile(filepath.Join(root, "folder", "deep.md"), []byte("deep"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"in.md": "note.md", "out.md": "../outside.md", "loop.md": "loop.md", "lost.md": "lost"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	open, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for _, name := range []string{"note.md", "folder", "folder/deep.md", "in.md", "out.md", "loop.md", "lost.md", "gone.md", "", ".", "..",
		"../outside.md", "note.md/", "a\x00b"} {
		lazy, err := Open(root, Options{Lazy: true})
		if err != nil {
			t.Fatal(err)
		}
		got, gotErr := backend.ReadFile(lazy, name, backend.Look, 1<<10)
		want, wantErr := backend.ReadFile(open, name, backend.Look, 1<<10)
		if string(got) != string(want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%q: %q, %v; an open directory: %q, %v", name, got, gotErr, want, wantErr)
		}
		for _, kind := range []error{backend.ErrEscapes, backend.ErrNotExist, backend.ErrNotRegular, backend.ErrLinkLoop} {
			if errors.Is(gotErr, kind) != errors.Is(wantErr, kind) {
				t.Errorf("%q: %v; an open directory: %v", name, gotErr, wantErr)
			}
		}
		_ = lazy.Close()
		if _, err := lazy.Open("note.md", backend.Look); !errors.Is(err, backend.ErrUnavailable) {
			t.Errorf("after Close: %v", err)
		}
	}
}

func TestLazyReportsAMissingDirectoryWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	d, err := Open(filepath.Join(t.TempDir(), "gone"), Options{Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Open("note.md", backend.Look); !errors.Is(err, backend.ErrUnavailable) || !errors.Is(err, backend.ErrNotExist) {
		t.Error(err)
	}
	if _, err := d.ReadDir(""); !errors.Is(err, backend.ErrUnavailable) {
		t.Error(err)
	}
}
