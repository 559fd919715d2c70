package journal

import (
	"cmp"
	"context"
	"database/sql"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"memcurator/memstore"
)

// Entry is what was at a path at one revision. It is a value.
type Entry struct {
	Path string // agent path
	Kind memstore.Kind
	Size int64
	Mode fs.FileMode // 0: not known
	// ModTime is the modification time; zero: not known. Of a folder it is the one that it had when
	// it came.
	ModTime time.Time
	Rev     int64 // the revision that made it so; 0: it was there when the journal began

	blob int64
}

// Tree is the whole store as it was at one revision. Immutable.
type Tree struct {
	Rev     int64
	Entries []Entry // folders too, sorted by path, without the root
}

// Find returns what was at an agent path.
func (t *Tree) Find(agentPath string) (Entry, bool) {
	i, ok := sort.Find(len(t.Entries), func(i int) int { return strings.Compare(agentPath, t.Entries[i].Path) })
	if !ok {
		return Entry{}, false
	}
	return t.Entries[i], true
}

// Below lists what was below a folder, at any depth.
func (t *Tree) Below(agentPath string) []Entry {
	from, to := agentPath+"/", agentPath+"0"
	low := sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].Path >= from })
	high := sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].Path >= to })
	return t.Entries[low:high]
}

// Snapshot is the tree as lists and trees of files show it. Of folders, and where they are not
// known, times are zero.
func (t *Tree) Snapshot() *memstore.Snapshot {
	return memstore.SnapshotOf(func(yield func(string, memstore.Info) bool) {
		for i := range t.Entries {
			e := &t.Entries[i]
			i := memstore.Info{Name: path.Base(e.Path), Kind: e.Kind, Size: e.Size, Mode: e.Mode}
			if e.Kind != memstore.KindDir {
				i.ModTime = e.ModTime
			}
			if !yield(nameOf(e.Path), i) {
				return
			}
		}
	}, len(t.Entries))
}

// span is an interval of an entry, in memory.
type span struct {
	id          int64
	first, last int64 // last 0: still
	entry       Entry
}

// treeIndex holds all intervals, sorted by path, once somebody has asked for a tree: then one
// jump in time costs a pass over them and no query. It is read on from where it ended.
type treeIndex struct {
	mu      sync.Mutex
	cut     int64 // of the database when it was read: revisions were taken out or rewritten since where it differs
	maxID   int64
	lastRev int64
	loaded  bool
	spans   []span
	at      map[int64]int // place in spans by id
}

// Tree returns the store as it was after revision rev; 0: as it was when the journal began.
// The first call reads what the journal has of all times, later ones only what is new.
func (j *Journal) Tree(ctx context.Context, rev int64) (*Tree, error) {
	db, err := j.reader()
	if err != nil {
		return nil, err
	}
	j.index.mu.Lock()
	defer j.index.mu.Unlock()
	if err := j.index.refresh(ctx, db); err != nil {
		return nil, failed("tree", err)
	}
	t := &Tree{Rev: rev}
	n := 0
	for i := range j.index.spans {
		if s := &j.index.spans[i]; s.first <= rev && (s.last == 0 || s.last > rev) {
			n++
		}
	}
	t.Entries = make([]Entry, 0, n)
	for i := range j.index.spans {
		if s := &j.index.spans[i]; s.first <= rev && (s.last == 0 || s.last > rev) {
			t.Entries = append(t.Entries, s.entry)
		}
	}
	return t, nil
}

// TreeAt is Tree at a moment.
func (j *Journal) TreeAt(ctx context.Context, at time.Time) (*Tree, error) {
	rev, err := j.At(ctx, at)
	if err != nil {
		return nil, err
	}
	return j.Tree(ctx, rev)
}

// refresh reads the intervals that came or ended since the last time.
func (x *treeIndex) refresh(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	var cut, last int64
	if err := tx.QueryRowContext(ctx, "SELECT (SELECT coalesce(sum(value), 0) FROM meta WHERE key IN ('cut', 'purges')), (SELECT coalesce(max(rev), 0) FROM revision)").Scan(&cut, &last); err != nil {
		return err
	}
	if cut != x.cut || x.at == nil {
		x.cut, x.maxID, x.lastRev, x.loaded, x.spans, x.at = cut, 0, 0, false, nil, map[int64]int{}
	}
	if err := x.readEnded(ctx, tx); err != nil {
		return err
	}
	if err := x.readNew(ctx, tx); err != nil {
		return err
	}
	x.lastRev, x.loaded = last, true
	return nil
}

