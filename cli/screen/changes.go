package screen

import (
	"context"
	"errors"

	"memcurator/cli/session"
	"memcurator/memstore/journal"
	"memcurator/memstore/overview"
	"memcurator/memstore/past"
	"memcurator/tui"
)

// changesOfStore is how many changes of a store are listed among those of all stores, the newest.
const changesOfStore = 500

// changesOfAll reads the newest changes of stores, one store after the other. A store without a journal has none.
func changesOfAll(ctx context.Context, all *overview.Reader, rows []tui.FoundStore, report func(tui.Searched)) error {
	shared := sharedBy(rows)
	var once overview.Once
	seen := 0
	for _, row := range rows {
		once.Begin()
		out, err := changesOf(ctx, all, row, func(r past.Revision) bool {
			seen++
			return once.Index(shared.Document(row.Path, r.Path), r, seen) == seen
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			out.Problem = "Can't read its journal: " + session.JournalReason(err)
		}
		report(out)
	}
	return nil
}

// changesOf reads the newest changes of a store, without those that isNew rejects: another journal has them.
func changesOf(
	ctx context.Context, all *overview.Reader, row tui.FoundStore, isNew func(past.Revision) bool,
) (out tui.Searched, err error) {
	out.Store = row.Path
	backend, err := all.Opener.Open(row.Found)
	if err != nil {
		return out, err
	}
	defer func() { _ = backend.Close() }() // it was only read
	record, err := all.Opener.Record(ctx, row.Found, backend)
	if err != nil {
		return out, err
	}
	defer record.Close()
	if record.NoJournal != nil || record.Journal == nil {
		return out, record.NoJournal
	}
	err = record.Journal.List(ctx, past.Filter{Newest: true, Limit: changesOfStore}, func(r past.Revision) bool {
		if !isNew(r) {
			return true
		}
		out.Found++
		out.Matches = append(out.Matches, tui.StoreMatch{Store: row.Path, Path: r.Path, Change: &r})
		return true
	})
	return out, err
}

// sideOf reads one side of a change of a store, with its secrets masked: those of a store that isn't open are in no list of the interface.
func sideOf(
	run *session.Session, ctx context.Context, s session.Settings, row tui.FoundStore, r past.Revision, side past.Side,
) ([]byte, error) {
	backend, err := run.Overview(s).Opener.Open(row.Found)
	if err != nil {
		return nil, errors.New("Can't read the store: " + session.StoreReason(err))
	}
	defer func() { _ = backend.Close() }() // it was only read
	j, err := run.OpenJournal(row.Path, journal.Options{Backend: backend, Look: true})
	if err != nil {
		return nil, errors.New("Can't read its journal: " + session.JournalReason(err))
	}
	defer func() { _ = j.Close() }() // it was only read
	data, err := j.Bytes(ctx, side)
	if err != nil || len(data) == 0 {
		return data, err
	}
	return []byte(masksOf(run, s, row.Path).Line(r.Path, data, data, 0)), nil
}
