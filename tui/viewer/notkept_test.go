package viewer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
)

// TestUnkeptBytesSayWhy: a text of the past that the journal did not keep says that and why, and nothing of the directory.
func TestUnkeptBytesSayWhy(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "big.md"), []byte("more than four bytes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	j, err := journal.Open(t.TempDir(), journal.Options{Backend: b, MaxFile: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := j.Reconcile(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	then, err := j.Moment(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	s := memstore.New(then, memstore.Options{ReadOnly: true})
	_, err = loadFile(s, "/memories/big.md", "big.md")
	if err == nil {
		t.Fatal("it was kept")
	}
	if d := refusal(s, "/memories/big.md", err); !strings.Contains(d.header, "did not keep the content of this version: the file is larger than the journal keeps") || strings.Contains(d.header, "not available") {
		t.Errorf("shown is %q", d.header)
	}
}
