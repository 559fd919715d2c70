//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// notesOf are the texts of n notes in two folders, and an index that lists them.
func notesOf(n int) map[string]string {
	files, index := map[string]string{}, ""
	for i := range n {
		name := fmt.Sprintf("part-%d/note-%02d.md", i%2, i)
		files[name] = fmt.Sprintf("# Note %d\n%s\n", i, strings.Repeat("text ", 50))
		index += fmt.Sprintf("- [Note %d](%s) — one of many\n", i, name)
	}
	files["MEMORY.md"] = index
	return files
}

// arrived checks that the destination has every note, and the source none.
func arrived(t *testing.T, src, dst string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if read(t, dst, name) != text {
			t.Errorf("%s is %q", name, read(t, dst, name))
		}
		if isIn(src, name) {
			t.Errorf("%s is still in the source", name)
		}
	}
}

// A move that is killed at any moment loses nothing, and the next one finishes it.
func TestAKilledMoveLosesNothing(t *testing.T) {
	t.Parallel()
	program := binary(t)
	for _, after := range []time.Duration{20, 60, 100, 140, 180, 240, 320} {
		files := notesOf(40)
		src, dst := newStore(t, files), newStore(t, nil)
		env := cleanEnv("HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
		c := exec.Command(program, "move", "--yes", src, dst)
		c.Env = env
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(after*time.Millisecond, func() { _ = c.Process.Signal(syscall.SIGKILL) })
		killed := c.Wait() != nil
		kill.Stop()
		for name, text := range files {
			if !isIn(dst, name) && (!isIn(src, name) || name != "MEMORY.md" && read(t, src, name) != text) {
				t.Errorf("killed after %d ms: %s is in neither store", after, name)
			}
		}
		if !killed {
			arrived(t, src, dst, files)
			continue
		}
		c = exec.Command(program, "move", "--yes", src, dst)
		c.Env = env
		if out, err := c.CombinedOutput(); err != nil && isIn(src, "*") {
			t.Errorf("killed after %d ms, the next move: %v\n%s", after, err, out)
		}
		delete(files, "MEMORY.md") // it may have been kept, with the entries that it still has
		arrived(t, src, dst, files)
	}
}

// Two moves of the same notes at once end as one does: every note once, and both succeed or name what the other took.
func TestTwoMovesAtOnce(t *testing.T) {
	t.Parallel()
	program := binary(t)
	files := notesOf(20)
	src, dst := newStore(t, files), newStore(t, nil)
	env := cleanEnv("HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	var both sync.WaitGroup
	var out [2]string
	for i := range out {
		both.Add(1)
		go func() {
			defer both.Done()
			c := exec.Command(program, "move", "--yes", src, dst)
			c.Env = env
			said, _ := c.CombinedOutput()
			out[i] = string(said)
		}()
	}
	both.Wait()
	for name, text := range files {
		if name != "MEMORY.md" && (!isIn(dst, name) || read(t, dst, name) != text) {
			t.Errorf("%s did not arrive whole:\n%s\n%s", name, out[0], out[1])
		}
	}
	for _, said := range out {
		if strings.Contains(said, "Internal error") {
			t.Error(said)
		}
	}
}

// Notes keep their permissions in another store, whichever way they take; only their owner may write them there.
func TestNotesKeepTheirPermissions(t *testing.T) {
	t.Parallel()
	modes := map[string]struct{ was, is os.FileMode }{
		"own.md": {0o600, 0o600}, "read.md": {0o644, 0o644}, "shared.md": {0o666, 0o644}, "run.sh": {0o755 | os.ModeSetuid, 0o755},
		"kept.md": {0o400, 0o400},
	}
	files := map[string]string{}
	for name := range modes {
		files[name] = name
	}
	src := newStore(t, files)
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(src, name), mode.was); err != nil {
			t.Fatal(err)
		}
	}
	ok(t, "exec", src)
	plain := filepath.Join(t.TempDir(), "a.zip")
	ok(t, "export", src, "--bundle", plain)
	for name, args := range map[string][]string{
		"copy": {"copy", src}, "import": {"import", plain},
	} {
		dst := filepath.Join(t.TempDir(), "memories")
		ok(t, append(append(args, dst), "--yes", "--create")...)
		for note, mode := range modes {
			if info, err := os.Lstat(filepath.Join(dst, note)); err != nil || info.Mode() != mode.is {
				t.Errorf("%s: %s has %v, want %v %v", name, note, info.Mode(), mode.is, err)
			}
		}
		if o := do(t, "doctor", dst); o.code != 0 {
			t.Errorf("%s: %+v", name, o)
		}
	}
}
