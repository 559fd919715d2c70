package dir

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

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
