//go:build linux || darwin

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"memcurator/cli/session"

	"github.com/creack/pty"
	"golang.org/x/term"
)

const (
	enterAlternate = "\x1b[?1049h"
	leaveAlternate = "\x1b[?1049l"
	// patience bounds a wait for something that must come, on a machine under any load.
	patience = 2 * time.Minute
)

// display is the program in a pseudo-terminal.
type display struct {
	t      testing.TB
	cmd    *exec.Cmd
	tty    *os.File
	before *term.State
	ended  chan struct{}

	mu   sync.Mutex
	seen strings.Builder
	at   time.Time // when the last of it came
	grid *grid
	news chan struct{}
}

// The size of the terminal.
const screenWidth, screenHeight = 100, 30

// openScreen starts the program on a terminal.
func openScreen(t *testing.T, env []string, args ...string) *display {
	t.Helper()
	return openTerminal(t, env, binary(t), args...)
}

// openTerminal starts any program on a terminal of 100 columns and 30 rows.
func openTerminal(t *testing.T, env []string, bin string, args ...string) *display {
	t.Helper()
	return openSized(t, screenWidth, screenHeight, env, bin, args...)
}

// openSized is openTerminal with another size.
func openSized(t testing.TB, w, h uint16, env []string, bin string, args ...string) *display {
	t.Helper()
	s := &display{t: t, ended: make(chan struct{}), news: make(chan struct{}, 1), grid: newGrid(int(w), int(h))}
	ours, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer tty.Close()
	s.tty = ours
	t.Cleanup(func() { ours.Close() })
	must(t, pty.Setsize(ours, &pty.Winsize{Rows: h, Cols: w}))
	s.before, err = term.GetState(int(tty.Fd()))
	must(t, err)
	s.cmd = exec.CommandContext(t.Context(), bin, args...)
	s.cmd.Env = cleanEnv(append([]string{"TERM=xterm-256color", "LANG=C.UTF-8"}, env...)...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, s.cmd.Start())
	go s.read()
	return s
}

// read collects the output until the terminal has no writer left.
func (s *display) read() {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.at = time.Now()
		s.seen.Write(buf[:n])
		_, _ = s.grid.Write(buf[:n]) // never fails
		s.mu.Unlock()
		select {
		case s.news <- struct{}{}:
		default:
		}
		if err != nil {
			close(s.ended)
			return
		}
	}
}

func (s *display) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.String()
}

