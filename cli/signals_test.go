//go:build unix

package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"memcurator/cli/session"
)

// stuckProgram is set for a child of the test that never ends by itself.
const stuckProgram = "MEMCURATOR_TEST_STUCK"

// TestTheSecondSignalEndsAtOnce: a program that cannot come to its end can still be ended.
func TestTheSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	if os.Getenv(stuckProgram) != "" {
		ctx, stop := session.UntilSignal(t.Context(), session.EndSignals...)
		defer stop()
		fmt.Println("started")
		<-ctx.Done()
		fmt.Println("ending")
		select {}
	}
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("these tests run where hangups are ignored (nohup), and so are they in programs started here")
	}
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=60s")
	c.Env = append(os.Environ(), stuckProgram+"=1")
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	lines := bufio.NewScanner(out)
	send := func(after string, s syscall.Signal) {
		for lines.Scan() && !strings.Contains(lines.Text(), after) {
		}
		must(t, c.Process.Signal(s))
	}
	send("started", syscall.SIGINT)
	send("ending", syscall.SIGHUP) // ends nothing
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait()
	}()
	// The program withdraws its registration beside all else: the first of these may still be caught.
	for done := false; !done; {
		_ = c.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
			done = true
		case <-time.After(50 * time.Millisecond):
		}
	}
	if got := c.ProcessState.Sys().(syscall.WaitStatus); !got.Signaled() || got.Signal() != syscall.SIGINT {
		t.Errorf("%v", c.ProcessState)
	}
}
