package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transfer"
	"memcurator/memstore/undo"
)

// both undoes or redoes the last act in a store; the machine has the other stores.
func (s *store) both(command string, others ...*store) (left string, err error) {
	ctx := context.Background()
	open := func(_ context.Context, dir string) (transfer.Place, func(), error) {
		for _, other := range others {
			if other.dir == dir {
				return other.place, func() {}, nil
			}
		}
		return transfer.Place{}, nil, transfer.ErrNoJournal
	}
	e := undo.NewEditor(s.j, s.place.Store)
	p, err := transfer.PlanLast(ctx, e, s.j, command, open)
	if err != nil {
		return "", err
	}
	b, err := transfer.PlanBoth(ctx, p, open)
	if err != nil {
		return "", err
	}
	b.Close()
	if len(p.Conflicts) > 0 || len(p.Skipped) > 0 {
		return "", fmt.Errorf("%+v %+v: %w", p.Conflicts, p.Skipped, past.ErrConflict)
	}
	_, err = b.Carry(ctx, e)
	return b.Left, err
}

// pair makes two stores, with an index each, below a folder, and returns their trees.
func pair(t *testing.T, base string) (before [2]string) {
	t.Helper()
	for n, name := range []string{"from", "to"} {
		files := map[string]string{"MEMORY.md": "- [A](a.md) — one\n- [B](sub/b.md) — two\n", "a.md": "# A\n", "sub/b.md": "# B\n"}
		if n == 1 {
			files = map[string]string{"MEMORY.md": "- [C](c.md) — three\n", "c.md": "# C\n"}
		}
		s := newStore(t, name, files) // for its times
		if err := os.Rename(s.dir, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
		before[n] = (&store{t: t, dir: filepath.Join(base, name)}).tree()
	}
	return before
}

// openPair opens the stores of a pair; their titles are their directories.
func openPair(t *testing.T, base string, wrap func(memstore.Recorder) memstore.Recorder) (from, to *store) {
	t.Helper()
	from, to = kept(t, base, "from", wrap), kept(t, base, "to", wrap)
	from.place.Title, to.place.Title = from.dir, to.dir
	return from, to
}

// One undo in either store undoes a move in both, also after a restart, and one redo redoes it.
func TestUndoOfAMoveInBothStores(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"from", "to"} {
		base := t.TempDir()
		before := pair(t, base)
		from, to := openPair(t, base, nil)
		carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
		moved := [2]string{from.tree(), to.tree()}
		for round := range 2 {
			for _, command := range []string{"undo", "redo"} {
				here, there := from, to
				if at == "to" {
					here, there = to, from
				}
				if left, err := here.both(command, there); left != "" || err != nil {
					t.Fatalf("%s at %s: %q %v", command, at, left, err)
				}
				want := before
				if command == "redo" {
					want = moved
				}
				for n, s := range []*store{from, to} {
					if got := s.tree(); round == 0 && command == "undo" && got != want[n] || len(got) != len(want[n]) {
						t.Errorf("round %d: after the %s at %s, %s is\n%swant\n%s", round, command, at, s.dir, got, want[n])
					}
				}
			}
		}
	}
}

// An undo where the other store can't be changed: the notes are never lost, and the next undo does the rest.
func TestUndoOfAMoveWithoutTheOtherStore(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	before := pair(t, base)
	from, to := openPair(t, base, nil)
	carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
	moved := to.tree()
	if _, err := to.both("undo"); err == nil || !strings.HasSuffix(err.Error(), "from: it has no journal. Nothing changed") || to.tree() != moved {
		t.Errorf("without the source, the only copy would go: %v", err)
	}
	if left, err := from.both("undo"); err != nil || left != "Not undone in "+to.dir+": it has no journal" || from.tree() != before[0] {
		t.Errorf("%q %v", left, err)
	}
	if _, err := from.both("undo"); !errors.Is(err, past.ErrNothing) {
		t.Errorf("there is no act before the move: %v", err)
	}
	if _, err := from.both("undo", to); err != nil || to.tree() != before[1] {
		t.Errorf("the rest: %v\n%s", err, to.tree())
	}
	if _, err := from.both("redo"); err == nil || !strings.Contains(err.Error(), "Can't redo the move without") || from.tree() != before[0] {
		t.Errorf("without the destination, the redo would delete the only copy: %v", err)
	}
	if left, err := to.both("redo"); err != nil || !strings.HasPrefix(left, "Not redone in ") {
		t.Errorf("%q %v", left, err)
	}
	if _, err := to.both("redo", from); err != nil || from.text("a.md") != "-" {
		t.Errorf("the rest of the redo: %v %s", err, from.tree())
	}
}

