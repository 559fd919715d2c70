package dir

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

func TestTempNames(t *testing.T) {
	for range 100 {
		name := backend.NewTempName()
		if pid, ok := backend.TempProcess(name); !ok || pid != os.Getpid() {
			t.Fatalf("%s is not taken for ours: %d, %v", name, pid, ok)
		}
	}
	for _, name := range []string{
		"", ".tmp-", ".tmp-1", ".tmp-1-", ".tmp--0123456789abcdef", ".tmp-0-0123456789abcdef", ".tmp--1-0123456789abcdef",
		".tmp-+1-0123456789abcdef", ".tmp-01-0123456789abcdef", ".tmp-1-0123456789ABCDEF", ".tmp-1-0123456789abcde",
		".tmp-1-0123456789abcdef0", ".tmp-1-0123456789abcde-", ".tmp-99999999999999999999-0123456789abcdef",
		".tmp-1-3f2504e0-4f89-41d3-9a0c-0305e82c3301", "x.tmp-1-0123456789abcdef", "notes.md",
	} {
		if pid, ok := backend.TempProcess(name); ok {
			t.Errorf("%q is taken for a temporary file of process %d", name, pid)
		}
	}
}

// deadProcess is the id of a process that has ended.
func deadProcess(t *testing.T) int {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^$")
	must(t, c.Run())
	return c.Process.Pid
}

func TestSweep(t *testing.T) {
	dead, live, self := deadProcess(t), os.Getppid(), os.Getpid()
	const random = "0123456789abcdef"
	temp := func(pid int) string { return fmt.Sprintf(".tmp-%d-%s", pid, random) }
	uuid := fmt.Sprintf(".tmp-%d-3f2504e0-4f89-41d3-9a0c-0305e82c3301", dead)
	tests := []struct {
		what, name   string
		age          time.Duration
		folder       bool
		locked, free bool // removed with the lock held, and without
	}{
		{"of a dead process, young", temp(dead), time.Second, false, true, false},
		{"of a dead process", temp(dead), 2 * time.Minute, false, true, true},
		{"of a live process", temp(live), 30 * time.Minute, false, false, false},
		{"of a live process, very old", temp(live), 2 * time.Hour, false, true, true},
		{"with our own number", temp(self), time.Second, false, true, false},
		{"of an SDK", uuid, 2 * time.Hour, false, false, false},
		{"a folder of that name", temp(dead), 2 * time.Hour, true, false, false},
		{"of another mode", temp(dead), 2 * time.Hour, false, runtime.GOOS == "windows", runtime.GOOS == "windows"},
		{"a note", "notes.md", 2 * time.Hour, false, false, false},
	}
	for _, tt := range tests {
		for _, locked := range []bool{true, false} {
			d := openTestDir(t)
			if tt.folder {
				must(t, os.Mkdir(onDisk(d, tt.name), 0o700))
			} else {
				plant(t, d, tt.name, "x")
			}
			if tt.what == "of another mode" && runtime.GOOS != "windows" {
				must(t, os.Chmod(onDisk(d, tt.name), 0o640))
			}
			then := time.Now().Add(-tt.age)
			must(t, os.Chtimes(onDisk(d, tt.name), then, then))
			want := tt.free
			if locked {
				want = tt.locked
				unlock, err := d.Lock(t.Context())
				must(t, err)
				defer unlock()
			}
			must(t, d.Create("new.md", nil))
			if _, err := os.Lstat(onDisk(d, tt.name)); os.IsNotExist(err) != want {
				t.Errorf("%s, lock %v: removed is %v, want %v", tt.what, locked, !want, want)
			}
		}
	}
}

// Each kind of write sweeps, also long after the first one.
func TestSweepByEachWrite(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "s/x.md", "x")
	unlock, err := d.Lock(t.Context())
	must(t, err)
	defer unlock()
	stale := fmt.Sprintf("s/.tmp-%d-0123456789abcdef", deadProcess(t))
	for i, do := range []func() error{
		func() error { return d.Create("s/a.md", []byte("1")) },
		func() error { return d.Replace("s/a.md", []byte("1"), []byte("2")) },
		func() error { return d.Rename("s/a.md", "s/b.md") },
		func() error { return d.Remove("s/b.md") },
	} {
		// A stamp of the folder is as coarse as the clock of the kernel.
		plant(t, d, stale, "x")
		past := time.Now().Add(time.Duration(i-10) * time.Second)
		must(t, os.Chtimes(onDisk(d, "s"), past, past))
		must(t, do())
		if tree := memtest.DescribeDisk(t, d.Path()); strings.Contains(tree, backend.TempPrefix) {
			t.Errorf("write %d left\n%s", i, tree)
		}
	}
}
