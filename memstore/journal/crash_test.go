package journal

import (
	"bufio"
	"context"
	"fmt"

	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"memcurator/memstore"
)

// crashEnv makes a test binary the process to be killed, and says where.
const crashEnv = "MEMCURATOR_JOURNAL_CRASH"

// TestCrashWorker is the process that is killed: it edits until then, and reports each edit before it
// begins and when it had a success.
func TestCrashWorker(t *testing.T) {
	spec := os.Getenv(crashEnv)
	if spec == "" {
		t.Skip("this is the process that TestNothingIsLostWhenKilled starts")
	}
	dir, state, _ := strings.Cut(spec, "|")
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := Open(state, Options{Backend: backend, Process: "crash"})
	if err != nil {
		t.Fatal(err)
	}
	store := memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{j}, Overwrite: true})
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 3))
	out := bufio.NewWriter(os.Stdout)
	for n := 0; ; n++ {
		id := fmt.Sprintf("call-%d-%d", os.Getpid(), n)
		name := fmt.Sprintf("/memories/%c/%c.md", 'a'+r.IntN(2), 'a'+r.IntN(3))
		ctx := memstore.WithOrigin(context.Background(), memstore.Origin{ToolUseID: id})
		var got memstore.Result
		switch r.IntN(6) {
		case 0:
			got = store.Delete(ctx, name)
		case 1:
			got = store.Rename(ctx, name, fmt.Sprintf("/memories/%c/%c.md", 'a'+r.IntN(2), 'a'+r.IntN(3)))
		case 2:
			got = store.Insert(ctx, name, 0, id+"\n")
		default:
			got = store.Create(ctx, name, id+"\n"+strings.Repeat("text\n", r.IntN(2000)))
		}
		if !got.IsError {
			fmt.Fprintln(out, id)
			_ = out.Flush() // the reader is there until it has killed us
		}
	}
}

// A process is killed at random moments, again and again on one store: no edit that had a success
// is missing, and the journal agrees with the disk or says where not.
func TestNothingIsLostWhenKilled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.close()
	told := map[string]bool{}
	crashes, uncertain := rounds(t, 6, 40), 0
	r := rand.New(rand.NewPCG(1, 5))
	for range crashes {
		for _, id := range killedWorker(t, d, time.Duration(r.IntN(40_000))*time.Microsecond) {
			told[id] = true
		}
		d.open(Options{})
		d.reconcile()
		rep := d.check()
		if len(rep.Damage) > 0 || len(rep.Disagree) > 0 || rep.Open > 0 {
			t.Fatalf("after a crash: %+v", rep)
		}
		uncertain = len(rep.Uncertain)
		d.close()
	}
	d.open(Options{})
	found := map[string]bool{}
	for _, rev := range d.revisions() {
		found[rev.ToolUseID] = true
	}
	lost := 0
	for id := range told {
		if !found[id] {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d edits with a success are lost", lost, len(told))
	}
	last, err := d.j.Last(context.Background())
	d.must(err)
	if diff := same(d.replayed(last), d.plain()); diff != "" {
		t.Errorf("replayed:\n%s", diff)
	}
	for _, rev := range d.revisions() {
		if rev.Actor == memstore.External {
			t.Errorf("one of our own edits was recorded as external: %+v", rev)
			break
		}
	}
	t.Logf("%d crashes, %d edits told, %d lost, %d revisions, %d uncertain", crashes, len(told), lost, last, uncertain)
}

// killedWorker runs the worker, kills it some time after its first edit, and returns the edits that it told.
func killedWorker(t *testing.T, d *desk, after time.Duration) (ids []string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestCrashWorker$", "-test.v")
	c.Env = append(os.Environ(), crashEnv+"="+d.dir+"|"+d.state)
	out, err := c.StdoutPipe()
	d.must(err)
	d.must(c.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if id := lines.Text(); strings.HasPrefix(id, "call-") {
			if len(ids) == 0 {
				time.AfterFunc(after, func() { _ = c.Process.Kill() })
			}
			ids = append(ids, id)
		}
	}
	_ = c.Wait() // it was killed
	if len(ids) > 0 && !strings.Contains(ids[len(ids)-1], "-") {
		ids = ids[:len(ids)-1]
	}
	return ids
}

