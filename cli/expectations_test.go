//go:build linux || darwin

package cli

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// What people expect of a terminal program and a real terminal shows; the numbers go on from tui/expectations_test.go.

// A shell with job control stops the program by its own key and brings it back.
func TestExpectation23SuspendAndReturn(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell with job control")
	}
	dir := newStore(t, map[string]string{"alpha.md": "first line\n"})
	s := openTerminal(t, nil, shell, "-c", `set -m; "$0" "$1"; printf 'it %s\n' stopped; until fg >/dev/null; do :; done; printf 'it %s\n' ended`,
		binary(t), dir)
	s.await("alpha.md")
	s.press("\x1a")
	s.await("it stopped")
	begin := strings.Index(s.text(), "it stopped")
	if before := s.text()[:begin]; strings.LastIndex(before, leaveAlternate) < strings.LastIndex(before, enterAlternate) {
		t.Error("the shell got the alternate screen")
	}
	// In Bubble Tea 2.1.1 the goroutine that draws stops its ticker after it has told that it ended. Stopped in between, it stops the
	// ticker of the next one and nothing is drawn; a second time helps. A busy machine showed it once.
	for deadline := time.Now().Add(patience / 3); time.Now().Before(deadline) && !strings.Contains(s.text()[begin:], enterAlternate); {
		time.Sleep(10 * time.Millisecond)
	}
	if !strings.Contains(s.text()[begin:], enterAlternate) {
		s.press("\x1a")
	}
	s.awaitAfter(begin, enterAlternate)
	s.awaitAfter(begin, "alpha.md")
	s.press("q")
	s.awaitAfter(begin, "it ended")
	s.leaves(0)
}

// Without a shell nobody would bring the program back.
func TestSuspendNeedsAShell(t *testing.T) {
	t.Parallel()
	s := openScreen(t, nil, newStore(t, map[string]string{"alpha.md": "first line\n"}))
	s.await("alpha.md")
	s.press("\x1a")
	s.await("No shell to return to")
	s.press("q")
	s.leaves(0)
}

// At rest nothing is drawn: no clock, no spinner, no blinking of ours.
func TestExpectation29NothingIsDrawnAtRest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for some seconds of silence")
	}
	dir := newStore(t, map[string]string{"alpha.md": "first line\n"})
	s := openScreen(t, nil, dir)
	s.await("alpha.md")
	const silence = 3 * time.Second
	for deadline := time.Now().Add(patience); ; {
		before := len(s.text())
		time.Sleep(silence) // silence cannot be waited for in any other way
		if len(s.text()) == before {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("never silent: %q", s.text()[before:])
		}
	}
	s.press("q")
	s.leaves(0)
}
