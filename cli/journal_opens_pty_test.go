//go:build linux

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// opened is one open of a file in a trace, as strace writes it: the path and the flags.
var opened = regexp.MustCompile(`\bopen(?:at2?)?\((?:[^,"]+, )?"([^"]*)", ([^)]*)`)

// traced runs a command of the program under strace and returns where the trace is.
func traced(t *testing.T) (strace []string, trace string) {
	t.Helper()
	trace = filepath.Join(t.TempDir(), "trace")
	if err := exec.CommandContext(t.Context(), "strace", "-o", trace, "true").Run(); err != nil {
		t.Skipf("programs cannot be traced: %v", err)
	}
	return []string{"strace", "-f", "-qq", "-A", "-e", "trace=open,openat,openat2,creat", "-o", trace}, trace
}

// While a process has a journal open, nothing but SQLite opens the journal's files: closing any other descriptor of one
// would drop SQLite's locks. SQLite opens with O_NOFOLLOW, and nothing else here does.
func TestOnlySQLiteOpensTheJournal(t *testing.T) {
	t.Parallel()
	strace, trace := traced(t)
	dir, state := t.TempDir(), t.TempDir()
	writeText(t, filepath.Join(dir, "a.md"), "token: "+someToken+"\n")
	do := func(stdin string, args ...string) {
		t.Helper()
		args = slices.Concat(strace[1:], []string{binary(t)}, args, []string{"--state", state, dir})
		c := exec.CommandContext(t.Context(), strace[0], args...)
		c.Env, c.Stdin = cleanEnv(), strings.NewReader(stdin)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	insert := `{"command":"insert","path":"/memories/a.md","insert_line":1,"insert_text":"a line\n"}`
	do(insert, "exec")
	do("", "scrub", "--yes")
	do("", "undo")
	s := openTerminal(t, nil, strace[0], slices.Concat(strace[1:], []string{binary(t), "--state", state, dir})...)
	s.await("live")
	for _, screen := range []string{"2", "5", "3", "1"} {
		s.press(screen)
	}
	purgeInInterface(s)
	s.press("q")
	s.leaves(0)
	do(insert, "exec")
	do("", "log")
	do("", "doctor")
	do("", "scrub", "--purge-history", "--yes")

	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	ours := 0
	for _, m := range opened.FindAllStringSubmatch(string(data), -1) {
		switch filepath.Base(m[1]) {
		case "journal.db", "journal.db-wal", "journal.db-shm":
		default:
			continue
		}
		if ours++; !strings.Contains(m[2], "O_NOFOLLOW") {
			t.Errorf("opened beside SQLite: %s %s", m[1], m[2])
		}
	}
	if ours < 20 {
		t.Errorf("the trace has only %d opens of the journal: it is not of these runs", ours)
	}
}
