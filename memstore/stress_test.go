package memstore

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

// The stress test: writers in this process and in others work on a few shared files with all
// five commands that write. Each edit carries a token of its own, so that the results
// that the writers got say exactly which lines must be on disk in the end.
//
// MEMCURATOR_STRESS=N makes each writer do N times as much.
const (
	stressEnv      = "MEMCURATOR_STRESS"
	stressChildEnv = "MEMCURATOR_TEST_STRESS" // "writer edits"
	stressDirEnv   = "MEMCURATOR_TEST_STRESS_DIR"
	stressEdits    = 150              // of one writer
	stressTime     = 20 * time.Second // after it a writer ends: a slow disk does fewer, unless more were asked for
	stressFiles    = 6                // shared names
	stressVictim   = "v"              // begins the names of writers that are killed
)

// stressEvent is what a writer knows after one command that changed something, or failed to.
type stressEvent struct {
	Token string   // the line that the command adds
	Gone  string   // and the one that it deletes
	OK    bool     // the command succeeded
	Seen  []string // lines of a file just before it was deleted
	Wrong string   // what must never be
}

// stressWriter is one of the writers.
type stressWriter struct {
	name  string
	store *Store
	r     *rand.Rand
	tell  func(stressEvent) error
	mine  []string // tokens that it has inserted and not replaced
	n     int
}

func (w *stressWriter) work(edits int) error {
	scaled, start := os.Getenv(stressEnv) != "", time.Now()
	for range edits {
		if !scaled && time.Since(start) > stressTime {
			return nil
		}
		e := w.step()
		if err := w.tell(e); err != nil {
			return err
		}
	}
	return nil
}

func (w *stressWriter) path() string {
	return fmt.Sprintf("%s/shared-%d.md", backend.Root, w.r.IntN(stressFiles))
}

func (w *stressWriter) step() stressEvent {
	ctx := context.Background()
	w.n++
	token := fmt.Sprintf("%s-%d.", w.name, w.n)
	path := w.path()
	k := w.r.IntN(20)
	if stressKilled(w.name) && (k == 16 || k == 17) {
		// Killed in a rename it leaves both names, and killed after a delete it has not told what is gone.
		k = 19
	}
	switch {
	case k < 10:
		ok := w.ok(w.store.Insert(ctx, path, 1, token+"\n"))
		if ok {
			w.mine = append(w.mine, token)
		}
		return stressEvent{Token: token, OK: ok}
	case k < 14 && len(w.mine) > 0:
		i := w.r.IntN(len(w.mine))
		old := w.mine[i]
		token = strings.TrimSuffix(old, ".") + "x."
		ok := w.ok(w.store.StrReplace(ctx, path, old+"\n", token+"\n"))
		if ok {
			w.mine = slices.Delete(w.mine, i, i+1)
		}
		return stressEvent{Token: token, Gone: old, OK: ok}
	case k < 16:
		return stressEvent{Token: "id " + token, OK: w.ok(w.store.Create(ctx, path, "id "+token+"\n"))}
	case k < 17:
		return w.discard(path, token)
	case k < 18:
		w.ok(w.store.Rename(ctx, path, w.path()))
	default:
		r := w.store.View(ctx, path, nil)
		if _, wrong := stressLines(path, r); !r.IsError && wrong != "" {
			return stressEvent{Wrong: wrong}
		}
	}
	return stressEvent{}
}

// discard takes a shared file out of the others' way, looks at it, and deletes it.
func (w *stressWriter) discard(path, token string) (e stressEvent) {
	ctx := context.Background()
	own := backend.Root + "/away/" + token
	if !w.ok(w.store.Rename(ctx, path, own)) {
		return e
	}
	e.Seen, e.Wrong = stressLines(own, w.store.View(ctx, own, nil))
	if r := w.store.Delete(ctx, own); r.IsError {
		e.Wrong = r.Content
	}
	return e
}

func (w *stressWriter) ok(r Result) bool { return !r.IsError }

// stressLines reads the lines out of a view; wrong says what cannot be the work of a writer.
func stressLines(path string, r Result) (lines []string, wrong string) {
	head, body, _ := strings.Cut(r.Content, "\n")
	if r.IsError || head != ViewHeader(Docs, path) {
		return nil, r.Content
	}
	for row := range strings.SplitSeq(body, "\n") {
		_, line, _ := strings.Cut(row, "\t")
		lines = append(lines, line)
	}
	last := len(lines) - 1
	if lines[last] != "" || !strings.HasPrefix(lines[0], "id ") {
		return nil, fmt.Sprintf("%s is torn: %q", path, r.Content)
	}
	return lines[:last], ""
}

// stressProcess starts a writer in a process of its own; its name and the number of its edits identify it.
func stressProcess(t *testing.T, dir, writer string) (*exec.Cmd, io.ReadCloser) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestStressChild$", "-test.timeout=2m")
	c.Env = append(os.Environ(), stressChildEnv+"="+writer, stressDirEnv+"="+dir)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	return c, out
}

// TestStressChild is a writer in a process of its own; run by itself it does nothing. It writes each event to stdout
// once the command has its result.
func TestStressChild(t *testing.T) {
	name, count, ok := strings.Cut(os.Getenv(stressChildEnv), " ")
	if !ok {
		t.Skip("runs in a child process only")
	}
	edits, err := strconv.Atoi(count)
	must(t, err)
	d, err := OpenDir(os.Getenv(stressDirEnv), DirOptions{})
	must(t, err)
	e := json.NewEncoder(os.Stdout)
	must(t, newStressWriter(name, d, func(ev stressEvent) error { return e.Encode(ev) }).work(edits))
}

