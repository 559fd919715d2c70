package transfer_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/transfer"
)

// killEnv has the folder of the stores, and the step before which the worker kills itself.
const killEnv = "MEMCURATOR_TEST_KILL"

// killer ends the process without a further word at a step of the recording: before and after an edit is announced, and before and
// after it is settled.
type killer struct {
	memstore.Recorder
	left *int
}

func (k killer) step() {
	if *k.left--; *k.left < 0 {
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		select {}
	}
}

func (k killer) Begin(ctx context.Context, e *memstore.Edit) (func(error), error) {
	k.step()
	end, err := k.Recorder.Begin(ctx, e)
	k.step()
	return func(err error) {
		k.step()
		end(err)
		k.step()
	}, err
}

// kept opens a store and its journal below a folder, which stay.
func kept(t testing.TB, base, name string, wrap func(memstore.Recorder) memstore.Recorder) *store {
	t.Helper()
	s := &store{t: t, dir: filepath.Join(base, name)}
	state := filepath.Join(base, name+"-state")
	s.must(os.MkdirAll(state, 0o700))
	b, err := memstore.OpenDir(s.dir, memstore.DirOptions{})
	s.must(err)
	s.j, err = journal.Open(state, journal.Options{Backend: b, Process: "test"})
	s.must(err)
	_, err = s.j.Sync(context.Background(), past.Hints{Unseen: true})
	s.must(err)
	r := memstore.Recorder(s.j)
	if wrap != nil {
		r = wrap(r)
	}
	s.place = transfer.Place{Title: name, Record: s.j,
		Store: memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{r}})}
	t.Cleanup(func() {
		_ = s.j.Close()
		_ = b.Close()
	})
	return s
}

func TestKilledMover(t *testing.T) {
	base, step, ok := strings.Cut(os.Getenv(killEnv), "|")
	if !ok {
		t.Skip("only for the test below")
	}
	left, err := strconv.Atoi(step)
	if err != nil {
		t.Fatal(err)
	}
	wrap := func(r memstore.Recorder) memstore.Recorder { return killer{r, &left} }
	from, to := kept(t, base, "from", wrap), kept(t, base, "to", wrap)
	carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
	fmt.Println("not killed")
}

// A move that is killed at any step and run again loses and doubles nothing, and an undo of both runs in each store restores every byte.
func TestMoveKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	notes := map[string]string{"a.md": "# A\n", "sub/b.md": "# B\n"}
	for step := 0; ; step++ {
		base := t.TempDir()
		before := map[string]string{}
		for name, files := range map[string]map[string]string{"from": notes, "to": {"c.md": "# C\n"}} {
			s := newStore(t, name, files) // for its times
			if err := os.Rename(s.dir, filepath.Join(base, name)); err != nil {
				t.Fatal(err)
			}
			before[name] = (&store{t: t, dir: filepath.Join(base, name)}).tree()
		}
		c := exec.Command(os.Args[0], "-test.run", "^TestKilledMover$", "-test.v")
		c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d", killEnv, base, step))
		out, err := c.CombinedOutput()
		if err == nil {
			if !strings.Contains(string(out), "not killed") || step < 10 {
				t.Fatalf("step %d: %s", step, out)
			}
			return
		}
		from, to := kept(t, base, "from", nil), kept(t, base, "to", nil)
		for note, text := range notes {
			if from.text(note) != text && to.text(note) != text {
				t.Errorf("killed at step %d: %s is lost", step, note)
			}
		}
		carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
		for note, text := range notes {
			if from.text(note) != "-" || to.text(note) != text {
				t.Errorf("killed at step %d: %s is %q and %q after the second move", step, note, from.text(note), to.text(note))
			}
		}
		for _, s := range []*store{from, to} {
			for undone := 0; undone < 2 && s.tree() != before[s.place.Title]; undone++ {
				s.undo()
			}
			if got := s.tree(); got != before[s.place.Title] {
				t.Errorf("killed at step %d: after the undo %s is\n%swant\n%s", step, s.place.Title, got, before[s.place.Title])
			}
		}
	}
}
