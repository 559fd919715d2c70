package dir

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

func TestLockTurns(t *testing.T) {
	base := t.TempDir()
	one, err := Open(base, Options{})
	must(t, err)
	defer one.Close()
	two, err := Open(base, Options{})
	must(t, err)
	defer two.Close()
	for _, other := range []*Dir{one, two} { // through the same Dir, and through another as another process would
		unlock, err := one.Lock(t.Context())
		must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err = other.Lock(ctx)
		cancel()
		wantErr(t, "a lock that is taken", err, backend.ErrBusy, context.DeadlineExceeded)
		unlock()
		again, err := other.Lock(t.Context())
		must(t, err)
		again()
	}
}

func TestLockLeavesNothingInTheStore(t *testing.T) {
	d := openTestDir(t)
	before := memtest.DescribeDisk(t, d.Path())
	unlock, err := d.Lock(t.Context())
	must(t, err)
	during := memtest.DescribeDisk(t, d.Path())
	unlock()
	if during != before || memtest.DescribeDisk(t, d.Path()) != before {
		t.Errorf("the lock is seen in the store:\n%s", during)
	}
}

// The tests below start this test binary again as another process; what it
// does there is in childEnv, the store in the variable after it.
const (
	childEnv    = "MEMSTORE_TEST_CHILD"
	childDirEnv = "MEMSTORE_TEST_DIR"
)

// child starts one of the childTasks in a process of its own.
func child(t *testing.T, task, dir string, env ...string) (*exec.Cmd, io.ReadCloser) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestDirChild$", "-test.timeout=2m")
	c.Env = append(append(os.Environ(), childEnv+"="+task, childDirEnv+"="+dir), env...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	return c, out
}

var childTasks = map[string]func(d *Dir) error{"append": appendLines, "churn": churn}

// TestDirChild is the other process; run by itself it does nothing.
func TestDirChild(t *testing.T) {
	task := childTasks[os.Getenv(childEnv)]
	if task == nil {
		t.Skip("runs in a child process only")
	}
	d, err := Open(os.Getenv(childDirEnv), Options{})
	must(t, err)
	must(t, task(d))
}

const (
	appenders   = 2
	appendCount = 150
)

// appendLines adds lines to one file, read and replaced under the lock.
func appendLines(d *Dir) error {
	for i := range appendCount {
		err := func() error {
			unlock, err := d.Lock(context.Background())
			if err != nil {
				return err
			}
			defer unlock()
			old, err := os.ReadFile(onDisk(d, "log.md"))
			if err != nil {
				return err
			}
			line := fmt.Sprintf("%d %d\n", os.Getpid(), i)
			return d.Replace("log.md", old, append(old[:len(old):len(old)], line...))
		}()
		if err != nil {
			return err
		}
	}
	return nil
}

func TestProcessesTakeTurns(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "log.md", "")
	var children []*exec.Cmd
	for range appenders {
		c, out := child(t, "append", d.Path())
		go func() { _, _ = io.Copy(io.Discard, out) }()
		children = append(children, c)
	}
	next := map[string]int{}
	for _, c := range children {
		next[strconv.Itoa(c.Process.Pid)] = 0
	}
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Errorf("a child failed: %v", err)
		}
	}
	lines := strings.Split(strings.TrimSuffix(readAll(t, d, "log.md"), "\n"), "\n")
	for _, line := range lines {
		pid, n, _ := strings.Cut(line, " ")
		if want, ok := next[pid]; !ok || n != strconv.Itoa(want) {
			t.Fatalf("line %q, want number %d", line, want)
		}
		next[pid]++
	}
	if len(lines) != appenders*appendCount {
		t.Errorf("%d lines, want %d", len(lines), appenders*appendCount)
	}
	wantNoTemp(t, d)
}
