//go:build linux

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
)

const (
	dayColumns = 120
	dayRows    = 35
	// escape is the key esc as Kitty's protocol has it: a lone ESC and the key after it may arrive as one.
	escape = "\x1b[27u"
)

// dayScreen is the interface in a pseudo-terminal, and what stands on it.
type dayScreen struct {
	w    *world
	cmd  *exec.Cmd
	tty  *os.File
	news chan struct{}
	done chan struct{} // closed when the terminal has no writer left

	mu   sync.Mutex
	grid *grid
}

// interfaced is the interface of the world, opened where it is not.
func (w *world) interfaced() *dayScreen {
	if w.screen != nil {
		return w.screen
	}
	s := w.openScreen()
	w.screen = s
	s.await("the tree", "● live")
	w.note("interface opened")
	return s
}

func (w *world) openScreen() *dayScreen {
	ptmx, tty, err := pty.Open()
	w.must(err)
	defer tty.Close()
	w.must(pty.Setsize(ptmx, &pty.Winsize{Rows: dayRows, Cols: dayColumns}))
	s := &dayScreen{w: w, tty: ptmx, news: make(chan struct{}, 1), done: make(chan struct{}), grid: newGrid(dayColumns, dayRows)}
	s.cmd = exec.Command(w.day.binary, w.store)
	s.cmd.Env, s.cmd.Dir = w.env("TERM=xterm-256color", "LANG=C.UTF-8"), filepath.Join(w.root, "tmp")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	w.must(s.cmd.Start())
	go s.read()
	return s
}

func (s *dayScreen) read() {
	defer close(s.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		_, _ = s.grid.Write(buf[:n])
		s.mu.Unlock()
		select {
		case s.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (s *dayScreen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grid.String()
}

// said is the last row: the message, and the keys of the place.
func (s *dayScreen) said() string {
	rows := strings.Split(strings.TrimRight(s.text(), "\n"), "\n")
	return strings.TrimSpace(rows[len(rows)-1])
}

// until waits for what a condition finds on the screen, up to a bound; "" is nothing yet.
func (s *dayScreen) until(bound time.Duration, found func(text string) string) string {
	limit := time.After(bound)
	for {
		if f := found(s.text()); f != "" {
			return f
		}
		select {
		case <-s.news:
		case <-s.done:
			return found(s.text())
		case <-limit:
			return ""
		}
	}
}

// await waits until one of the texts stands on the screen, and says which.
func (s *dayScreen) await(what string, texts ...string) string {
	got := s.until(dayPatience, func(screen string) string {
		for _, t := range texts {
			if strings.Contains(screen, t) {
				return t
			}
		}
		return ""
	})
	if got == "" {
		s.w.failf("the interface does not show %s (one of %q) but\n%s", what, texts, s.everything())
	}
	return got
}

// heard waits for one of the sentences in the bottom bar. A later message may have replaced it: the list of messages has it too.
func (s *dayScreen) heard(what string, texts ...string) string {
	find := func(screen string) string {
		for _, t := range texts {
			if strings.Contains(screen, t) {
				return t
			}
		}
		return ""
	}
	for begun := time.Now(); time.Since(begun) < dayPatience; {
		if got := s.until(3*time.Second, find); got != "" {
			return got
		}
		if strings.Contains(s.text(), "[n] ") {
			continue // a question
		}
		s.press("M")
		s.await("the messages", "━ Messages")
		got := find(s.text())
		s.press(escape)
		s.until(dayPatience, func(screen string) string {
			if strings.Contains(screen, "━ Messages") {
				return ""
			}
			return "closed"
		})
		if got != "" {
			return got
		}
	}
	s.w.failf("the interface does not say %s (one of %q) but\n%s", what, texts, s.everything())
	return ""
}

// everything is what stands on the screen, and the messages.
func (s *dayScreen) everything() string {
	screen := s.text()
	if !strings.Contains(screen, "[n] ") {
		_, _ = s.tty.WriteString("M")
		s.until(3*time.Second, func(text string) string { return rowWith(text, "━ Messages") })
		screen += "\nand its messages:\n" + s.text()
	}
	return screen
}

func (s *dayScreen) press(keys string) {
	if _, err := s.tty.WriteString(keys); err != nil {
		s.w.failf("the interface takes no keys: %v\n%s", err, s.text())
	}
}

// home goes back to the tree, whatever is open.
func (s *dayScreen) home() {
	idle := func(screen string) string {
		if (strings.Contains(screen, "? help") || strings.Contains(screen, "Nothing to close")) && !strings.Contains(screen, "PAST  ") {
			return "idle"
		}
		return ""
	}
	for range 40 {
		s.press(escape)
		if s.until(500*time.Millisecond, idle) != "" {
			s.press("1")
			s.await("the Browse screen", "━ tree ━", "─ tree ─")
			return
		}
	}
	s.w.failf("the interface does not come back to the tree:\n%s", s.text())
}

// line gives a line at the prompt.
func (s *dayScreen) line(text string) {
	s.press(":")
	s.press(text + "\r")
	s.w.note("interface: %s", text)
}

// quitScreen leaves the interface as a user does.
func (w *world) quitScreen() {
	s := w.screen
	if s == nil {
		return
	}
	s.home()
	w.screen = nil
	s.press("q")
	hung := time.AfterFunc(dayPatience, func() { _ = s.cmd.Process.Kill() })
	_ = s.cmd.Wait() // the status says it
	if !hung.Stop() || s.cmd.ProcessState.ExitCode() != 0 {
		w.failf("the interface ended with %v:\n%s", s.cmd.ProcessState, s.text())
	}
	<-s.done
	s.tty.Close()
	w.note("interface left")
}

// kill ends the interface at once.
func (s *dayScreen) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	s.tty.Close()
}
