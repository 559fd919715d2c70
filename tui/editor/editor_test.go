package editor_test

import (
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
	"memcurator/tui/editor"
)

func TestReadLoadsOnlyWhatTheEditorCanKeep(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"text.md": "one\ntwo", "empty.md": "", "binary.bin": "a\x00b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = backend.Close() }()
	store := memstore.New(backend, memstore.Options{})
	for _, c := range []struct {
		path, data string
		refused    bool
	}{
		{"/memories/text.md", "one\ntwo", false},
		{"/memories/empty.md", "", false},
		{"/memories/binary.bin", "", true},
		{"/memories/folder", "", true},
		{"/memories/missing.md", "", true},
		{"/elsewhere", "", true},
	} {
		data, why := editor.Read(store, c.path)
		if string(data) != c.data || why != "" != c.refused {
			t.Errorf("%s: %q, %q", c.path, data, why)
		}
	}
}
