package overview

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"memcurator/memstore/discover"
)

// write makes a file and the folders above it.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRunningIsWhatAProgramSaysOfItself(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "src", "ferry")
	code := filepath.Join(home, "Code", "code.lock")
	claude := discover.Found{Agent: claudeCode, Root: project}
	studio := discover.Found{Agent: vsCode, Dir: filepath.Join(home, "Code", "User", "globalStorage", "github.copilot-chat", "memory-tool", "memories")}
	session := filepath.Join(home, ".claude", "sessions", "1.json")
	of := func(pid int, cwd string) string {
		return fmt.Sprintf(`{"pid":%d,"sessionId":"x","cwd":%q,"startedAt":1}`, pid, cwd)
	}
	const noProcess = 1 << 30 // above every number of a process
	for _, c := range []struct {
		name, lock, session string
		old                 bool // the files were written before this process began
		want                string
	}{
		{"no file", "", "", false, "false false"},
		{"alive", fmt.Sprint(os.Getpid()), of(os.Getpid(), filepath.Join(project, "web")), false, "true true"},
		{"another project", "", of(os.Getpid(), filepath.Join(home, "src", "ferry2")), false, "false false"},
		{"dead", fmt.Sprint(noProcess), of(noProcess, project), false, "false false"},
		{"the number of a later process", fmt.Sprint(os.Getpid()), of(os.Getpid(), project), true, "false false"},
		{"not a number", "code", "{", false, "false false"},
		{"a number that means all processes", "-1", of(-1, project), false, "false false"},
	} {
		if c.old && runtime.GOOS != "linux" {
			continue // when a process began is unknown
		}
		for file, text := range map[string]string{code: c.lock, session: c.session} {
			if err := os.RemoveAll(file); err != nil {
				t.Fatal(err)
			}
			if text == "" {
				continue
			}
			if write(t, file, text); c.old {
				at := time.Now().Add(-240 * time.Hour)
				if err := os.Chtimes(file, at, at); err != nil {
					t.Fatal(err)
				}
			}
		}
		p := programsOf(discover.Local(home, nil))
		if got := fmt.Sprint(p.run(studio), " ", p.run(claude)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if p.run(discover.Found{Agent: "Codex", Root: project}) {
			t.Errorf("%s: of Codex nothing is known", c.name)
		}
	}
}

func TestAWorktreeWithAStoreOfItsOwnIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	home := t.TempDir()
	ferry, tree := filepath.Join(home, "src", "ferry"), filepath.Join(home, "src", "ferry-fix")
	write(t, filepath.Join(ferry, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(tree, ".git"), "gitdir: "+filepath.Join(ferry, ".git", "worktrees", "fix")+"\n")
	for i, root := range []string{ferry, tree} {
		folder := filepath.Join(home, ".claude", "projects", fmt.Sprintf("-p%d", i))
		write(t, filepath.Join(folder, "memory", "MEMORY.md"), "- a note\n")
		write(t, filepath.Join(folder, "s.jsonl"), fmt.Sprintf("{\"type\":\"user\",\"cwd\":%q}\n", root))
	}
	r := &Reader{Machine: discover.Local(home, nil), Opener: newPlain()}
	problems := map[string]string{}
	r.Each(t.Context(), LoadPart, func(row Row) { problems[row.Root] = fmt.Sprint(row.Problems) })
	if got, want := problems[tree], "[Its project is a worktree of "+ferry+", which has a store of its own]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if problems[ferry] != "[]" {
		t.Errorf("the repository itself: %s", problems[ferry])
	}
}
