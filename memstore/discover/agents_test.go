package discover_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
	"memcurator/memstore/memtest/dbtest"
)

// line says of a store what the planted home says of it too.
func line(agent, dir, project string, gone bool, files int) string {
	return fmt.Sprintf("%s at %s of %q, gone %v, %d files", agent, dir, project, gone, files)
}

func lines(list []discover.Found) (out []string) {
	for _, f := range list {
		if f.Kind == discover.KindInstructions {
			continue
		}
		text := line(f.Agent, f.Dir, f.Project, f.Stranded, f.Files)
		if f.Problem != "" {
			text += ": " + f.Problem
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

func wanted(h memtest.AgentHome) (out []string) {
	for _, m := range h.Memories() {
		out = append(out, line(m.Agent, m.Dir, m.Project, m.Gone, max(m.Records, len(m.Files))))
	}
	slices.Sort(out)
	return out
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Error("found, but not planted:", g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Error("planted, but not found:", w)
		}
	}
}

// Every memory that was planted from the sources of the agents is found with its project, and nothing else. The files are as they were
// afterwards.
func TestEveryAgentIsFound(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	h := memtest.AgentHome{Home: home}
	if err := h.Write(time.Now()); err != nil {
		t.Fatal(err)
	}
	database := filepath.Join(home, ".claude-memory/memory.db")
	if err := errors.Join(os.Mkdir(filepath.Dir(database), 0o700), dbtest.WriteCCMemory(database, time.Now(), false)); err != nil {
		t.Fatal(err)
	}
	before := stamps(t, home)
	compare(t, lines(discover.Local(home, nil).Find(t.Context(), nil)), append(wanted(h), line("cc-memory", database, "", false, 30)))
	for path, stamp := range stamps(t, home) {
		if before[path] != stamp {
			t.Errorf("%s: was %s, is %s", path, before[path], stamp)
		}
	}
}

// stamps are the sizes, modes and times of all files and folders.
func stamps(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		out[path] = fmt.Sprint(info.Size(), info.Mode(), info.ModTime())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
