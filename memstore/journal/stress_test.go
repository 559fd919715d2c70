package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
)

// stressTime is how long the stress runs: MEMCURATOR_STRESS=5m, else a few seconds.
func stressTime(t *testing.T) time.Duration {
	t.Helper()
	if d, err := time.ParseDuration(os.Getenv("MEMCURATOR_STRESS")); err == nil {
		return d
	}
	return time.Duration(rounds(t, 1, 4)) * time.Second
}

// stressEnv gives a test binary its part: role, seed, store and state folder.
const stressEnv = "MEMCURATOR_JOURNAL_STRESS"

// stressPath is one of few paths, so that all parts meet.
func stressPath(r *rand.Rand) string {
	return fmt.Sprintf("%c/%c.md", 'a'+r.IntN(3), 'a'+r.IntN(8))
}

// TestStressPart is a process of the stress: an agent, or a curator. It reports each edit that succeeded.
func TestStressPart(t *testing.T) {
	spec := strings.Split(os.Getenv(stressEnv), "|")
	if len(spec) != 4 {
		t.Skip("this is a process that TestStress starts")
	}
	seed, _ := strconv.ParseUint(spec[1], 10, 64)
	backend, err := memstore.OpenDir(spec[2], memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := Open(spec[3], Options{Backend: backend, Process: spec[0]})
	if err != nil {
		t.Fatal(err)
	}
	p := &stressPart{
		r: rand.New(rand.NewPCG(seed, 19)), out: bufio.NewWriter(os.Stdout),
		store: memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{j}, Overwrite: true}),
	}
	p.editor = undo.NewEditor(j, p.store)
	for n := 0; ; n++ {
		id := fmt.Sprintf("call-%d-%d", seed, n)
		if spec[0] == "curator" {
			p.curate(j, id)
		} else {
			p.remember(id)
		}
		time.Sleep(time.Duration(p.r.IntN(8)) * time.Millisecond) // a model thinks longer
	}
}

type stressPart struct {
	r      *rand.Rand
	out    *bufio.Writer
	store  *memstore.Store
	editor *undo.Editor
}

// tell says that an edit had a success, and which.
func (p *stressPart) tell(id string, got memstore.Result) {
	if !got.IsError {
		fmt.Fprintln(p.out, id+" "+strings.ReplaceAll(got.Content, "\n", " "))
		_ = p.out.Flush() // the reader is there until it has killed us
	}
}

func (p *stressPart) remember(id string) {
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{ToolUseID: id})
	name := "/memories/" + stressPath(p.r)
	switch p.r.IntN(7) {
	case 0:
		p.tell(id, p.store.Delete(ctx, name))
	case 1:
		p.tell(id, p.store.Rename(ctx, name, "/memories/"+stressPath(p.r)))
	case 2, 3:
		p.tell(id, p.store.Insert(ctx, name, 0, id+"\n"))
	default:
		p.tell(id, p.store.Create(ctx, name, id+"\n"+strings.Repeat("text\n", p.r.IntN(500))))
	}
}

// curate deletes, undoes, and reverts anyone's changes; a change made meanwhile makes it fail, which is correct.
func (p *stressPart) curate(j *Journal, id string) {
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator, ToolUseID: id})
	var plan *undo.Plan
	var err error
	switch p.r.IntN(4) {
	case 0: // several as a group, so that undoing them is one edit of several
		group := memstore.Origin{Actor: memstore.Curator, ToolUseID: id, Group: id}
		p.tell(id, p.store.Delete(memstore.WithOrigin(ctx, group), "/memories/"+stressPath(p.r)))
		for group.ToolUseID = ""; p.r.IntN(3) > 0; {
			_ = p.store.Delete(memstore.WithOrigin(ctx, group), "/memories/"+stressPath(p.r))
		}
		return
	case 1:
		plan, err = p.editor.PlanUndo(ctx)
	case 2:
		plan, err = p.editor.PlanRestore(ctx, undo.Restore{Path: "/memories/" + stressPath(p.r), At: new(int64(1))})
	default:
		last, lastErr := j.Last(ctx)
		if lastErr != nil || last == 0 {
			return
		}
		plan, err = p.editor.PlanRevert(ctx, 1+p.r.Int64N(last))
	}
	if err != nil || len(plan.Conflicts) > 0 {
		return
	}
	if done, err := p.editor.Carry(ctx, plan); err == nil && done > 0 {
		p.tell(fmt.Sprintf("carried-%d-%s", done, id), memstore.Result{})
	}
}

