package screen

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/backend/files"
	"memcurator/memstore/config"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/memstore/search"
	"memcurator/memstore/statedir"
	"memcurator/tui"
)

// Way is how the interface opens each store of a run.
type Way struct {
	At       session.Opening // its identity opens encrypted stores
	ReadOnly bool
	Follow   func(session.Settings) bool
	// Note is the agent path to begin at in the store at Dir of At; empty: where the user was.
	Note string
}

// closing adds what must end after all that uses the store.
func closing(o tui.Opened, end func()) tui.Opened {
	before := o.Close
	o.Close = func() {
		before()
		end()
	}
	return o
}

// OpenStore opens a store for the interface, with its journal.
func OpenStore(run *session.Session, ctx context.Context, s session.Settings, dir string, way Way) (_ tui.Opened, err error) {
	var ends []func() // the last one first
	end := func() {
		for _, one := range slices.Backward(ends) {
			one()
		}
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	if s, err = run.ForStore(s, dir); err != nil {
		return tui.Opened{}, err
	}
	backend, err := run.OpenBackend(way.At.For(dir))
	if err != nil {
		return tui.Opened{}, err
	}
	ends = append(ends, func() { _ = backend.Close() })
	o := tui.Options{
		Title: session.Title(dir), Name: nameOf(run.Machine().Of(ctx, dir)),
		ReadOnly: way.ReadOnly, Follow: way.Follow(s), CopyDir: inMemory(), Summary: true,
		Transcripts: transcripts(run, dir),
		Titles: func(ctx context.Context, sessions []string) map[string]string {
			return titles(ctx, run.Machine(), dir, sessions)
		},
	}
	if dir == way.At.Dir {
		o.At = way.Note
	}
	if d, ok := backend.(interface{ Writable() bool }); ok && !o.ReadOnly && !d.Writable() {
		o.ReadOnly, o.Unwritable = true, true
	}
	if c, ok := backend.(*files.Folder); ok {
		if name, ok := c.NameOf(dir); ok {
			o.First = memstore.AgentPath(name)
		}
	}
	if !session.IsSealed(backend) { // the state folder would reveal names
		o.StateDir = run.State().Folder(dir)
		o.CopyDir = o.StateDir
		o.LeftEdits = run.State().LeftEdits(dir)
	}
	if err := openJournal(run, dir, backend, &o); err != nil {
		return tui.Opened{}, err
	}
	ends = append(ends, func() { leave(o.Journal.Close) })
	if o.Journal.Lasts() {
		if n, err := o.Journal.Emptied(ctx); err == nil && n > 0 { // the store and its past can still be viewed
			o.ReadOnly, o.Emptied = true, session.TextEmptied(dir, n)
		}
		if !o.ReadOnly {
			ends = append(ends, session.RetainBeside(ctx, o.Journal, s.Retention()))
		}
	}
	opened, err := open(run, ctx, s, backend, o)
	if err != nil {
		return tui.Opened{}, err
	}
	opened.Path, opened.Real = dir, realPath(dir)
	return closing(opened, end), nil
}

// nameOf is what a store is called beside its directory, whose names an agent may have made up: by the project, else by the agent. It is
// "" if its place says neither.
func nameOf(f discover.Found) string {
	switch {
	case f.Root != "":
		return filepath.Base(f.Root)
	case f.Project == "":
		return f.Agent
	}
	return f.Project
}

// WithoutStore opens the interface without a store.
func WithoutStore(run *session.Session, ctx context.Context, s session.Settings, o tui.Options) (tui.Opened, error) {
	o.Title, o.Unlinked, o.ReadOnly, o.CopyDir = "no store", true, true, inMemory()
	o.Transcripts = transcripts(run, "")
	backend := memstore.NewMemory()
	if err := journalInMemory(run, backend, &o); err != nil {
		return tui.Opened{}, err
	}
	end := func() {
		_ = o.Journal.Close() // in memory
		_ = backend.Close()
	}
	opened, err := open(run, ctx, s, backend, o)
	if err != nil {
		end()
		return tui.Opened{}, err
	}
	return closing(opened, end), nil
}

// Stores is how the interface lists the stores of this machine, and opens others than the one that it starts with.
func Stores(run *session.Session, way Way) *tui.Stores {
	m := &machineStores{run: run, way: way}
	stores := &tui.Stores{Source: m}
	if file, _ := run.ConfigFile(); file != os.DevNull {
		stores.Config = tui.ConfigPlace{File: file, Home: config.Home(run.Env.Getenv)}
	}
	return stores
}

// machineStores reads and opens the stores of this machine. It implements [tui.StoreSource]. Each act has a run and settings of its own,
// since the configuration may have changed since the last one, and prints nothing. Safe for concurrent use.
type machineStores struct {
	run *session.Session
	way Way
}

// settings are those of a run beside the interface.
func (m *machineStores) settings() (*session.Session, session.Settings, error) {
	quiet := m.run.Beside(io.Discard)
	s, err := quiet.LenientSettings()
	return quiet, s, err
}

func (m *machineStores) reader() (*overview.Reader, error) {
	quiet, s, err := m.settings()
	if err != nil {
		return nil, err
	}
	all := quiet.Overview(s)
	if dir := m.way.At.Dir; dir != "" { // the store that the program began with, wherever it is
		all.Named = append(all.Named, discover.Place{Dir: dir})
	}
	return all, nil
}

func (m *machineStores) Title(path string) string { return session.Title(path) }

func (m *machineStores) List(ctx context.Context, report func(tui.FoundStore)) error {
	all, err := m.reader()
	if err != nil {
		return err
	}
	real := map[string]string{}
	all.Each(ctx, func(row overview.Row) {
		at, known := real[row.Path]
		if !known {
			if at = row.Real; at == "" || row.Kind != discover.KindDir {
				at = realPath(row.Path)
			}
			real[row.Path] = at
		}
		report(tui.FoundStore{Row: row, Real: at})
	})
	return ctx.Err()
}

func (m *machineStores) Search(
	ctx context.Context, rows []tui.FoundStore, matcher *search.Matcher, report func(tui.Searched),
) error {
	quiet, s, err := m.settings()
	if err != nil {
		return err
	}
	return searchAll(ctx, quiet, s, rows, matcher, report)
}

func (m *machineStores) Open(ctx context.Context, c tui.StoreChoice) (tui.Opened, error) {
	quiet, s, err := m.settings()
	if err != nil {
		return tui.Opened{}, err
	}
	at := m.way
	at.Note = "" // of the store that the program began with
	at.At = m.way.At.For(c.Path)
	if c.Create && !at.ReadOnly {
		if err := os.MkdirAll(c.Path, 0o700); err != nil {
			return tui.Opened{}, session.OpenError(c.Path, err, true)
		}
	}
	return OpenStore(quiet, ctx, s, c.Path, at)
}

// realPath is where a store is, whatever names lead to it; "" if it is nowhere.
func realPath(dir string) string {
	if real, err := statedir.Real(dir); err == nil {
		return real
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	return full
}