func (x *treeIndex) readEnded(ctx context.Context, tx *sql.Tx) error {
	if !x.loaded {
		return nil
	}
	rows, err := tx.QueryContext(ctx, "SELECT id, last FROM entry WHERE last > ? AND id <= ?", x.lastRev, x.maxID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, last int64
		if err := rows.Scan(&id, &last); err != nil {
			return err
		}
		if i, ok := x.at[id]; ok {
			x.spans[i].last = last
		}
	}
	return rows.Err()
}

func (x *treeIndex) readNew(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, `SELECT e.id, e.first, coalesce(e.last, 0), p.name, e.kind, coalesce(e.blob, 0), e.size, coalesce(e.mode, 0), e.mtime
		FROM entry e JOIN path p ON p.id = e.path WHERE e.id > ?`, x.maxID)
	if err != nil {
		return err
	}
	defer rows.Close()
	added := false
	for rows.Next() {
		var s span
		var name string
		var mtime sql.NullInt64
		if err := rows.Scan(&s.id, &s.first, &s.last, &name, &s.entry.Kind, &s.entry.blob, &s.entry.Size, &s.entry.Mode, &mtime); err != nil {
			return err
		}
		s.entry.Path, s.entry.Rev, s.entry.ModTime = memstore.AgentPath(name), s.first, timeOf(mtime)
		x.spans = append(x.spans, s)
		x.maxID = max(x.maxID, s.id)
		added = true
	}
	if err := rows.Err(); err != nil || !added {
		return err
	}
	slices.SortFunc(x.spans, func(a, b span) int {
		return cmp.Or(strings.Compare(a.entry.Path, b.entry.Path), cmp.Compare(a.first, b.first))
	})
	for i := range x.spans {
		x.at[x.spans[i].id] = i
	}
	return nil
}

// Content reads the bytes of a file of a tree, or the text of a link.
func (j *Journal) Content(ctx context.Context, e Entry) ([]byte, error) {
	return j.Bytes(ctx, Side{blob: e.blob})
}

// SideOf is what is known of the bytes of an entry.
func (j *Journal) SideOf(ctx context.Context, e Entry) (Side, error) {
	s := Side{Exists: true, Size: e.Size, Mode: e.Mode, ModTime: e.ModTime, blob: e.blob}
	if e.blob == 0 {
		return s, nil
	}
	db, err := j.reader()
	if err != nil {
		return s, err
	}
	c := sideColumns{blob: sql.NullInt64{Int64: e.blob, Valid: true}}
	err = db.QueryRowContext(ctx, "SELECT sum, size, data IS NOT NULL, why FROM blob WHERE id = ?", e.blob).Scan(&c.sum, &c.size, &c.kept, &c.why)
	if err != nil {
		return s, failed("tree", err)
	}
	s = c.side()
	s.Exists, s.Mode, s.ModTime = true, e.Mode, e.ModTime
	return s, nil
}

// Compare calls visit for each path whose bytes or kind differ between two trees, in order
// of path; a side that is not there is nil. Folders are told only where they hold nothing.
func Compare(old, now *Tree, visit func(before, after *Entry) error) error {
	a, b := old.Entries, now.Entries
	for len(a) > 0 || len(b) > 0 {
		var before, after *Entry
		order := 0
		if len(a) > 0 && len(b) > 0 {
			order = strings.Compare(a[0].Path, b[0].Path)
		}
		if len(b) == 0 || len(a) > 0 && order <= 0 {
			before = &a[0]
		}
		if len(a) == 0 || len(b) > 0 && order >= 0 {
			after = &b[0]
		}
		if before != nil {
			a = a[1:]
		}
		if after != nil {
			b = b[1:]
		}
		if before != nil && after != nil && before.Kind == after.Kind && before.blob == after.blob {
			continue
		}
		if implied(before, a) || implied(after, b) {
			continue
		}
		if err := visit(before, after); err != nil {
			return err
		}
	}
	return nil
}

// implied tells whether e is a folder that holds something in the rest of its tree.
func implied(e *Entry, rest []Entry) bool {
	if e == nil || e.Kind != memstore.KindDir {
		return false
	}
	i := sort.Search(len(rest), func(i int) bool { return rest[i].Path > e.Path+"/" })
	return i < len(rest) && strings.HasPrefix(rest[i].Path, e.Path+"/")
}
