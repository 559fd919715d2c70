package journal

import (
	"context"
	"database/sql"
	"io/fs"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Tree returns the store as it was after revision rev; 0: when the journal began. It is what is there now, with the later revisions taken
// back one after the other: some 30 ms for 20,000 of them.
func (j *Journal) Tree(ctx context.Context, rev int64) (*past.Tree, error) {
	tx, err := j.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, j.failed(err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	t := tree{}
	rows, err := tx.QueryContext(ctx, `SELECT f.path, f.kind, f.size, coalesce(f.mode, 0), f.mtime, b.sum FROM file f
		LEFT JOIN blob b ON b.id = f.blob`)
	err = each(rows, err, func(row *sql.Rows) error {
		name, e, err := scanEntry(row)
		t[name] = e
		return err
	})
	if err != nil {
		return nil, j.failed(err)
	}
	rows, err = tx.QueryContext(ctx, `SELECT r.path, r.kind, coalesce(b.size, 0), coalesce(r.before_mode, 0), r.before_mtime, b.sum, r.shape,
		coalesce(r.old_path, ''), r.made FROM revision r LEFT JOIN blob b ON b.id = r.before WHERE r.rev > ? AND r.open IS NULL
		ORDER BY r.rev DESC`, rev)
	err = each(rows, err, func(row *sql.Rows) error {
		var shape past.Shape
		var old string
		var made int
		name, e, err := scanEntry(row, &shape, &old, &made)
		if err == nil {
			t.takeBack(shape, name, old, e, made)
		}
		return err
	})
	if err != nil {
		return nil, j.failed(err)
	}
	list := make([]past.Entry, 0, len(t))
	for name, e := range t {
		e.Path = memstore.AgentPath(name)
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b past.Entry) int { return strings.Compare(a.Path, b.Path) })
	return &past.Tree{Entries: list}, nil
}

func scanEntry(row *sql.Rows, more ...any) (name string, e past.Entry, err error) {
	var sum sql.RawBytes
	var mode int64
	var mtime sql.NullInt64
	err = row.Scan(append([]any{&name, &e.Kind, &e.Size, &mode, &mtime, &sum}, more...)...)
	e.Mode, e.ModTime = fs.FileMode(mode), timeOf(mtime)
	copy(e.Digest[:], sum)
	return name, e, err
}

// tree is a store at some revision, by the names of what it has.
type tree map[string]past.Entry

// takeBack has a tree be as it was before a revision. before is what was at its path then, made how many folders above came with it.
func (t tree) takeBack(shape past.Shape, name, old string, before past.Entry, made int) {
	switch shape {
	case past.Made:
		delete(t, name)
	case past.Edited, past.Removed:
		t[name] = before
	case past.Renamed:
		t.move(name, old)
	}
	for dir := path.Dir(name); made > 0; dir, made = path.Dir(dir), made-1 {
		delete(t, dir)
	}
}

// move has what is at a name, and below it, be at another one.
func (t tree) move(from, to string) {
	e, there := t[from]
	if !there {
		return
	}
	delete(t, from)
	t[to] = e
	if e.Kind != memstore.KindDir {
		return
	}
	var below []string
	for name := range t {
		if inside(name, from) {
			below = append(below, name)
		}
	}
	for _, name := range below {
		t[moved(name, from, to)] = t[name]
		delete(t, name)
	}
}

// Moment returns the store as it was after revision rev; 0: when the journal began.
// [past.ErrNoRevision] for a number above the newest, and for one that the retention has removed.
func (j *Journal) Moment(ctx context.Context, rev int64) (*past.Moment, error) {
	now, err := j.State(ctx)
	if err != nil {
		return nil, err
	}
	if rev < now.Floor || rev > now.Last {
		return nil, &past.Error{Err: past.ErrNoRevision}
	}
	t, err := j.Tree(ctx, rev)
	if err != nil {
		return nil, err
	}
	return past.NewMoment(t, j), nil
}