// await waits until the output contains all of the texts.
func (s *display) await(texts ...string) {
	s.t.Helper()
	limit := time.After(patience)
	for {
		missing := ""
		for _, text := range texts {
			if !strings.Contains(s.text(), text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		select {
		case <-s.news:
		case <-s.ended:
			if strings.Contains(s.text(), missing) {
				continue
			}
			s.t.Fatalf("the program ended without %q: %q", missing, s.text())
		case <-limit:
			s.t.Fatalf("no %q on the screen: %q", missing, s.text())
		}
	}
}

// awaitAfter waits until text comes after a place in the output, in bytes.
func (s *display) awaitAfter(place int, text string) {
	s.t.Helper()
	limit := time.After(patience)
	for !strings.Contains(s.text()[place:], text) {
		select {
		case <-s.news:
		case <-limit:
			s.t.Fatalf("no %q after byte %d: %q", text, place, s.text())
		}
	}
}

// shows waits until text is on the screen, which may have come to it in pieces, and returns when its last one came.
func (s *display) shows(text string) time.Time {
	s.t.Helper()
	limit := time.After(patience)
	for {
		s.mu.Lock()
		screen, at := s.grid.String(), s.at
		s.mu.Unlock()
		if strings.Contains(screen, text) {
			return at
		}
		select {
		case <-s.news:
		case <-limit:
			s.t.Fatalf("no %q on the screen:\n%s", text, screen)
		}
	}
}

func (s *display) press(keys string) {
	s.t.Helper()
	if _, err := s.tty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// leaves checks that the program exits with a status and restores the terminal.
func (s *display) leaves(code int) {
	s.t.Helper()
	timer := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	_ = s.cmd.Wait()
	timer.Stop()
	if got := s.cmd.ProcessState.ExitCode(); got != code {
		s.t.Errorf("exit status %d, want %d: %q", got, code, s.text())
	}
	if after, err := term.GetState(int(s.tty.Fd())); err == nil && !reflect.DeepEqual(s.before, after) {
		s.t.Errorf("the terminal's settings were %+v and are %+v", s.before, after)
	}
	<-s.ended
	out := s.text()
	if strings.LastIndex(out, leaveAlternate) < strings.LastIndex(out, enterAlternate) {
		s.t.Error("the alternate screen was not left")
	}
	if strings.LastIndex(out, "\x1b[?25h") < strings.LastIndex(out, "\x1b[?25l") {
		s.t.Error("the cursor is still hidden")
	}
}

// Whatever ends the program, it leaves the terminal as it was and no temporary file; the demo its copy of a store neither.
func TestTheInterfaceInATerminal(t *testing.T) {
	temp := t.TempDir()
	dir := newStore(t, map[string]string{"alpha.md": "first line of alpha\n", "sub/beta.md": "b\n"})
	for _, c := range []struct {
		arg    string
		shows  []string
		keys   string
		signal syscall.Signal // instead of keys
	}{
		{dir, []string{"alpha.md", "sub"}, "q", 0},
		{dir, []string{"alpha.md", "sub"}, "\x03", 0},
		{dir, []string{"alpha.md", "sub"}, "", syscall.SIGTERM},
		{"demo", []string{"demo", "progress.md", "unread"}, "q", 0},
		{"demo", []string{"demo", "progress.md", "unread"}, "", syscall.SIGTERM},
		{"demo", []string{"demo", "progress.md", "unread"}, "", syscall.SIGHUP},
	} {
		t.Run(fmt.Sprintf("%s %q %v", filepath.Base(c.arg), c.keys, c.signal), func(t *testing.T) {
			if c.signal == syscall.SIGHUP && signal.Ignored(syscall.SIGHUP) {
				t.Skip("these tests run where hangups are ignored (nohup), and so are they in programs started here")
			}
			s := openScreen(t, []string{"TMPDIR=" + temp, session.EnvConfig + "="}, c.arg)
			s.await(append(c.shows, enterAlternate)...)
			if copies, _ := filepath.Glob(filepath.Join(temp, "memcurator-demo-*")); c.arg == "demo" && len(copies) != 1 {
				t.Errorf("temporary copies: %v", copies)
			}
			if c.keys != "" {
				s.press(c.keys)
			} else {
				must(t, s.cmd.Process.Signal(c.signal))
			}
			s.leaves(0)
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("left in the folder for temporary files: %v, %v", left, err)
			}
		})
	}
}

// Without a directory, the list of the stores of this machine opens. What is chosen there is shown in the same program, which goes back
// to the list and to other stores, while agents write.
func TestStoresInATerminal(t *testing.T) {
	ferry := newStore(t, map[string]string{"alpha.md": "first line of alpha\n"})
	tides := newStore(t, map[string]string{"gamma.md": "first line of gamma\n"})
	file := writeConfig(t, "[stores.ferry]\ndir = '"+ferry+"'\n[stores.tides]\ndir = '"+tides+"'\n[keys]\nquit = \"Q\"\n")
	env := []string{"HOME=" + t.TempDir(), "MEMCURATOR_CONFIG=" + file, "MEMCURATOR_STATE=" + t.TempDir()}
	t.Chdir(t.TempDir())
	s := openScreen(t, env)
	s.await(enterAlternate, "all stores", "ferry", "tides", "notes")
	then := func(keys, text string) {
		t.Helper()
		before := len(s.text())
		s.press(keys)
		s.awaitAfter(before, text)
	}
	then("f", "filter")
	s.press("ferr\r")
	s.shows("filter: ferr")
	then("\r", "alpha.md")
	state := []string{"--state", strings.TrimPrefix(env[2], "MEMCURATOR_STATE=")}
	for i, dir := range []string{ferry, tides} {
		input := `{"command":"create","path":"/memories/zq-` + strconv.Itoa(i) + `.md","file_text":"x\n"}`
		if o := process(t, input, binary(t), append(state, "exec", dir)...); o.code != 0 {
			t.Fatalf("%+v", o)
		}
	}
	s.await("zq-0.md")
	then("0", "all stores")
	then("\x1b", "on this machine") // without the filter
	then("o", "Sorted by")
	then("k\r", "zq-1.md")
	then("0", "all stores")
	then("j\r", "zq-0.md")
	s.press("Q")
	s.leaves(0)
	s = openScreen(t, env)
	s.await("all stores")
	s.press("Q")
	s.leaves(0)
}

func TestTheInterfaceWithoutColourOrUnicode(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"alpha.md": "first line\n"})
	s := openScreen(t, []string{"NO_COLOR=yes", "LC_ALL=C"}, dir)
	s.await("alpha.md")
	s.press("q")
	s.leaves(0)
	out := s.text()
	for _, c := range out {
		if c > 0x7f {
			t.Errorf("%q on an ASCII terminal", c)
			break
		}
	}
	if strings.Contains(out, "\x1b[38;") || strings.Contains(out, "\x1b[48;") || strings.Contains(out, ";38;") {
		t.Error("colors in spite of NO_COLOR")
	}
}
