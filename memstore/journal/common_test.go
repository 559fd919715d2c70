package journal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// desk is a store in a directory with its journal.
type desk struct {
	t     testing.TB
	dir   string // of the store
	state string // of the journal
	j     *Journal
	store *memstore.Store
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), state: t.TempDir()}
	d.open(Options{})
	t.Cleanup(d.close)
	return d
}

// open opens journal and store as one process does.
func (d *desk) open(o Options) {
	d.t.Helper()
	backend, err := memstore.OpenDir(d.dir, memstore.DirOptions{})
	d.must(err)
	o.Backend, o.Process = backend, "test"
	if o.Warn == nil {
		o.Warn = func(err error) { d.t.Errorf("the journal warns: %v", detail(err)) }
	}
	if strings.HasPrefix(d.t.Name(), "TestInMemory/") {
		d.j, err = Memory(o)
	} else {
		d.j, err = Open(d.state, o)
	}
	d.must(err)
	d.store = memstore.New(backend, memstore.Options{
		Recorders: []memstore.Recorder{d.j}, Overwrite: true,
		Warn: func(err error) { d.t.Errorf("the store warns: %v", err) },
	})
}

func (d *desk) close() {
	if d.j != nil {
		d.must(d.j.Close())
		d.must(d.store.Close())
	}
	d.j = nil
}

// reopen ends one process and begins another; a journal in memory stays open.
func (d *desk) reopen() {
	if !d.j.Lasts() {
		return
	}
	d.close()
	d.open(Options{})
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(detail(err))
	}
}

// detail is an error with its cause.
func detail(err error) string {
	if e, ok := err.(*past.Error); ok && e.Cause != nil {
		return e.Error() + ": " + e.Cause.Error()
	}
	return err.Error()
}

// do runs a command of the agent that must succeed.
func (d *desk) do(c memstore.Command) {
	d.t.Helper()
	d.as(memstore.Agent, c)
}

func (d *desk) as(a memstore.Actor, c memstore.Command) {
	d.t.Helper()
	if r := d.store.Do(memstore.WithOrigin(context.Background(), memstore.Origin{Actor: a}), c); r.IsError {
		d.t.Fatalf("%s %s%s: %s", c.Name, c.Path, c.OldPath, r.Content)
	}
}

func create(path, text string) memstore.Command {
	return memstore.Command{Name: memstore.CmdCreate, Path: path, FileText: text}
}

func replace(path, old, new string) memstore.Command {
	return memstore.Command{Name: memstore.CmdStrReplace, Path: path, OldStr: old, NewStr: new}
}

func remove(path string) memstore.Command {
	return memstore.Command{Name: memstore.CmdDelete, Path: path}
}

func rename(from, to string) memstore.Command {
	return memstore.Command{Name: memstore.CmdRename, OldPath: from, NewPath: to}
}

// outside writes a file as another program does.
func (d *desk) outside(name, text string) {
	d.t.Helper()
	at := filepath.Join(d.dir, filepath.FromSlash(name))
	d.must(os.MkdirAll(filepath.Dir(at), 0o755))
	d.must(os.WriteFile(at, []byte(text), 0o644))
}

func (d *desk) gone(name string) {
	d.t.Helper()
	d.must(os.RemoveAll(filepath.Join(d.dir, filepath.FromSlash(name))))
}

func (d *desk) revisions() []past.Revision {
	d.t.Helper()
	list, err := past.Revisions(context.Background(), d.j, past.Filter{})
	d.must(err)
	return list
}

// story is the list of revisions in short: actor, command, path.
func (d *desk) story() []string {
	d.t.Helper()
	var out []string
	for _, r := range d.revisions() {
		s := string(r.Actor) + " " + r.Command + " "
		if r.OldPath != "" {
			s += r.OldPath + " "
		}
		s += r.Path
		if r.Note != "" {
			s += " (" + string(r.Note) + ")"
		}
		out = append(out, s)
	}
	return out
}
