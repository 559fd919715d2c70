package journal

import (
	"context"
	"database/sql"

	"memcurator/memstore/past"
)

// OpenGroup keeps the title of a group of edits; its number comes with the first revision.
func (j *Journal) OpenGroup(ctx context.Context, name, title string) error {
	return j.txUntil(ctx, "group", func(w *writer) error {
		return w.do("INSERT INTO grp (name, id, title) VALUES (?, 0, ?)", cutText(name), cutText(title))
	})
}

// GroupOf describes the group of this number; ErrNoRevision if there is none.
func (a *archive) GroupOf(ctx context.Context, group int64) (g past.GroupInfo, err error) {
	db, err := a.reader()
	if err != nil {
		return g, err
	}
	var at sql.NullInt64
	var title sql.NullString
	err = db.QueryRowContext(ctx, `SELECT count(*), min(time), count(undone_by), (SELECT title FROM grp WHERE id = ?1)
		FROM revision WHERE grp = ?1 OR rev = ?1`, group).Scan(&g.Revisions, &at, &g.Undone, &title)
	if err == nil && g.Revisions == 0 {
		err = &past.Error{Op: "group", Err: past.ErrNoRevision}
	}
	g.Group, g.Title, g.Time = group, title.String, timeOf(at)
	return g, failed("group", err)
}
