package screen

import (
	"bytes"
	"context"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/overview"
	"memcurator/memstore/scrub"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/tui"
)

// The bounds of what is listed of a search of all stores; the counts are complete.
const (
	listOfStore = 200
	listOfFile  = 20
)

// searchAll searches stores one after the other. What is listed has its secrets masked.
func searchAll(ctx context.Context, run *session.Session, s session.Settings, rows []tui.FoundStore, m *search.Matcher,
	report func(tui.Searched)) error {
	reader := run.Overview(s)
	for _, row := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		out, err := searchStore(ctx, run, s, reader, row, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			out.Problem = "Can't search it: " + session.StoreReason(err)
		}
		report(out)
	}
	return nil
}

func searchStore(ctx context.Context, run *session.Session, s session.Settings, reader *overview.Reader,
	row tui.FoundStore, m *search.Matcher) (out tui.Searched, err error) {
	out.Store = row.Path
	backend, err := reader.Opener.Open(row.Found)
	if err != nil {
		return out, err
	}
	defer func() { _ = backend.Close() }() // it was only read
	found, err := search.Store(ctx, session.Look(backend, s.Dialect), m, search.Options{
		Keep: listOfStore, KeepFile: listOfFile,
	})
	if err != nil {
		return out, err
	}
	if out.Found = found.Names + found.Lines; found.Skips > 0 {
		out.Problem = "Can't search " + text.Count(found.Skips, "file")
	}
	if len(found.Found) == 0 {
		return out, nil
	}
	masks := masksOf(run, s, row.Path, backend)
	for _, f := range found.Found {
		if len(f.Name) > 0 || f.Binary {
			out.Matches = append(out.Matches, tui.StoreMatch{Path: f.Path})
		}
		for _, h := range f.Hits {
			out.Matches = append(out.Matches, tui.StoreMatch{Path: f.Path, Line: h.Line, Text: masks.line(f.Path, h)})
		}
		if len(out.Matches) > listOfStore {
			break
		}
	}
	return out, nil
}

// maskedNote bounds the notes that are scanned as a whole for what is in a line of theirs, in bytes: of larger ones the line is.
const maskedNote = 1 << 20

// lineMasks hides the secrets in lines of one store.
type lineMasks struct {
	engine  *scrub.Engine
	state   *findings.State
	backend memstore.Backend
	path    string // of the note that was loaded last
	note    []byte // nil: it is too large, or can't be read
}

// masksOf hides the secrets of a store by what the configuration says about it.
func masksOf(run *session.Session, s session.Settings, dir string, b memstore.Backend) *lineMasks {
	if own, err := run.ForStore(s, dir); err == nil {
		s = own
	}
	l := &lineMasks{engine: run.SomeEngine(s, func(string) {}), backend: b}
	l.state, _ = findings.OpenState(run.State().Left(dir)) // without it, nothing is dismissed
	return l
}

func (l *lineMasks) line(path string, h search.Hit) string {
	if path != l.path {
		l.path = path
		l.note, _ = memstore.ReadFile(l.backend, memstore.BackendName(path), memstore.Look, maskedNote) // else the line is scanned alone
	}
	note, from := l.note, h.Offset
	if from+len(h.Text) > len(note) || !bytes.Equal(note[from:from+len(h.Text)], h.Text) { // it changed since it was searched
		note, from = h.Text, 0
	}
	return findings.MaskLine(l.engine, l.state, path, note, from, from+len(h.Text))
}
