package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Facts calls visit for every file and link that the journal takes to be there, in no order, until
// it returns false. It is one query over the live paths: about 3 µs each, whatever the number of
// revisions. Before the first comparison paths are missing. visit must not
// call the journal's writing methods.
func (j *Journal) Facts(ctx context.Context, visit func(past.Fact) bool) error {
	rows, err := j.db.QueryContext(ctx, `SELECT f.path, f.kind, f.size, b.sum, f.born, f.changed, f.restored, f.moved,
		f.written, coalesce(f.writes, 0), a.last, coalesce(a.views, 0)
		FROM file f LEFT JOIN blob b ON b.id = f.blob LEFT JOIN access a ON a.path = f.path WHERE f.kind IN (?, ?)`,
		int(memstore.KindFile), int(memstore.KindLink))
	if err != nil {
		return j.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var f past.Fact
		var name, sum sql.RawBytes
		var born, changed, restored, moved, written, viewed sql.NullInt64
		var writes, views int
		if err := rows.Scan(&name, &f.Kind, &f.Size, &sum, &born, &changed, &restored, &moved,
			&written, &writes, &viewed, &views); err != nil {
			return j.failed(err)
		}
		copy(f.Digest[:], sum)
		f.Path = memstore.AgentPath(string(name))
		f.FirstSeen, f.Changed = timeOf(born), timeOf(changed)
		f.Restored, f.Moved = timeOf(restored), timeOf(moved)
		f.Used, f.Uses = laterOf(timeOf(written), timeOf(viewed)), writes+views
		if !visit(f) {
			return nil
		}
	}
	return j.failed(rows.Err())
}

// laterOf is the later of two times.
func laterOf(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// Viewed implements [memstore.ViewRecorder]: it counts a view by the agent. Views by the curator are none.
func (j *Journal) Viewed(ctx context.Context, path string, o memstore.Origin, at time.Time) {
	if o.Actor == memstore.Curator || j.options.Look {
		return
	}
	err := j.tx(context.WithoutCancel(ctx), false, func(w *writer) {
		w.addViews(memstore.BackendName(path), past.Use{Views: 1, Last: at}, "views + excluded.views", false)
	})
	if err != nil && !errors.Is(err, past.ErrCorrupt) { // damage was told when it was found
		j.options.Warn(err)
	}
}

// addViews adds views of a path; count is what becomes of their number. Where names may have been purged, only paths that are there count.
func (w *writer) addViews(name string, u past.Use, count string, purged bool) {
	where := "TRUE"
	if purged {
		where = "EXISTS (SELECT 1 FROM file WHERE path = ?1)"
	}
	w.do(`INSERT INTO access (path, views, last) SELECT ?1, ?2, ?3 WHERE `+where+`
		ON CONFLICT (path) DO UPDATE SET views = `+count+`, last = max(last, excluded.last)`,
		name, u.Views, u.Last.UnixNano())
}

// LearnUses takes the agent's views of paths from a transcript, by agent path. Told again they count
// once: a path has as many views as the source with the most.
func (j *Journal) LearnUses(ctx context.Context, uses map[string]past.Use) error {
	if len(uses) == 0 {
		return nil
	}
	return j.tx(ctx, false, func(w *writer) {
		purged := w.row("SELECT 1 FROM meta WHERE key = ?", []any{metaPurges}, new(int))
		for path, u := range uses {
			w.addViews(memstore.BackendName(path), u, "max(views, excluded.views)", purged)
		}
	})
}
