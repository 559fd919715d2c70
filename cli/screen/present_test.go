package screen

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/discover"
)

// A first instruction file, or a first store, in a project without any is noticed, once, and only where the folder has changed.
func TestAFirstStoreInAProjectIsNoticed(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(home, "app")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(project)
	m := discover.Local(home, nil)
	p := placesOf(t.Context(), &m)
	if found := m.Find(t.Context(), nil); len(found) != 0 {
		t.Fatalf("found %v", found)
	}
	if _, known := p.changed[project]; !known {
		t.Fatalf("the working directory is not among %v", p.changed)
	}
	listed := map[string]bool{}
	came := func() bool { return p.cameIn(t.Context(), m, project, listed) }
	if came() {
		t.Error("something came where nothing has changed")
	}
	change := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(project, name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := p.changed[project].Add(time.Second) // where the clock of the disk is coarse
		if err := os.Chtimes(project, at, at); err != nil {
			t.Fatal(err)
		}
	}
	change("main.go")
	if came() {
		t.Error("a file of the project is taken for a store")
	}
	change("AGENTS.md")
	if !came() {
		t.Error("a first AGENTS.md is not noticed")
	}
	if came() {
		t.Error("it is noticed twice")
	}
	listed[filepath.Join(project, "AGENTS.md")] = true
	change("README.md")
	if came() {
		t.Error("what is listed came")
	}
}
