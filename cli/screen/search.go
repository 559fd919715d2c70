package screen

import (
	"context"
	"runtime"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/overview"
	"memcurator/memstore/search"
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
	look := memstore.New(backend, memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}})
	found, err := search.Store(ctx, look, m, search.Options{
		Workers: max(1, runtime.NumCPU()-1), Keep: listOfStore, KeepFile: listOfFile, // leave a processor to the keys
	})
	if err != nil {
		return out, err
	}
	if out.Found = found.Names + found.Lines; found.Skips > 0 {
		out.Problem = "Can't search " + output.Counted(found.Skips, "file")
	}
	masks := &lineMasks{Masks: masksOf(run, s, row.Path), backend: backend}
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

// lineMasks masks the secrets in lines of one store.
type lineMasks struct {
	*session.Masks
	backend memstore.Backend
	path    string // of the note that was loaded last
	note    []byte // nil: it is too large, or can't be read
}

// masksOf masks the secrets of a store by what the configuration says about it.
func masksOf(run *session.Session, s session.Settings, dir string) *session.Masks {
	settings := func() session.Settings {
		own, err := run.ForStore(s, dir)
		if err != nil {
			return s
		}
		return own
	}
	return run.Masks(settings, func() string { return run.State().Left(dir) })
}

func (l *lineMasks) line(path string, h search.Hit) string {
	if path != l.path {
		l.path, l.note = path, session.NoteToMask(l.backend, path)
	}
	return l.Line(path, h.Text, l.note, h.Offset)
}
