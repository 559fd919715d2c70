//go:build unix

package ccmemory

import (
	"bufio"
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/cctest"
)

const (
	killedVar = "MEMCURATOR_TEST_CCMEMORY_WRITER"
	stepVar   = "MEMCURATOR_TEST_CCMEMORY_STEP"
	lockerVar = "MEMCURATOR_TEST_CCMEMORY_LOCKER"
)

// rewritten is the edit of the tests here.
func rewritten(t testing.TB, s *Source) (*adapt.Image, adapt.Edit) {
	t.Helper()
	const name = "working/decision/use tokens.md"
	image := imageOf(t, s)
	old := entryOf(t, image, name).Text
	return image, adapt.Edit{Name: name, Old: old, New: bytes.Replace(old, []byte("15 minutes"), []byte("10 minutes"), 1)}
}

// TestStepWriter isn't a test: it is the process of the next one, and kills itself at a step of its edit.
func TestStepWriter(t *testing.T) {
	path := os.Getenv(killedVar)
	last, err := strconv.Atoi(os.Getenv(stepVar))
	if path == "" || err != nil {
		t.Skip("only for TestKilledAtEachStep")
	}
	source, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := source.(*Source)
	s.servers = func() ([]int, error) { return nil, nil }
	s.BackUpTo(func() string { return filepath.Join(filepath.Dir(path), "backups") })
	s.reached = func(reached step) {
		if int(reached) == last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	image, e := rewritten(t, s)
	t.Fatalf("still alive: %v", s.Write(t.Context(), image, e))
}

// At whichever step a writer is killed, the file is byte for byte that of before, or the one with its edit, and the next edit works.
func TestKilledAtEachStep(t *testing.T) {
	t.Parallel()
	for last := range stepCount {
		s := opened(t, cctest.Sample(noon))
		before, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		image, e := rewritten(t, s)
		want := map[string]string{}
		for _, entry := range image.Entries {
			want[entry.Name] = string(entry.Text)
		}
		c := exec.Command(os.Args[0], "-test.run", "^TestStepWriter$")
		c.Env = append(os.Environ(), killedVar+"="+s.path, fmt.Sprintf("%s=%d", stepVar, last))
		out, err := c.CombinedOutput()
		if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
			t.Fatalf("step %d: %v\n%s", last, err, out)
		}
		after, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		if last < stepReplaced != bytes.Equal(before, after) {
			t.Errorf("step %d: the file is of before: %v", last, bytes.Equal(before, after))
		}
		if last == stepReplaced {
			want[e.Name] = string(e.New)
		}
		image = imageOf(t, s)
		for _, entry := range image.Entries {
			if want[entry.Name] != string(entry.Text) {
				t.Errorf("step %d: %s is %q", last, entry.Name, entry.Text)
			}
		}
		if len(image.Entries) != len(want) {
			t.Errorf("step %d: %d records, want %d", last, len(image.Entries), len(want))
		}
		if err := do(t, s, adapt.Edit{Name: e.Name}); err != nil {
			t.Errorf("step %d: the next edit: %v", last, err)
		}
		files, err := os.ReadDir(filepath.Dir(s.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if ours, _ := backend.IsTemp(f.Name()); f.Name() != fileName && f.Name() != "backups" && !ours {
				t.Errorf("step %d: %s was left", last, f.Name())
			}
		}
	}
}

// Whenever another program writes the file between our look and our replacing it, even with a file of the same size and time, the edit
// fails, and what the other wrote stays.
func TestChangedAtEachStep(t *testing.T) {
	t.Parallel()
	for _, gone := range []bool{false, true} {
		for at := range stepReplaced {
			s := opened(t, cctest.Sample(noon))
			image, e := rewritten(t, s)
			info, err := os.Stat(s.path)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := os.ReadFile(s.path)
			if err != nil {
				t.Fatal(err)
			}
			theirs = bytes.Replace(theirs, []byte("15 minutes"), []byte("99 minutes"), 1)
			s.reached = func(reached step) {
				switch {
				case reached != at:
				case gone:
					err = os.Remove(s.path)
				default:
					err = errors.Join(os.WriteFile(s.path, theirs, info.Mode()), os.Chtimes(s.path, info.ModTime(), info.ModTime()))
				}
				if err != nil {
					t.Error(err)
				}
			}
			err = s.Write(t.Context(), image, e)
			if gone {
				if err == nil {
					t.Errorf("step %d: the edit of a file that is gone", at)
				}
				if entries, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(entries) > 0 {
					t.Errorf("step %d: %v, %v: want nothing", at, entries, err)
				}
				continue
			}
			if !errors.Is(err, backend.ErrChanged) {
				t.Errorf("step %d: %v", at, err)
			}
			if got, err := os.ReadFile(s.path); err != nil || !bytes.Equal(got, theirs) {
				t.Errorf("step %d: the other's file isn't there any more: %v", at, err)
			}
			if entries, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(entries) != 1 {
				t.Errorf("step %d: %v, %v: want the database alone", at, entries, err)
			}
		}
	}
}

// TestLocker isn't a test: it is the process of the next one, which has begun to change a database and waits.
func TestLocker(t *testing.T) {
	path := os.Getenv(lockerVar)
	if path == "" {
		t.Skip("only for TestLocked")
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{os.Getenv(stepVar), "UPDATE episodic_memory SET access_count = access_count + 1"} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println("\nlocked")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until the test has seen it
}

// A database that another program has locked is shown, and not changed, until that program is done. One that was stopped amid a change leaves a
// journal, by which it puts the pages of before back: over ours, if the file were replaced.
func TestLocked(t *testing.T) {
	t.Parallel()
	for _, begin := range []string{"BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"} {
		s := opened(t, cctest.Sample(noon))
		image, e := rewritten(t, s)
		c := exec.Command(os.Args[0], "-test.run", "^TestLocker$")
		c.Env = append(os.Environ(), lockerVar+"="+s.path, stepVar+"="+begin)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "locked" {
		}
		if got := imageOf(t, s); len(got.Entries) != len(image.Entries) || got.ReadOnly != "" {
			t.Errorf("%s: %d records, %s", begin, len(got.Entries), got.ReadOnly)
		}
		var refusal *backend.Refusal
		want := fmt.Sprintf("(process %d) has the database locked", c.Process.Pid)
		if err := s.Write(t.Context(), image, e); !errors.As(err, &refusal) || !strings.Contains(refusal.Why, want) {
			t.Errorf("%s: %v, want %s", begin, err, want)
		}
		_ = in.Close()
		_ = c.Process.Signal(syscall.SIGKILL)
		_ = c.Wait() // it was killed
		journal := s.path + "-journal"
		if err := os.WriteFile(journal, []byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), image, e); !errors.As(err, &refusal) || !strings.Contains(refusal.Why, fileName+"-journal") {
			t.Errorf("%s: %v, want one about the journal", begin, err)
		}
		if err := os.WriteFile(journal, make([]byte, 512), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), image, e); err != nil {
			t.Errorf("%s: %v", begin, err)
		}
	}
}

// A server that starts while an edit is made stops it.
func TestServerStartsMeanwhile(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	image, e := rewritten(t, s)
	s.reached = func(reached step) {
		if reached == stepBackedUp {
			s.servers = func() ([]int, error) { return []int{7}, nil }
		}
	}
	var refusal *backend.Refusal
	if err := s.Write(t.Context(), image, e); !errors.As(err, &refusal) || !strings.Contains(refusal.Why, "process 7") {
		t.Errorf("%v", err)
	}
	if after, err := os.ReadFile(s.path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed: %v", err)
	}
}
