//go:build linux

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The bytes that SQLite keeps locked in a database and in the index of its log for as long as it has them open.
const (
	daySharedByte = 1<<30 + 2
	dayIndexByte  = 128
)

// journalHeld checks every process that lives: the files of the journal that it has open have names, and the locks that SQLite
// took on them are there. Without them another process deletes the log under it, and what is recorded then is lost, which shows
// only now and then.
func (w *world) journalHeld() {
	living := map[string]int{}
	for _, a := range w.agents {
		if !a.gone {
			living[a.session] = a.cmd.Process.Pid
		}
	}
	for who, pid := range living {
		// A process that is opening the journal has files before it has locks.
		for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			lost := journalLost(pid)
			if lost == "" {
				break
			}
			if time.Since(begun) > dayPatience/2 {
				w.failf("%s %s", who, lost)
			}
		}
	}
}

// journalLost says what a process lacks of the journals that it has open; "" where it lacks nothing.
func journalLost(pid int) string {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "" // it has ended, which is looked at elsewhere
	}
	open := map[string]int64{} // the byte that must be locked, by file
	for _, e := range entries {
		to, err := os.Readlink(filepath.Join(dir, e.Name()))
		switch name := filepath.Base(to); {
		case err != nil || !strings.HasPrefix(name, "journal.db"):
		case strings.HasSuffix(name, " (deleted)"):
			return "has " + name + " open, unknown to other processes"
		case name == "journal.db":
			open[to] = daySharedByte
		case name == "journal.db-shm":
			open[to] = dayIndexByte
		}
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return "" // this system does not tell
	}
	for file, at := range open {
		files := 0
		for _, b := range open {
			if b == at {
				files++
			}
		}
		if held := lockedFiles(string(locks), pid, at); held < files {
			return fmt.Sprintf("has %s open, and of %d such files holds SQLite's lock on %d", filepath.Base(file), files, held)
		}
	}
	return ""
}

// lockedFiles counts the files in which a process holds a byte lock, according to /proc/locks.
func lockedFiles(locks string, pid int, at int64) int {
	files := map[string]bool{}
	for line := range strings.Lines(locks) {
		// 1: POSIX  ADVISORY  READ 1234 08:01:5678 1073741826 1073742335
		f := strings.Fields(line)
		if len(f) != 8 || f[1] != "POSIX" || f[4] != strconv.Itoa(pid) {
			continue
		}
		from, low := strconv.ParseInt(f[6], 10, 64)
		to, high := strconv.ParseInt(f[7], 10, 64)
		if low == nil && from <= at && (f[7] == "EOF" || high == nil && to >= at) {
			files[f[5]] = true
		}
	}
	return len(files)
}