// Agents and a curator, each a process that is killed again and again, and a program that edits files
// directly, on the same few files: no edit with a success is missing or there twice, the journal agrees
// with the disk, and it replays to the same tree.
func TestStress(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.outside("a/a.md", "was there\n")
	d.syncAll()
	until := time.Now().Add(stressTime(t))
	var all sync.WaitGroup
	var mu sync.Mutex
	told, kills, outside := map[string]string{}, 0, 0
	for n, role := range []string{"agent", "agent", "agent", "curator"} {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 23))
			for round := uint64(0); time.Now().Before(until); round++ {
				ids := d.killedPart(role, uint64(n)*1_000_000+round, time.Duration(r.IntN(600))*time.Millisecond)
				mu.Lock()
				kills++
				for _, line := range ids {
					id, what, _ := strings.Cut(line, " ")
					told[id] = what
				}
				mu.Unlock()
			}
		})
	}
	all.Go(func() {
		r := rand.New(rand.NewPCG(99, 23))
		for time.Now().Before(until) {
			d.editDirectly(r)
			outside++
			if r.IntN(20) == 0 {
				if _, err := d.j.Sync(context.Background(), past.Hints{Unseen: true}); err != nil {
					t.Error("comparing: ", detail(err))
				}
			}
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond) // other programs are not in a hurry
		}
	})
	all.Go(func() { // as a watch does
		r := rand.New(rand.NewPCG(98, 23))
		for time.Now().Before(until) {
			if _, err := d.j.Sync(context.Background(), past.Hints{}); err != nil && !errors.Is(err, past.ErrBusy) {
				t.Error("syncing: ", detail(err))
			}
			time.Sleep(time.Duration(r.IntN(5)) * time.Millisecond)
		}
	})
	all.Wait()
	d.reopen()
	d.syncAll()
	d.judgeStress(told, kills, outside)
}

// editDirectly writes, removes or moves a file as other programs do, without any lock.
func (d *desk) editDirectly(r *rand.Rand) {
	at := filepath.Join(d.dir, filepath.FromSlash(stressPath(r)))
	text := fmt.Appendf(nil, "outside %d\n", r.IntN(1000))
	switch r.IntN(5) {
	case 0:
		_ = os.Remove(at)
	case 1:
		_ = os.Rename(at, filepath.Join(d.dir, filepath.FromSlash(stressPath(r))))
	case 2: // as editors do; it is not one of our temporary names
		if os.WriteFile(at+".swap", text, 0o600) == nil {
			_ = os.Rename(at+".swap", at)
		}
	default:
		_ = os.WriteFile(at, text, 0o600) // where the folder is missing, nothing happens
	}
}

// killedPart runs a part of the stress, kills it some time after its first word, and returns what it told.
func (d *desk) killedPart(role string, seed uint64, after time.Duration) (ids []string) {
	c := exec.Command(os.Args[0], "-test.run", "^TestStressPart$", "-test.v")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%s|%s", stressEnv, role, seed, d.dir, d.state))
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		d.t.Error(err)
		return nil
	}
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); {
		if first {
			first = false
			time.AfterFunc(after, func() { _ = c.Process.Kill() })
		}
		line := lines.Text()
		if strings.HasPrefix(line, "call-") || strings.HasPrefix(line, "carried-") {
			ids = append(ids, line)
		} else if strings.Contains(line, "FAIL") || strings.Contains(line, "panic") {
			d.t.Errorf("%s: %s", role, line)
		}
	}
	_ = c.Wait() // it was killed
	return ids
}

// judgeStress compares what was told with the journal, and the journal with the disk.
func (d *desk) judgeStress(told map[string]string, kills, outside int) {
	d.t.Helper()
	found, back := map[string]int{}, 0
	revisions := d.revisions()
	for _, r := range revisions {
		switch r.Command {
		case "undo", "redo", "revert", "restore":
			back++
		default:
			found[r.ToolUseID]++
		}
	}
	lost, carried := 0, 0
	for id, what := range told {
		var n int
		if _, err := fmt.Sscanf(id, "carried-%d-", &n); err == nil {
			carried += n // their revisions have no name of their own
			continue
		}
		if found[id] == 0 {
			lost++
			d.t.Logf("lost: %s %.100s", id, what)
		} else if found[id] > 1 {
			d.t.Errorf("%s is there %d times", id, found[id])
		}
	}
	if lost > 0 || carried > back {
		d.t.Errorf("%d of %d edits with a success are lost, and %d of %d steps back", lost, len(told), max(0, carried-back), carried)
	}
	rep := d.check()
	if len(rep.Damage) > 0 || rep.Open > 0 {
		d.t.Errorf("after the stress: %+v", rep)
	}
	last, err := d.j.Last(context.Background())
	d.must(err)
	if diff := same(d.replayed(last), d.plain()); diff != "" {
		d.t.Errorf("replayed:\n%s", diff)
	}
	d.t.Logf("%d processes killed, %d edits told and %d steps back, %d by other programs, %d lost, %d revisions, %d uncertain",
		kills, len(told), carried, outside, lost, len(revisions), len(rep.Uncertain))
}
