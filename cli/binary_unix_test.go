//go:build unix

package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"memcurator/cli/session"
)

// running is the program with its pipes open.
type running struct {
	*exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	outEnd io.Closer // of our end of out
	errs   said
}

// said is what a process says while it runs.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.CommandContext(t.Context(), binary(t), args...)}
	r.Env, r.Stderr = cleanEnv(), &r.errs
	in, err := r.StdinPipe()
	must(t, err)
	out, err := r.StdoutPipe()
	must(t, err)
	r.in, r.out, r.outEnd = in, bufio.NewReader(out), out
	must(t, r.Start())
	return r
}

// Writes come back to back while the signal arrives: each file is whole or not there.
func TestASignalNeverCutsAWrite(t *testing.T) {
	dir := newStore(t, nil)
	r := start(t, "exec", dir)
	text := strings.Repeat("x", 1<<20)
	go func() {
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(r.in, `{"command":"create","path":"/memories/f%d","file_text":"%s"}`+"\n", i, text); err != nil {
				return
			}
		}
	}()
	answers := 0
	for {
		answer, err := r.out.ReadString('\n')
		if err != nil {
			break
		}
		if !strings.Contains(answer, "created successfully") {
			continue // the signal came before the command did anything
		}
		if answers++; answers == 5 {
			must(t, r.Process.Signal(syscall.SIGTERM))
		}
	}
	_ = r.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != answers {
		t.Errorf("%d files for %d answers, %v", len(entries), answers, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Size() != 1<<20 {
			t.Errorf("%s: %v, %v", e.Name(), info, err)
		}
	}
}

// Who asks for the end may wait for it without reading the last answer.
func TestASignalEndsExecWhoseAnswerIsNotRead(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"big": strings.Repeat("0123456789abcdef\n", 1<<16)}) // more than a pipe holds
	r := start(t, "exec", dir)
	fmt.Fprintln(r.in, `{"command":"view","path":"/memories/big"}`)
	_, err := r.out.Peek(1)
	must(t, err)
	must(t, r.Process.Signal(syscall.SIGTERM))
	ended := make(chan struct{})
	go func() { _, _ = r.Process.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("it waits for its answer to be read")
	}
}

func TestCatIntoAClosedPipeEndsLikeCat(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"big": strings.Repeat("0123456789abcdef\n", 1<<18)})
	o := process(t, "", "sh", "-c", `"$1" cat "$2" /memories/big | head -n 1`, "sh", binary(t), dir)
	if o != (outcome{0, "Here's the content of /memories/big with line numbers:\n", ""}) {
		t.Errorf("%+v", o)
	}
}

func TestAClosedOutputEndsExec(t *testing.T) {
	t.Parallel()
	dir := newStore(t, nil)
	in, feed, err := os.Pipe()
	must(t, err)
	taken, out, err := os.Pipe()
	must(t, err)
	c := exec.CommandContext(t.Context(), binary(t), "exec", dir)
	var errs strings.Builder
	c.Stdin, c.Stdout, c.Stderr, c.Env = in, out, &errs, cleanEnv()
	must(t, c.Start())
	in.Close()
	out.Close()
	taken.Close()
	fmt.Fprintln(feed, `{"command":"create","path":"/memories/a","file_text":"a"}`)
	_ = c.Wait()
	feed.Close()
	if code := c.ProcessState.ExitCode(); code != session.ExitFailed || !strings.Contains(errs.String(), "The output was closed") {
		t.Errorf("status %d, %q", code, errs.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err != nil {
		t.Error("the command before the closed output was not carried out")
	}
}
