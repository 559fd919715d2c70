//go:build linux

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// lasting are the places, in a database of SQLite and in the index of its log, of the locks that are held as long as it is open;
// those between come and go with each transaction.
var lasting = []string{"1073741826", "128"}

// journalLocks are the lasting locks that a process holds, as /proc/locks has them without their numbers.
func journalLocks(t *testing.T, pid int) (locks []string) {
	t.Helper()
	data, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skipf("the locks of processes cannot be read: %v", err)
	}
	for line := range strings.Lines(string(data)) {
		// 1: POSIX  ADVISORY  READ 1234 08:01:5678 1073741826 1073742335
		if f := strings.Fields(line); len(f) == 8 && f[1] == "POSIX" && f[4] == fmt.Sprint(pid) && slices.Contains(lasting, f[6]) {
			locks = append(locks, strings.Join(f[3:], " "))
		}
	}
	slices.Sort(locks)
	return slices.Compact(locks) // while others come and go, the list shows one twice now and then
}

// awaitLocks returns the lasting locks once they are as they should be. SQLite takes some with its first transaction, and the
// system's list may leave out an entry while other processes come and go; a lock that was dropped never returns.
func awaitLocks(t *testing.T, pid int, good func(locks []string) bool) (locks []string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if locks = journalLocks(t, pid); good(locks) || time.Now().After(end) {
			return locks
		}
	}
}

// deletedFiles are the files of a process that have no name any more.
func deletedFiles(t *testing.T, pid int) (gone []string) {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && strings.Contains(to, "journal.db") &&
			strings.HasSuffix(to, "(deleted)") {
			gone = append(gone, to)
		}
	}
	return gone
}

// purgeInInterface purges the one value of a store, with the keys of the interface.
func purgeInInterface(s *display) {
	s.await("live")
	s.press("6")
	s.await("1 value, 1 place")
	s.press("\x01")
	s.await("1 selected of 1")
	s.press("a")
	s.await("Purge everywhere")
	s.press("p")
	s.await("Type purge to confirm")
	s.press("purge\r")
	s.await("Verified:")
	s.press("\x1b[27u\x1b[27u") // esc twice, so that no terminal reads it as the start of another key
}

// A purge in the interface leaves the locks that SQLite holds on the journal: what other processes record afterwards is
// theirs, and an undo reverses the newest act.
func TestAPurgeInTheInterfaceKeepsTheJournal(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	writeText(t, filepath.Join(dir, "a.md"), "token: "+someToken+"\n")
	s := openScreen(t, nil, "--state", state, dir)
	s.await("live")
	before := awaitLocks(t, s.cmd.Process.Pid, func(locks []string) bool { return len(locks) == len(lasting) })
	if len(before) != len(lasting) {
		t.Fatalf("the interface holds the locks %q on its journal, want one at each of %q", before, lasting)
	}
	purgeInInterface(s)
	asBefore := func(locks []string) bool { return slices.Equal(before, locks) }
	if after := awaitLocks(t, s.cmd.Process.Pid, asBefore); !asBefore(after) {
		t.Errorf("the locks were\n%s\nand are after the purge\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	for i := range 6 {
		c := exec.CommandContext(t.Context(), binary(t), "exec", "--state", state, dir)
		c.Env = cleanEnv()
		c.Stdin = strings.NewReader(fmt.Sprintf(`{"command":"insert","path":"/memories/a.md","insert_line":1,"insert_text":"line %d\n"}`, i))
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), `"is_error":false`) {
			t.Fatalf("exec: %v: %s", err, out)
		}
	}
	if gone := deletedFiles(t, s.cmd.Process.Pid); len(gone) > 0 {
		t.Errorf("files of the journal were deleted under the interface: %q", gone)
	}
	s.press("q")
	s.leaves(0)
	if o := do(t, "doctor", "--state", state, dir); o.code != 0 {
		t.Errorf("doctor: %+v", o)
	}
	o := do(t, "log", "--json", "--state", state, dir)
	if n := strings.Count(o.out, `"actor":"agent","command":"insert"`); n != 6 ||
		strings.Contains(o.out, `"actor":"external","command":"edit"`) {
		t.Errorf("%d of 6 edits are the agent's: %s", n, o.out)
	}
}