func newStressWriter(name string, b backend.Backend, tell func(stressEvent) error) *stressWriter {
	seed := Sum([]byte(name))
	return &stressWriter{name: name, store: New(b, Options{}), r: rand.New(rand.NewChaCha8(seed)), tell: tell}
}

// stressLog collects what all writers tell.
type stressLog struct {
	mu     sync.Mutex
	events []stressEvent
}

func (l *stressLog) add(e stressEvent) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	return nil
}

// read takes the events of a child until its output ends; a last line that was cut is not an event.
func (l *stressLog) read(out io.Reader) error {
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		var e stressEvent
		if err == nil && line[0] == '{' {
			if err := json.Unmarshal(line, &e); err != nil {
				return err
			}
			_ = l.add(e)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// TestNoEditIsLost (guarantees G1, G3 and G14): eight writers, four of them processes, and two more
// processes that are killed again and again while they write.
func TestNoEditIsLost(t *testing.T) {
	t.Parallel()
	edits := stressEdits
	if n, err := strconv.Atoi(os.Getenv(stressEnv)); err == nil {
		edits *= max(1, n)
	}
	d := openTestDir(t)
	var log stressLog
	var wg, victims sync.WaitGroup
	for n := range 4 {
		c, out := stressProcess(t, d.Path(), fmt.Sprintf("p%d %d", n, edits))
		wg.Go(func() {
			if err := log.read(out); err != nil {
				t.Error(err)
			}
			if err := c.Wait(); err != nil {
				t.Error("a writer ended with", err)
			}
		})
		wg.Go(func() {
			b, err := OpenDir(d.Path(), DirOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			defer b.Close()
			if err := newStressWriter(fmt.Sprintf("g%d", n), b, log.add).work(edits); err != nil {
				t.Error(err)
			}
		})
	}
	done := make(chan struct{})
	for n := range 2 {
		victims.Go(func() { stressKill(t, d, n, &log, done) })
	}
	wg.Wait()
	close(done)
	victims.Wait()
	stressExplain(t, d, log.events)
}

// stressKill starts writers and kills them, until done.
func stressKill(t *testing.T, d *Dir, n int, log *stressLog, done <-chan struct{}) {
	for i := 0; ; i++ {
		c, out := stressProcess(t, d.Path(), fmt.Sprintf("%s%d%c %d", stressVictim, n, 'a'+i%26, 1<<30))
		read := make(chan error, 1)
		go func() { read <- log.read(out) }()
		ended := false
		select {
		case <-done:
			ended = true
		case <-time.After(time.Duration(200+rand.IntN(400)) * time.Millisecond):
		}
		_ = c.Process.Kill()
		if err := <-read; err != nil {
			t.Error(err)
		}
		_ = c.Wait()
		if ended || i == 25 {
			return
		}
	}
}

// stressExplain holds what is on disk against what the writers were told.
func stressExplain(t *testing.T, d *Dir, events []stressEvent) {
	t.Helper()
	unlock, err := d.Lock(t.Context()) // a dead writer holds nothing
	must(t, err)
	unlock()
	found := map[string]int{}
	s := New(d, Options{})
	for n := range stressFiles {
		path := fmt.Sprintf("%s/shared-%d.md", backend.Root, n)
		r := s.View(t.Context(), path, nil)
		if errors.Is(r.Err, backend.ErrNotExist) {
			continue
		}
		lines, wrong := stressLines(path, r)
		if wrong != "" {
			t.Error(wrong)
		}
		stressInOrder(t, path, lines)
		for _, line := range lines {
			found[line]++
		}
	}
	if list, err := d.ReadDir("away"); err != nil || len(list) > 0 {
		t.Error("what was deleted is there:", list, err)
	}
	wanted, failed, made := map[string]bool{}, map[string]bool{}, 0
	for _, e := range events {
		if e.Wrong != "" {
			t.Error(e.Wrong)
		}
		for _, line := range e.Seen {
			found[line]++
		}
		switch {
		case e.Token == "":
		case !e.OK:
			failed[e.Token] = true
		default:
			made++
			wanted[e.Token] = true
			delete(wanted, e.Gone)
		}
	}
	for token := range wanted {
		unheard := stressKilled(token) && found[strings.TrimSuffix(token, ".")+"x."] == 1
		if found[token] != 1 && !unheard {
			t.Errorf("the edit %q had a success and is there %d times", token, found[token])
		}
	}
	for line, n := range found {
		if n != 1 || !wanted[line] && !stressKilled(line) {
			t.Errorf("%q is there %d times, and its writer was told otherwise (failed: %v)", line, n, failed[line])
		}
	}
	if made == 0 {
		t.Error("no edit had a success")
	}
	t.Logf("%d commands that had a say, %d edits made, %d lines explained", len(events), made, len(found))
}

// stressKilled reports whether a line is by a writer that was killed: the outcome of its last command is unknown.
func stressKilled(line string) bool {
	return strings.HasPrefix(strings.TrimPrefix(line, "id "), stressVictim)
}

// stressInOrder: every writer puts its lines below the first one, so that those of one
// writer are in a file with the last one first.
func stressInOrder(t *testing.T, path string, lines []string) {
	t.Helper()
	last := map[string]int{}
	for _, line := range lines[1:] {
		name, number, _ := strings.Cut(strings.TrimRight(line, "x."), "-")
		n, err := strconv.Atoi(number)
		if err != nil || last[name] > 0 && n >= last[name] {
			t.Errorf("%s: %q stands after %d of the same writer", path, line, last[name])
		}
		last[name] = n
	}
}
