package dir

import (
	"os"
	"testing"

	"memcurator/memstore/backend"
)

// Links are followed where they are relative and stay inside; nothing outside is read, written or told of.
func TestLinks(t *testing.T) {
	outside := t.TempDir()
	must(t, os.WriteFile(outside+"/secret.md", []byte("secret"), 0o600))
	d := openTestDir(t)
	plant(t, d, "notes/real.md", "text")
	for name, target := range map[string]string{
		"near": "notes/real.md", "folder": "notes", "notes/up": "../notes/./real.md", "chain": "near", "dangling": "none.md", "loop": "loop",
		"out": "../" + "x", "absolute": outside + "/secret.md", "home": outside, "inside": d.Path() + "/notes/real.md",
	} {
		if err := os.Symlink(target, onDisk(d, name)); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	for name, real := range map[string]string{
		"near": "notes/real.md", "folder/real.md": "notes/real.md", "notes/up": "notes/real.md", "chain": "notes/real.md",
	} {
		if got := readAll(t, d, name); got != "text" {
			t.Errorf("%s holds %q", name, got)
		}
		if got, err := d.Resolve(name, true); err != nil || got != real {
			t.Errorf("%s leads to %q, %v", name, got, err)
		}
	}
	must(t, d.Replace("chain", []byte("text"), []byte("new")))
	must(t, d.Create("folder/made.md", []byte("x")))
	if got := readAll(t, d, "notes/real.md") + readAll(t, d, "notes/made.md"); got != "newx" {
		t.Errorf("through links %q was written", got)
	}
	for name, want := range map[string]error{
		"dangling": backend.ErrNotExist, "loop": backend.ErrLinkLoop, "out": backend.ErrEscapes, "absolute": backend.ErrEscapes,
		"home/secret.md": backend.ErrEscapes, "inside": backend.ErrEscapes,
	} {
		_, err := d.Open(name, backend.Use)
		wantErr(t, "Open "+name, err, want)
		_, err = d.Stat(name)
		wantErr(t, "Stat "+name, err, want)
	}
	wantErr(t, "Create through a link that leads out", d.Create("home/new.md", nil), backend.ErrEscapes)
	wantErr(t, "Replace through a link that leads out", d.Replace("absolute", []byte("secret"), nil), backend.ErrEscapes)
	for _, name := range []string{"absolute", "home", "loop", "dangling"} {
		must(t, d.Remove(name))
	}
	if text, err := os.ReadFile(outside + "/secret.md"); err != nil || string(text) != "secret" {
		t.Errorf("outside is now %q, %v", text, err)
	}
}
