package curate

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFoldersCompleteAPath(t *testing.T) {
	home, sep := t.TempDir(), string(os.PathSeparator)
	for _, dir := range []string{"notes/memory", "notes/memo", "notes/.hidden", "notes/with space", "note-book", "notes/\x1b[31m"} {
		if err := os.MkdirAll(filepath.Join(home, filepath.FromSlash(dir)), 0o700); err != nil {
			t.Skip("names of this test are refused here:", err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "notes", "mem.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "note-book"), filepath.Join(home, "notes", "mem-link")); err != nil {
		t.Skip("links can't be made here:", err)
	}
	for typed, want := range map[string][]string{
		"~":                                    {"~" + sep},
		"~/no":                                 {"~/note-book" + sep, "~/notes" + sep},
		"~/notes/m":                            {"~/notes/mem-link" + sep, "~/notes/memo" + sep, "~/notes/memory" + sep},
		"~/notes/":                             {"~/notes/mem-link" + sep, "~/notes/memo" + sep, "~/notes/memory" + sep},
		"~/notes/.":                            {"~/notes/.hidden" + sep},
		filepath.Join(home, "notes", "memory"): {filepath.Join(home, "notes", "memory") + sep},
		"~/notes/mem.md/x":                     nil,
		"~/gone/x":                             nil,
	} {
		if got := Folders(typed, home, false); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}
