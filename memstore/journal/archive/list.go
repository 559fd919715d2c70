package archive

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// revisionColumns are what scanRevision reads.
const revisionColumns = `r.rev, r.time, r.actor, r.command, r.kind, r.shape, p.name, o.name, r.before_mode, r.after_mode,
	r.before_mtime, r.after_mtime,
	r.before, b.sum, b.size, b.data IS NOT NULL, b.why, r.after, a.sum, a.size, a.data IS NOT NULL, a.why,
	r.added, r.removed, r.session, r.model, r.tool, r.turn, r.process, r.grp, r.unread, r.note, r.undoes, r.undone_by,
	g.hash, g.title`

const revisionFrom = ` FROM revision r JOIN path p ON p.id = r.path LEFT JOIN path o ON o.id = r.old_path
	LEFT JOIN blob b ON b.id = r.before LEFT JOIN blob a ON a.id = r.after LEFT JOIN git_commit g ON g.id = r.landed`

// listPage is how many revisions are read per query. No rows are open while a visitor has them, so it may call the journal, and
// no writer waits for it.
const listPage = 500

// List calls visit for the revisions that the filter leaves, until it returns false. What is recorded meanwhile may be
// visited too, where they come oldest first.
func (a *Archive) List(ctx context.Context, f past.Filter, visit func(past.Revision) bool) error {
	left := f.Limit
	for {
		page, more, err := a.listPage(ctx, f, left)
		if err != nil {
			return a.failed("list", err)
		}
		for i := range page {
			if !visit(page[i]) {
				return nil
			}
			if left--; left == 0 {
				return nil
			}
		}
		if !more {
			return nil
		}
		if last := page[len(page)-1].Rev; f.Newest {
			f.Before = last
		} else {
			f.After = last
		}
	}
}

// listPage reads the first revisions that a filter leaves; more: there may be others. left is how many are still
// wanted, 0 or less for all.
func (a *Archive) listPage(ctx context.Context, f past.Filter, left int) (page []past.Revision, more bool, err error) {
	db, err := a.pool.Reader()
	if err != nil {
		return nil, false, err
	}
	where, args := where(f)
	query := "SELECT " + revisionColumns + revisionFrom + where + " ORDER BY r.rev"
	if f.Newest {
		query += " DESC"
	}
	limit := listPage
	if left > 0 {
		limit = min(limit, left)
	}
	page, err = revisionsOf(db.QueryContext(ctx, query+" LIMIT ?", append(args, limit)...))
	if err == nil {
		err = nameStores(ctx, db, page)
	}
	return page, len(page) == limit, err
}

