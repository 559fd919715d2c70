package dir

import (
	"context"
	"io"
	"os"
	"os/exec"
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

// childDirEnv names the store of this test binary when it is started again as another process.
const childDirEnv = "MEMSTORE_TEST_DIR"

// child starts churn in a process of its own.
func child(t *testing.T, dir string) (*exec.Cmd, io.ReadCloser) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestDirChild$", "-test.timeout=2m")
	c.Env = append(os.Environ(), childDirEnv+"="+dir)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	return c, out
}

// TestDirChild is the other process; run by itself it does nothing.
func TestDirChild(t *testing.T) {
	at := os.Getenv(childDirEnv)
	if at == "" {
		t.Skip("runs in a child process only")
	}
	d, err := Open(at, Options{})
	must(t, err)
	must(t, churn(d))
}
