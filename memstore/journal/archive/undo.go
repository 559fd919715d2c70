package archive

import (
	"context"
	"database/sql"
	"encoding/json"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// What package undo needs besides the reading calls: see its Record.

// Newest returns the revisions of the user's newest group that an undo, or a redo, would undo; ErrNothing
// if there are none. The user's is what the curator did, or what was put into the store from a replay. A redo is of
// nothing once something was done since.
func (a *Archive) Newest(ctx context.Context, redo bool) (revs []int64, err error) {
	op, fits := "undo", "open IS NULL AND role = 0 AND undone_by IS NULL"
	if redo {
		op, fits = "redo", `open IS NULL AND role = 1 AND undone_by IS NULL
			AND rev > (SELECT max(coalesce((SELECT max(rev) FROM revision WHERE actor = 'curator' AND role = 0), 0),
				coalesce((SELECT max(rev) FROM revision INDEXED BY revision_grp WHERE grp IS NOT NULL AND actor = 'replay'), 0)))`
	}
	db, err := a.pool.Reader()
	if err != nil {
		return nil, err
	}
	revs, err = database.List[int64](db.QueryContext(ctx, `WITH fit AS (
		SELECT rev, coalesce(grp, rev) AS g FROM revision WHERE actor = 'curator' AND `+fits+`
		UNION ALL SELECT rev, grp FROM revision INDEXED BY revision_grp WHERE grp IS NOT NULL AND actor = 'replay' AND `+fits+`)
		SELECT rev FROM fit WHERE g = (SELECT g FROM fit ORDER BY rev DESC LIMIT 1)`))
	if err != nil {
		return nil, a.failed(op, err)
	}
	if len(revs) == 0 {
		return nil, &past.Error{Op: op, Err: past.ErrNothing}
	}
	return revs, nil
}

// Forward is the path that what a revision left at its path has today, there or not, as if the renames of without
// had not been.
func (a *Archive) Forward(ctx context.Context, r past.Revision, without map[int64]bool) (string, error) {
	db, err := a.pool.Reader()
	if err != nil {
		return "", err
	}
	name, err := forward(ctx, db, memstore.BackendName(r.Path), r.Rev, r.Shape == past.Removed, without)
	return memstore.AgentPath(name), a.failed("undo", err)
}

// Since counts what happened to agent paths after revision rev. What was undone since, with its undo, is as if it had not happened.
func (a *Archive) Since(ctx context.Context, rev int64, paths []string) (s past.Since, err error) {
	db, err := a.pool.Reader()
	if err != nil {
		return s, err
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = memstore.BackendName(path)
	}
	list, err := json.Marshal(names)
	if err != nil {
		return s, a.failed("undo", err)
	}
	var newest int64
	err = db.QueryRowContext(ctx, `WITH at (id) AS (SELECT p.id FROM json_each(?4) j JOIN path p ON p.name = j.value)
		SELECT count(*), coalesce(max(rev), 0) FROM revision WHERE open IS NULL AND rev > ?1 AND undone_by IS NULL
		AND NOT (role IN (?2, ?3) AND coalesce(undoes, ?1 + 1) > ?1) AND (path IN at OR old_path IN at)`,
		rev, int(schema.RoleUndo), int(schema.RoleRedo), string(list)).Scan(&s.Count, &newest)
	if err != nil || newest == 0 {
		return s, a.failed("undo", err)
	}
	s.Newest, err = a.Revision(ctx, newest)
	return s, err
}

// HadFolder reports whether a folder was at an agent path right before a revision.
func (a *Archive) HadFolder(ctx context.Context, path string, rev int64) (had bool, err error) {
	db, err := a.pool.Reader()
	if err != nil {
		return false, err
	}
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM entry e JOIN path p ON p.id = e.path
		WHERE p.name = ?1 AND e.kind = ?2 AND e.first < ?3 AND (e.last IS NULL OR e.last >= ?3))`,
		memstore.BackendName(path), int(memstore.KindDir), rev).Scan(&had)
	return had, a.failed("undo", err)
}

// GroupOf describes the group of this number; ErrNoRevision if there is none.
func (a *Archive) GroupOf(ctx context.Context, group int64) (g past.GroupInfo, err error) {
	db, err := a.pool.Reader()
	if err != nil {
		return g, err
	}
	var at sql.NullInt64
	var name, title sql.NullString
	err = db.QueryRowContext(ctx, `SELECT count(*), min(time), count(undone_by), (SELECT name FROM grp WHERE id = ?1),
		(SELECT title FROM grp WHERE id = ?1) FROM revision WHERE open IS NULL AND (grp = ?1 OR rev = ?1)`, group).
		Scan(&g.Revisions, &at, &g.Undone, &name, &title)
	if err == nil && g.Revisions == 0 {
		err = &past.Error{Op: "group", Err: past.ErrNoRevision}
	}
	g.Group, g.Name, g.Title, g.Time = group, name.String, title.String, schema.TimeOf(at)
	return g, a.failed("group", err)
}
