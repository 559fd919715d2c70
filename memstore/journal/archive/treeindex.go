package archive

import (
	"cmp"
	"context"
	"database/sql"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// span is an interval of an entry, in memory: there may be hundreds of thousands, so it is packed.
type span struct {
	id          int64
	first, last int64 // last 0: still
	size, blob  int64
	modTime     int64  // nanoseconds since 1970; 0: unknown
	path        string // agent path, one string for all spans of it
	mode        uint32
	kind        memstore.Kind
}

func (s *span) holds(rev int64) bool { return s.first <= rev && (s.last == 0 || s.last > rev) }

// entry is the span as an entry; digests are those of all contents by their numbers.
func (s *span) entry(digests []memstore.Digest) past.Entry {
	e := past.Entry{Path: s.path, Kind: s.kind, Size: s.size, Mode: fs.FileMode(s.mode), Rev: s.first}
	if s.blob < int64(len(digests)) {
		e.Digest = digests[s.blob] // of 0, which is none, it is zero
	}
	if s.modTime != 0 {
		e.ModTime = schema.Time(s.modTime)
	}
	return e
}

// order sorts by path, and the intervals of one path by time.
func (s *span) order(o *span) int {
	return cmp.Or(strings.Compare(s.path, o.path), cmp.Compare(s.first, o.first))
}

// treeIndex holds all intervals in order, once a tree was requested: then one
// jump in time costs a pass over them and no query. It is read on from where it ended.
type treeIndex struct {
	mu      sync.Mutex
	cut     int64 // of the database when it was read: if it differs, revisions were removed or rewritten since
	maxID   int64
	lastRev int64
	loaded  bool
	spans   []span
	digests []memstore.Digest // by the number of the content; zero: unknown
}

// Tree returns the store as it was after revision rev; 0: when the journal began.
// The first call reads what the journal has of all times, later ones only what is new.
func (a *Archive) Tree(ctx context.Context, rev int64) (*past.Tree, error) {
	db, err := a.pool.Reader()
	if err != nil {
		return nil, err
	}
	a.index.mu.Lock()
	defer a.index.mu.Unlock()
	if err := a.index.refresh(ctx, db); err != nil {
		return nil, a.failed("tree", err)
	}
	t := &past.Tree{Rev: rev}
	n := 0
	for i := range a.index.spans {
		if a.index.spans[i].holds(rev) {
			n++
		}
	}
	t.Entries = make([]past.Entry, 0, n)
	for i := range a.index.spans {
		if s := &a.index.spans[i]; s.holds(rev) {
			t.Entries = append(t.Entries, s.entry(a.index.digests))
		}
	}
	return t, nil
}

// refresh reads the intervals that came or ended since the last time.
func (x *treeIndex) refresh(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	var cut, last int64
	if err := tx.QueryRowContext(ctx, `SELECT (SELECT coalesce(sum(value), 0) FROM meta WHERE key IN ('cut', 'purges')),
		(SELECT coalesce(max(rev), 0) FROM revision WHERE open IS NULL)`).Scan(&cut, &last); err != nil {
		return err
	}
	if cut != x.cut || !x.loaded {
		x.cut, x.maxID, x.lastRev, x.loaded, x.spans, x.digests = cut, 0, 0, false, nil, nil
		err = x.readAll(ctx, tx)
	} else if err = x.readEnded(ctx, tx); err == nil {
		err = x.readNew(ctx, tx)
	}
	if err == nil {
		err = x.readDigests(ctx, tx)
	}
	if err == nil {
		x.lastRev, x.loaded = last, true
	}
	return err
}

const spanColumns = "e.id, e.first, coalesce(e.last, 0), e.kind, coalesce(e.blob, 0), e.size, coalesce(e.mode, 0), coalesce(e.mtime, 0)"

// scanSpan reads spanColumns, and then what name takes.
func scanSpan(rows *sql.Rows, s *span, name any) error {
	return rows.Scan(&s.id, &s.first, &s.last, &s.kind, &s.blob, &s.size, &s.mode, &s.modTime, name)
}

// readDigests reads the digests of the contents that came, at first from the index that holds only those.
func (x *treeIndex) readDigests(ctx context.Context, tx *sql.Tx) error {
	var newest int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM blob").Scan(&newest); err != nil {
		return err
	}
	from, query := int64(len(x.digests)), "SELECT id, sum FROM blob WHERE id >= ?"
	if newest < from {
		return nil
	}
	if from == 0 {
		query = "SELECT id, sum FROM blob INDEXED BY blob_sum WHERE sum IS NOT NULL AND id >= ?"
	}
	digests := append(x.digests, make([]memstore.Digest, newest+1-from)...)
	err := database.Rows(tx.QueryContext(ctx, query, from)).Each(func(row *sql.Rows) error {
		var id int64
		var sum sql.RawBytes
		if err := row.Scan(&id, &sum); err != nil {
			return err
		}
		copy(digests[id][:], sum)
		return nil
	})
	if err == nil {
		x.digests = digests
	}
	return err
}

