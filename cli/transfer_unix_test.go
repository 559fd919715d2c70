//go:build unix

package cli

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// notesOf are the texts of n notes in two folders.
func notesOf(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		name := fmt.Sprintf("part-%d/note-%02d.md", i%2, i)
		files[name] = fmt.Sprintf("# Note %d\n%s\n", i, strings.Repeat("text ", 50))
	}
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
	for _, after := range []time.Duration{20, 80, 160, 320} {
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
			if !isIn(dst, name) && (!isIn(src, name) || read(t, src, name) != text) {
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
		arrived(t, src, dst, files)
	}
}
