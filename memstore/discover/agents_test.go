package discover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
)

// planted is a machine with the home of every agent.
func planted(system string) (memtest.AgentHome, discover.Machine) {
	home := map[string]string{"linux": "/home/ann", "darwin": "/Users/ann", "windows": `C:\Users\ann`}[system]
	h := memtest.AgentHome{System: system, Home: home, Chosen: true}
	files := fstest.MapFS{}
	for path, text := range h.Files() {
		name := strings.TrimPrefix(strings.ReplaceAll(path, `\`, "/"), "/")
		files[name] = &fstest.MapFile{Data: []byte(text), ModTime: now}
	}
	work := home + "/elsewhere"
	if system == "windows" {
		work = home + `\elsewhere`
	}
	return h, discover.Machine{System: system, Home: home, Files: mapped{system == "windows", work, files}}
}

// line says of a store what the planted home says of it too.
func line(agent, dir, project string, gone bool, files, waiting int) string {
	return fmt.Sprintf("%s at %s of %q, gone %v, %d files, %d waiting", agent, dir, project, gone, files, waiting)
}

func lines(list []discover.Found) (out []string) {
	for _, f := range list {
		if f.Kind == discover.KindChain {
			continue
		}
		text := line(f.Agent, f.Dir, f.Project, f.Stranded, f.Files, len(f.Proposals))
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
		files := max(m.Records, len(m.Files))
		for name := range m.Files {
			if strings.HasSuffix(name, ".patch") { // a proposal isn't a file of the store
				files--
			}
		}
		out = append(out, line(m.Agent, m.Dir, m.Project, m.Gone, files, m.Waiting))
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

// Every memory that was planted from the sources of the agents is found on every system, with its project, and nothing else.
func TestEveryAgentIsFound(t *testing.T) {
	t.Parallel()
	for _, system := range []string{"linux", "darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			h, m := planted(system)
			compare(t, lines(m.Find(t.Context(), nil)), wanted(h))
		})
	}
}

// The same on the disk of this machine, whose files are as they were afterwards.
func TestEveryAgentIsFoundOnDisk(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	h := memtest.AgentHome{System: runtime.GOOS, Home: home, Chosen: true}
	if err := h.Write(time.Now()); err != nil {
		t.Fatal(err)
	}
	before := stamps(t, home)
	compare(t, lines(discover.Local(home, nil).Find(t.Context(), nil)), wanted(h))
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