// readAll reads everything. The names come apart and in order, each once; the intervals are then
// sorted by the places of their names, which is several times faster than by the names.
func (x *treeIndex) readAll(ctx context.Context, tx *sql.Tx) error {
	names, places, err := readNames(ctx, tx)
	if err != nil {
		return err
	}
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM entry").Scan(&n); err != nil {
		return err
	}
	type placed struct {
		place, at int32
		first     int64
	}
	read, order := make([]span, 0, n), make([]placed, 0, n)
	var maxID int64
	err = database.Rows(tx.QueryContext(ctx, "SELECT "+spanColumns+", e.path FROM entry e")).Each(func(row *sql.Rows) error {
		var s span
		var path int64
		if err := scanSpan(row, &s, &path); err != nil {
			return err
		}
		place := places[path]
		s.path = names[place]
		order = append(order, placed{place, int32(len(read)), s.first})
		read = append(read, s)
		maxID = max(maxID, s.id)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(order, func(a, b placed) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.first, b.first)) })
	x.spans, x.maxID = make([]span, len(read)), maxID
	for i, p := range order {
		x.spans[i] = read[p.at]
	}
	return nil
}

// readNames reads the agent paths in order, and the place of each by its number.
func readNames(ctx context.Context, tx *sql.Tx) (names []string, places map[int64]int32, err error) {
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM path").Scan(&n); err != nil {
		return nil, nil, err
	}
	names, places = make([]string, 0, n), make(map[int64]int32, n)
	err = database.Rows(tx.QueryContext(ctx, "SELECT id, name FROM path ORDER BY name")).Each(func(row *sql.Rows) error {
		var id int64
		var name sql.RawBytes
		if err := row.Scan(&id, &name); err != nil {
			return err
		}
		places[id] = int32(len(names))
		names = append(names, memstore.AgentPath(string(name)))
		return nil
	})
	return names, places, err
}

func (x *treeIndex) readEnded(ctx context.Context, tx *sql.Tx) error {
	return eachNamed(ctx, tx, "e.last > ? AND e.id <= ?", []any{x.lastRev, x.maxID}, func(s span) {
		for i := x.place(&s); i < len(x.spans) && x.spans[i].order(&s) == 0; i++ {
			if x.spans[i].id == s.id {
				x.spans[i].last = s.last
			}
		}
	})
}

// eachNamed reads the spans that where leaves, with their names.
func eachNamed(ctx context.Context, tx *sql.Tx, where string, args []any, visit func(span)) error {
	rows, err := tx.QueryContext(ctx, "SELECT "+spanColumns+", p.name FROM entry e JOIN path p ON p.id = e.path WHERE "+where, args...)
	return database.Rows(rows, err).Each(func(row *sql.Rows) error {
		var s span
		var name string
		if err := scanSpan(row, &s, &name); err != nil {
			return err
		}
		s.path = memstore.AgentPath(name)
		visit(s)
		return nil
	})
}

// place is where a span is, or would be.
func (x *treeIndex) place(s *span) int {
	return sort.Search(len(x.spans), func(i int) bool { return x.spans[i].order(s) >= 0 })
}

// readNew reads what came, and puts it among the rest in one pass.
func (x *treeIndex) readNew(ctx context.Context, tx *sql.Tx) error {
	var added []span
	maxID := x.maxID
	err := eachNamed(ctx, tx, "e.id > ?", []any{x.maxID}, func(s span) {
		added = append(added, s)
		maxID = max(maxID, s.id)
	})
	if err != nil || len(added) == 0 {
		return err
	}
	slices.SortFunc(added, func(a, b span) int { return a.order(&b) })
	all, from := make([]span, 0, len(x.spans)+len(added)), 0
	for i := range added {
		to := x.place(&added[i])
		all = append(append(all, x.spans[from:to]...), added[i])
		from = to
	}
	x.spans, x.maxID = append(all, x.spans[from:]...), maxID
	return nil
}