// undoEnv has the folder of the stores, the one in which the worker undoes, and the step before which it kills itself.
const undoEnv = "MEMCURATOR_TEST_KILL_UNDO"

func TestKilledUndoer(t *testing.T) {
	words := strings.Split(os.Getenv(undoEnv), "|")
	if len(words) < 3 {
		t.Skip("only for the test below")
	}
	left, err := strconv.Atoi(words[2])
	if err != nil {
		t.Fatal(err)
	}
	from, to := openPair(t, words[0], func(r memstore.Recorder) memstore.Recorder { return killer{r, &left} })
	here, there := from, to
	if words[1] == "to" {
		here, there = to, from
	}
	if _, err := here.both("undo", there); err != nil {
		t.Fatal(err)
	}
	fmt.Println("not killed")
}

// An undo of a move that is killed at any step leaves every note in one of the stores, and a second undo, in the same store, finishes it.
func TestUndoOfAMoveKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"from", "to"} {
		for step := 0; ; step++ {
			base := t.TempDir()
			before := pair(t, base)
			from, to := openPair(t, base, nil)
			carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
			from.must(from.j.Close())
			to.must(to.j.Close())
			c := exec.Command(os.Args[0], "-test.run", "^TestKilledUndoer$", "-test.v")
			c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%d", undoEnv, base, at, step))
			out, err := c.CombinedOutput()
			if err == nil {
				if !strings.Contains(string(out), "not killed") || step < 20 {
					t.Fatalf("step %d: %s", step, out)
				}
				break
			}
			from, to = openPair(t, base, nil)
			for note, text := range map[string]string{"a.md": "# A\n", "sub/b.md": "# B\n"} {
				if from.text(note) != text && to.text(note) != text {
					t.Errorf("killed at step %d of the undo at %s: %s is lost", step, at, note)
				}
			}
			here, there := from, to
			if at == "to" {
				here, there = to, from
			}
			if _, err := here.both("undo", there); err != nil && !errors.Is(err, past.ErrNothing) { // it was killed after its last step
				t.Fatalf("killed at step %d of the undo at %s: %v", step, at, err)
			}
			for n, s := range []*store{from, to} {
				if got := s.tree(); got != before[n] {
					t.Errorf("killed at step %d of the undo at %s: after a second one %s is\n%swant\n%s", step, at, s.dir, got, before[n])
				}
			}
		}
	}
}

// A file with later edits in the other store stays there, and the store at hand gets its own one back, so that no text is lost.
func TestUndoOfAMoveWithLaterEditsInTheOtherStore(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	pair(t, base)
	from, to := openPair(t, base, nil)
	before := from.tree()
	carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
	if err := os.WriteFile(filepath.Join(to.dir, "a.md"), []byte("# Another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	left, err := from.both("undo", to)
	if err != nil || left != "a.md in "+to.dir+" was edited later and stays" {
		t.Errorf("%q %v", left, err)
	}
	if from.tree() != before || to.text("a.md") != "# Another\n" {
		t.Errorf("%s\nwant\n%s\nthere %q", from.tree(), before, to.text("a.md"))
	}
	if _, err := from.both("undo", to); !errors.Is(err, past.ErrNothing) {
		t.Errorf("the undo isn't over: %v", err)
	}
}
