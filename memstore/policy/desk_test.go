package policy_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/memstore/undo"
)

// desk is a store in a directory, with its journal.
type desk struct {
	t     testing.TB
	dir   string
	b     memstore.Backend
	j     *journal.Journal
	store *memstore.Store
	now   time.Time
}

// newDesk makes a store whose journal begins after prepare has filled it.
func newDesk(t testing.TB, prepare func(d *desk)) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), now: time.Now().Add(time.Minute)}
	prepare(d)
	b, err := memstore.OpenDir(d.dir, memstore.DirOptions{})
	d.must(err)
	d.b = b
	d.j, err = journal.Open(t.TempDir(), journal.Options{Backend: d.b, Process: "test", Now: func() time.Time { return d.now }})
	d.must(err)
	_, err = d.j.Sync(context.Background(), past.Hints{Unseen: true})
	d.must(err)
	d.store = memstore.New(d.b, memstore.Options{
		Origin: memstore.Origin{Actor: memstore.Curator}, Recorders: []memstore.Recorder{d.j}, Now: func() time.Time { return d.now },
		Warn: func(err error) { t.Errorf("the store warns: %v", err) },
	})
	t.Cleanup(func() {
		d.must(d.j.Close())
		d.must(d.b.Close())
	})
	return d
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) write(name, data string) {
	d.t.Helper()
	at := filepath.Join(d.dir, filepath.FromSlash(name))
	d.must(os.MkdirAll(filepath.Dir(at), 0o700))
	d.must(os.WriteFile(at, []byte(data), 0o640))
}

// age sets modification and access time.
func (d *desk) age(name string, by time.Duration) {
	d.t.Helper()
	at := d.now.Add(-by).Truncate(time.Microsecond)
	d.must(os.Chtimes(filepath.Join(d.dir, filepath.FromSlash(name)), at, at))
}

// plan makes a plan as the commands do.
func (d *desk) plan(p *policy.Policy) *policy.Plan {
	d.t.Helper()
	ctx := context.Background()
	_, err := d.j.Sync(ctx, past.Hints{Unseen: true})
	d.must(err)
	snap, err := memstore.New(d.b, memstore.Options{ReadOnly: true}).Scan(ctx, memstore.ScanOptions{})
	d.must(err)
	plan, err := policy.NewReader(d.b).Propose(ctx, p, policy.Input{Snapshot: snap, Journal: d.j, Now: d.now}, nil)
	d.must(err)
	return plan
}

func (d *desk) apply() policy.Apply { return policy.Apply{Store: d.store, Journal: d.j} }

func (d *desk) undo() {
	d.t.Helper()
	e := undo.NewEditor(d.j, d.store)
	p, err := e.PlanUndo(context.Background())
	d.must(err)
	if len(p.Conflicts) > 0 {
		d.t.Fatalf("undo has conflicts: %+v", p.Conflicts)
	}
	_, err = e.Carry(context.Background(), p)
	d.must(err)
}

// restoreEach reverses the newest group of the curator, one by one: deletions as the trash does, moves by a revert.
func (d *desk) restoreEach() {
	d.t.Helper()
	ctx := context.Background()
	list, err := past.Revisions(ctx, d.j, past.Filter{Actors: []memstore.Actor{memstore.Curator}})
	d.must(err)
	for _, r := range list {
		e := undo.NewEditor(d.j, d.store)
		plan := e.PlanRevert
		if r.Shape == past.Removed {
			plan = e.PlanPutBack
		}
		p, err := plan(ctx, r.Rev)
		d.must(err)
		_, err = e.Carry(ctx, p)
		d.must(err)
	}
}

// tree is every path with its kind, mode, time and bytes; times: with those of files.
func (d *desk) tree(times bool) string {
	d.t.Helper()
	var b strings.Builder
	d.must(filepath.WalkDir(d.dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == d.dir {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s", at[len(d.dir):], info.Mode())
		if !e.IsDir() {
			data, err := d.read(filepath.ToSlash(at[len(d.dir)+1:]), info.Size())
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", data)
			if times {
				b.WriteString(" " + info.ModTime().UTC().Format(time.RFC3339Nano))
			}
		}
		b.WriteByte('\n')
		return nil
	}))
	return b.String()
}

// read reads a file without moving its access time, which would be use.
func (d *desk) read(name string, size int64) ([]byte, error) {
	f, err := d.b.Open(name, memstore.Look)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, size)
	_, err = f.ReadAt(data, 0)
	return data, err
}