// querier is a database, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// nameStores adds the other store to the revisions of transfers. The titles of groups have no index by number: one look at them serves the
// whole page.
func nameStores(ctx context.Context, db querier, page []past.Revision) error {
	said := map[int64]string{}
	var groups []any
	for i := range page {
		r := &page[i]
		if _, known := said[r.Group]; !known && r.Group != 0 && transferred(r) {
			said[r.Group] = ""
			groups = append(groups, r.Group)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	rows, err := db.QueryContext(ctx, "SELECT id, title FROM grp WHERE id IN (?"+strings.Repeat(", ?", len(groups)-1)+")", groups...)
	err = database.Rows(rows, err).Each(func(row *sql.Rows) error {
		var group int64
		var title sql.NullString
		err := row.Scan(&group, &title)
		if t, ok := past.ParseTransfer(title.String); ok {
			said[group] = t.String()
		}
		return err
	})
	for i := range page {
		if r := &page[i]; transferred(r) {
			r.Transfer = said[r.Group]
		}
	}
	return err
}

// transferred reports whether a revision may be of a note that a transfer brought or deleted.
func transferred(r *past.Revision) bool {
	return r.Actor == memstore.Curator && r.Kind != memstore.KindDir && r.OldPath == "" &&
		(r.Command == past.CmdMove || r.Command == past.CmdCopy)
}

// revisionsOf reads and closes rows.
func revisionsOf(rows *sql.Rows, err error) ([]past.Revision, error) {
	var list []past.Revision
	err = database.Rows(rows, err).Each(func(row *sql.Rows) error {
		r, err := scanRevision(row)
		list = append(list, r)
		return err
	})
	return list, err
}

// Revision returns the revision with this number, or ErrNoRevision.
func (a *Archive) Revision(ctx context.Context, rev int64) (past.Revision, error) {
	list, err := past.Revisions(ctx, a, past.Filter{After: rev - 1, Before: rev + 1})
	if err == nil && len(list) == 0 {
		err = &past.Error{Op: "show", Err: past.ErrNoRevision}
	}
	if err != nil {
		return past.Revision{}, err
	}
	return list[0], nil
}

func where(f past.Filter) (string, []any) {
	parts := []string{"r.open IS NULL"}
	var args []any
	add := func(part string, values ...any) {
		parts = append(parts, part)
		args = append(args, values...)
	}
	if len(f.Actors) > 0 {
		add("r.actor IN (?"+strings.Repeat(", ?", len(f.Actors)-1)+")", anys(f.Actors)...)
	}
	if len(f.Commands) > 0 {
		add("r.command IN (?"+strings.Repeat(", ?", len(f.Commands)-1)+")", anys(f.Commands)...)
	}
	switch name := memstore.BackendName(f.Path); {
	case f.Path == "" || name == "." && !f.Exact:
	case f.Exact:
		const one = "(SELECT id FROM path WHERE name = ?)"
		add("(r.path = "+one+" OR r.old_path = "+one+")", name, name)
	default:
		from, to := pathname.Below(name)
		const some = "IN (SELECT id FROM path WHERE name = ? OR name >= ? AND name < ?)"
		add("(r.path "+some+" OR r.old_path "+some+")", name, from, to, name, from, to)
	}
	if !f.Since.IsZero() {
		add("r.time >= ?", f.Since.UnixNano())
	}
	if !f.Until.IsZero() {
		add("r.time < ?", f.Until.UnixNano())
	}
	if f.Session != "" {
		add("r.session = ?", schema.Cut(f.Session))
	}
	if f.Group != 0 {
		add("(r.grp = ? OR r.rev = ?)", f.Group, f.Group)
	}
	if f.Unread {
		add("r.unread = 1")
	}
	if f.Removed {
		add(`r.shape = ? AND r.undone_by IS NULL
			AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.path = r.path AND e.last IS NULL)
			AND NOT EXISTS (SELECT 1 FROM revision n WHERE n.path = r.path AND n.rev > r.rev AND n.shape = r.shape)`, int(past.Removed))
	}
	if f.After != 0 {
		add("r.rev > ?", f.After)
	}
	if f.Before != 0 {
		add("r.rev < ?", f.Before)
	}
	return " WHERE " + strings.Join(parts, " AND "), args
}

func anys[T ~string](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// sideColumns are what a row has of one side.
type sideColumns struct {
	blob, size, mode, mtime sql.NullInt64
	sum                     []byte
	kept                    bool
	why                     sql.NullString
}

func (c *sideColumns) side() past.Side {
	s := past.Side{Size: c.size.Int64, Kept: c.blob.Valid && c.kept, Why: c.why.String, Mode: fs.FileMode(c.mode.Int64),
		ModTime: schema.TimeOf(c.mtime)}
	copy(s.Digest[:], c.sum)
	if c.blob.Valid && !s.Kept && s.Why == "" {
		s.Why = past.ErrNotKept.Error()
	}
	return s
}

func scanRevision(rows *sql.Rows) (past.Revision, error) {
	var r past.Revision
	var at int64
	var path string
	var before, after sideColumns
	var old, session, model, tool, process, note, hash, title sql.NullString
	var turn, group, undoes, undone sql.NullInt64
	err := rows.Scan(&r.Rev, &at, &r.Actor, &r.Command, &r.Kind, &r.Shape, &path, &old, &before.mode, &after.mode, &before.mtime, &after.mtime,
		&before.blob, &before.sum, &before.size, &before.kept, &before.why, &after.blob, &after.sum, &after.size, &after.kept, &after.why,
		&r.Added, &r.Removed, &session, &model, &tool, &turn, &process, &group, &r.Unread, &note, &undoes, &undone, &hash, &title)
	if err != nil {
		return r, err
	}
	r.Time, r.Path = schema.Time(at), memstore.AgentPath(path)
	if old.Valid {
		r.OldPath = memstore.AgentPath(old.String)
	}
	r.Before, r.After = before.side(), after.side()
	r.Before.Exists, r.After.Exists = r.Shape != past.Made, r.Shape != past.Removed
	r.Session, r.Model, r.ToolUseID, r.Process, r.Note = session.String, model.String, tool.String, process.String, past.Note(note.String)
	r.Turn, r.Commit, r.Message = int(turn.Int64), hash.String, title.String
	r.Group, r.Undoes, r.UndoneBy = group.Int64, undoes.Int64, undone.Int64
	return r, nil
}

// Bytes reads one side of a revision; ErrNotKept, with the reason in Side.Why, where they are not
// there, ErrNotThere for a side that does not exist or a folder. The caller may keep the slice.
func (a *Archive) Bytes(ctx context.Context, s past.Side) ([]byte, error) {
	switch {
	case s.Digest != (memstore.Digest{}):
	case s.Exists && s.Why != "":
		return nil, &past.Error{Op: "read", Err: past.ErrNotKept}
	default:
		return nil, &past.Error{Op: "read", Err: past.ErrNotThere}
	}
	db, err := a.pool.Reader()
	if err != nil {
		return nil, err
	}
	var id int64
	err = db.QueryRowContext(ctx, "SELECT id FROM blob WHERE sum = ?", s.Digest[:]).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &past.Error{Op: "read", Err: past.ErrNotKept}
	}
	if err != nil {
		return nil, a.failed("read", err)
	}
	data, err := content.Bytes(ctx, db, id)
	return data, a.failed("read", err)
}

// Last returns the number of the newest revision, 0 for none.
func (a *Archive) Last(ctx context.Context) (rev int64, err error) {
	db, err := a.pool.Reader()
	if err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(rev), 0) FROM revision WHERE open IS NULL").Scan(&rev)
	return rev, a.failed("list", err)
}

// At is the number of the newest revision at a moment, 0 for a time before the first.
func (a *Archive) At(ctx context.Context, at time.Time) (rev int64, err error) {
	db, err := a.pool.Reader()
	if err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(rev), 0) FROM revision WHERE open IS NULL AND time <= ?", at.UnixNano()).Scan(&rev)
	return rev, a.failed("list", err)
}