// Two processes' worth of writers, a curator who undoes, and other programs, all together: every edit
// with a success is in the journal, once, and the journal replays to the tree on disk.
func TestWritersAndACurator(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	second := &desk{t: t, dir: d.dir, state: d.state}
	second.open(Options{Warn: func(error) {}})
	t.Cleanup(second.close)
	d.reconcile()
	until := time.Now().Add(time.Duration(rounds(t, 1, 4)) * time.Second)
	var all sync.WaitGroup
	var mu sync.Mutex
	told := map[string]bool{}
	for w, store := range []*memstore.Store{d.store, second.store, second.store} {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 11))
			for n := 0; time.Now().Before(until); n++ {
				id := fmt.Sprintf("call-%d-%d", w, n)
				ctx := memstore.WithOrigin(context.Background(), memstore.Origin{ToolUseID: id})
				name := fmt.Sprintf("/memories/%c.md", 'a'+r.IntN(8))
				var got memstore.Result
				switch r.IntN(5) {
				case 0:
					got = store.Delete(ctx, name)
				case 1:
					got = store.Rename(ctx, name, fmt.Sprintf("/memories/%c.md", 'a'+r.IntN(8)))
				default:
					got = store.Create(ctx, name, fmt.Sprintf("%s\n%d\n", id, r.IntN(3)))
				}
				if !got.IsError {
					mu.Lock()
					told[id] = true
					mu.Unlock()
				}
			}
		})
	}
	all.Go(func() { curate(d, until) })
	all.Go(func() {
		r := rand.New(rand.NewPCG(99, 11))
		for time.Now().Before(until) {
			name := fmt.Sprintf("outside-%d.md", r.IntN(3))
			_ = os.WriteFile(filepath.Join(d.dir, name), fmt.Appendf(nil, "%d", r.Int()), 0o600)
			time.Sleep(time.Millisecond) // other programs are not in a hurry
			if _, err := second.j.Reconcile(context.Background(), nil); err != nil {
				t.Error(detail(err))
				return
			}
		}
	})
	all.Wait()
	d.reconcile()
	found := map[string]int{}
	for _, rev := range d.revisions() {
		if rev.ToolUseID != "" && rev.Actor == memstore.Agent {
			found[rev.ToolUseID]++
		}
		if rev.Actor == memstore.External && !strings.Contains(rev.Path, "outside") {
			t.Errorf("one of our own edits was recorded as external: %s %s", rev.Command, rev.Path)
		}
	}
	for id := range told {
		if found[id] != 1 {
			t.Errorf("%s is there %d times", id, found[id])
		}
	}
	last, err := d.j.Last(context.Background())
	d.must(err)
	if diff := same(d.replayed(last), d.plain()); diff != "" {
		t.Errorf("replayed:\n%s", diff)
	}
	if rep := d.check(); !rep.OK() {
		t.Errorf("%+v", rep)
	}
	t.Logf("%d edits with a success, %d revisions", len(told), last)
}

// curate deletes and undoes until a time. What was changed meanwhile makes it fail, which is right.
func curate(d *desk, until time.Time) {
	r := rand.New(rand.NewPCG(7, 13))
	e := d.editor()
	for time.Now().Before(until) {
		ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator})
		d.store.Delete(ctx, fmt.Sprintf("/memories/%c.md", 'a'+r.IntN(8)))
		if p, err := e.PlanUndo(context.Background()); err == nil && len(p.Conflicts) == 0 {
			_, _ = e.Carry(context.Background(), p)
		}
	}
}
