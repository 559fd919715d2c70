package journal

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// revisionColumns are what scanRevision reads.
const revisionColumns = `r.rev, r.time, r.actor, r.command, r.kind, r.shape, r.path, r.old_path, r.made, r.before_mode, r.after_mode,
	r.before_mtime, r.after_mtime,
	r.before, b.sum, b.size, b.data IS NOT NULL, b.why, r.after, a.sum, a.size, a.data IS NOT NULL, a.why,
	r.added, r.removed, r.session, r.model, r.tool, r.turn, r.process, r.grp, r.unread, r.note, r.undoes, r.undone_by,
	t.title`

const revisionFrom = ` FROM revision r LEFT JOIN blob b ON b.id = r.before LEFT JOIN blob a ON a.id = r.after
	LEFT JOIN grp t ON t.id = r.grp AND t.id > 0`

// listPage is how many revisions are read per query. No rows are open while a visitor has them, so it may call the journal, and
// no writer waits for it.
const listPage = 500

// List calls visit for the revisions that the filter leaves, until it returns false. What is recorded meanwhile may be
// visited too, where they come oldest first.
func (j *Journal) List(ctx context.Context, f past.Filter, visit func(past.Revision) bool) error {
	left := f.Limit
	var only []int64
	if f.Follow {
		var err error
		if only, err = lineage(ctx, j.db, memstore.BackendName(f.Path), cmp.Or(f.Before, math.MaxInt64)); err != nil {
			return j.failed(err)
		}
	}
	for {
		page, more, err := j.listPage(ctx, f, only, left)
		if err != nil {
			return j.failed(err)
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
func (j *Journal) listPage(ctx context.Context, f past.Filter, only []int64, left int) (page []past.Revision, more bool, err error) {
	query, args := where(f, only)
	query += " ORDER BY r.rev"
	if f.Newest {
		query += " DESC"
	}
	limit := listPage
	if left > 0 {
		limit = min(limit, left)
	}
	page, err = revisionsOf(ctx, j.db, query+" LIMIT ?", append(args, limit)...)
	return page, len(page) == limit, err
}

// transferred reports whether a revision may be of a note that a transfer brought or deleted.
func transferred(r *past.Revision) bool {
	return r.Actor == memstore.Curator && r.Kind != memstore.KindDir && r.OldPath == "" &&
		(r.Command == past.CmdMove || r.Command == past.CmdCopy)
}

// revisionsOf reads the revisions that a condition leaves, but for open ones.
func revisionsOf(ctx context.Context, db querier, where string, args ...any) (list []past.Revision, err error) {
	rows, err := db.QueryContext(ctx, "SELECT "+revisionColumns+revisionFrom+" WHERE r.open IS NULL AND "+where, args...)
	err = each(rows, err, func(row *sql.Rows) error {
		r, err := scanRevision(row)
		list = append(list, r)
		return err
	})
	return list, err
}

// Revision returns the revision with this number, or ErrNoRevision.
func (j *Journal) Revision(ctx context.Context, rev int64) (past.Revision, error) {
	var list []past.Revision
	var err error
	if rev > 0 {
		list, err = past.Revisions(ctx, j, past.Filter{After: rev - 1, Before: rev + 1})
	}
	if err == nil && len(list) == 0 {
		err = &past.Error{Err: past.ErrNoRevision}
	}
	if err != nil {
		return past.Revision{}, err
	}
	return list[0], nil
}

func where(f past.Filter, only []int64) (string, []any) {
	parts := []string{"TRUE"}
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
	case only != nil:
		list, _ := json.Marshal(only) // numbers are always marshalled
		add("r.rev IN (SELECT value FROM json_each(?))", string(list))
	case f.Path == "" || name == "." && !f.Exact:
	case f.Exact:
		add("(r.path = ? OR r.old_path = ?)", name, name)
	default:
		from, to := below(name)
		add("(r.path = ? OR r.path >= ? AND r.path < ? OR r.old_path = ? OR r.old_path >= ? AND r.old_path < ?)", name, from, to, name, from, to)
	}
	if !f.Since.IsZero() {
		add("r.time >= ?", f.Since.UnixNano())
	}
	if !f.Until.IsZero() {
		add("r.time < ?", f.Until.UnixNano())
	}
	if f.Session != "" {
		add("r.session = ?", cut(f.Session))
	}
	if f.Group != 0 {
		add("(r.grp = ? OR r.rev = ?)", f.Group, f.Group)
	}
	if f.Unread {
		add("r.unread = 1 AND (r.undone_by IS NULL OR r.undone_by = r.rev)") // there is nothing to review of what was reverted
	}
	if f.Removed {
		add(`r.shape = ? AND r.undone_by IS NULL
			AND NOT EXISTS (SELECT 1 FROM file f WHERE f.path = r.path AND f.kind = r.kind)
			AND NOT EXISTS (SELECT 1 FROM revision n WHERE n.path = r.path AND n.rev > r.rev AND n.shape = r.shape)`, int(past.Removed))
	}
	if f.After != 0 {
		add("r.rev > ?", f.After)
	}
	if f.Before != 0 {
		add("r.rev < ?", f.Before)
	}
	return strings.Join(parts, " AND "), args
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
		ModTime: timeOf(c.mtime)}
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
	var old, session, model, tool, process, note, title sql.NullString
	var turn, group, undoes, undone sql.NullInt64
	err := rows.Scan(&r.Rev, &at, &r.Actor, &r.Command, &r.Kind, &r.Shape, &path, &old, &r.Folders,
		&before.mode, &after.mode, &before.mtime, &after.mtime,
		&before.blob, &before.sum, &before.size, &before.kept, &before.why, &after.blob, &after.sum, &after.size, &after.kept, &after.why,
		&r.Added, &r.Removed, &session, &model, &tool, &turn, &process, &group, &r.Unread, &note, &undoes, &undone, &title)
	if err != nil {
		return r, err
	}
	r.Time, r.Path = time.Unix(0, at), memstore.AgentPath(path)
	if old.Valid {
		r.OldPath = memstore.AgentPath(old.String)
	}
	r.Before, r.After = before.side(), after.side()
	r.Before.Exists, r.After.Exists = r.Shape != past.Made, r.Shape != past.Removed
	r.Session, r.Model, r.ToolUseID, r.Process, r.Note = session.String, model.String, tool.String, process.String, past.Note(note.String)
	r.Turn = int(turn.Int64)
	r.Group, r.Undoes, r.UndoneBy = group.Int64, undoes.Int64, undone.Int64
	if r.Title = title.String; transferred(&r) {
		r.Transfer = r.Title
	}
	return r, nil
}

// Bytes reads one side of a revision; ErrNotKept, with the reason as its cause, where they are not there, ErrNotThere for a side that does
// not exist or a folder. The caller may keep the slice.
func (j *Journal) Bytes(ctx context.Context, s past.Side) ([]byte, error) {
	if s.Digest == (memstore.Digest{}) && (!s.Exists || s.Why == "") {
		return nil, &past.Error{Err: past.ErrNotThere}
	}
	var id int64
	why := sql.NullString{String: s.Why, Valid: s.Why != ""}
	err := j.db.QueryRowContext(ctx, "SELECT id, why FROM blob WHERE sum = ?", s.Digest[:]).Scan(&id, &why)
	if errors.Is(err, sql.ErrNoRows) || err == nil && why.Valid {
		return nil, &past.Error{Err: past.ErrNotKept, Cause: errors.New(cmp.Or(why.String, past.ErrNotKept.Error()))}
	}
	if err != nil {
		return nil, j.failed(err)
	}
	data, err := bytesOf(ctx, j.db, id)
	return data, j.failed(err)
}

// Last returns the number of the newest revision, 0 for none.
func (j *Journal) Last(ctx context.Context) (rev int64, err error) {
	s, err := j.State(ctx)
	return s.Last, err
}

// At is the number of the newest revision at a moment, 0 for a time before the first.
func (j *Journal) At(ctx context.Context, at time.Time) (rev int64, err error) {
	err = j.db.QueryRowContext(ctx, "SELECT coalesce(max(rev), 0) FROM revision WHERE open IS NULL AND time <= ?", at.UnixNano()).Scan(&rev)
	return rev, j.failed(err)
}
