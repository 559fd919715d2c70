package memstore

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func accessTime(fi os.FileInfo) time.Time {
	return time.Unix(fi.Sys().(*syscall.Stat_t).Atim.Unix())
}

// A view may make eight allocations in all, this is most of them.
func TestOpenAllocations(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "x")
	got := testing.AllocsPerRun(100, func() {
		f, err := d.Open("a.md", Use)
		if err == nil {
			_, err = f.Info()
		}
		if err != nil {
			t.Error(err)
			return
		}
		_ = f.Close()
	})
	t.Logf("%v allocations", got)
	if got > 6 {
		t.Errorf("opening a file makes %v allocations, want 6 at most", got)
	}
}

func TestModeOf(t *testing.T) {
	d := openTestDir(t)
	plant(t, d, "a.md", "x")
	for _, mode := range []os.FileMode{0o600, 0o644 | os.ModeSetuid, 0o640 | os.ModeSetgid, 0o777 | os.ModeSticky} {
		must(t, os.Chmod(onDisk(d, "a.md"), mode))
		f, err := d.Open("a.md", Look)
		must(t, err)
		got, err := f.Info()
		must(t, err)
		must(t, f.Close())
		if want, err := d.Stat("a.md"); err != nil || got != want {
			t.Errorf("Info says %+v, Stat %+v, %v", got, want, err)
		}
	}
	for _, name := range []string{"/dev/null", "/dev", "/proc/self/exe"} {
		var st syscall.Stat_t
		if syscall.Lstat(name, &st) != nil {
			continue
		}
		if fi, err := os.Lstat(name); err == nil && modeOf(st.Mode) != fi.Mode() {
			t.Errorf("%s: %v, want %v", name, modeOf(st.Mode), fi.Mode())
		}
	}
}
