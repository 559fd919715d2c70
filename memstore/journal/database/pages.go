package database

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"memcurator/memstore/past"
)

// The types of pages in a tree of SQLite, the first byte of each.
const (
	indexInterior = 2
	tableInterior = 5
	indexLeaf     = 10
	tableLeaf     = 13
)

// treeDepth exceeds the depth of any B-tree here: 4 levels hold billions of rows.
const treeDepth = 12

// LookOver follows three paths through every tree: the first, the last and one by chance, so that many starts see
// many pages. Each page must be one that SQLite could have written.
func LookOver(ctx context.Context, q *sql.Tx) error {
	roots, err := rootPages(ctx, q)
	if err != nil {
		return err
	}
	w := &pageWalk{ctx: ctx, q: q, seen: map[int64]children{}}
	if err := q.QueryRowContext(ctx, "SELECT (SELECT page_size FROM pragma_page_size), (SELECT page_count FROM pragma_page_count)").
		Scan(&w.size, &w.count); err != nil {
		return err
	}
	for _, root := range roots {
		w.paths = append(w.paths,
			pagePath{root, func(int) int { return 0 }},
			pagePath{root, func(n int) int { return n }},
			pagePath{root, func(n int) int { return rand.IntN(n + 1) }})
	}
	for range treeDepth {
		if err := w.step(); err != nil || len(w.paths) == 0 {
			return err
		}
	}
	return badPage(w.paths[0].page)
}

// rootPages are the numbers of the pages at which the trees of a database begin.
func rootPages(ctx context.Context, q *sql.Tx) (roots []int64, err error) {
	roots, err = List[int64](q.QueryContext(ctx, "SELECT rootpage FROM sqlite_schema WHERE rootpage > 0"))
	return append([]int64{1}, roots...), err
}

// pageWalk follows paths through trees, all of them down by one page at a time: one query for each level costs a tenth of
// one for each page.
type pageWalk struct {
	ctx         context.Context
	q           *sql.Tx
	size, count int64
	paths       []pagePath
	seen        map[int64]children
}

// pagePath is how far down a path has descended; turn chooses among the children 0 to n of each page.
type pagePath struct {
	page int64
	turn func(n int) int
}

// children are those of a page: turn chooses one of them, from 0 to n, and gets the number of its page. nil: a leaf has none.
type children func(turn func(n int) int) int64

// step reads the pages that the paths have reached, and descends to their children.
func (w *pageWalk) step() error {
	var wanted []int64
	for _, p := range w.paths {
		if _, known := w.seen[p.page]; known {
			continue
		}
		if p.page < 1 || p.page > w.count {
			return badPage(p.page)
		}
		w.seen[p.page] = nil
		wanted = append(wanted, p.page)
	}
	if err := w.read(wanted); err != nil {
		return err
	}
	var next []pagePath
	for _, p := range w.paths {
		if below := w.seen[p.page]; below != nil {
			next = append(next, pagePath{below(p.turn), p.turn})
		}
	}
	w.paths = next
	return nil
}

// read checks pages, and keeps where their children are.
func (w *pageWalk) read(wanted []int64) error {
	list, err := json.Marshal(wanted)
	if err != nil {
		return err
	}
	rows, err := w.q.QueryContext(w.ctx, "SELECT p.pgno, p.data FROM json_each(?) j CROSS JOIN sqlite_dbpage p WHERE p.pgno = j.value",
		string(list))
	return Rows(rows, err).Each(func(row *sql.Rows) error {
		var number int64
		var data sql.RawBytes
		if err := row.Scan(&number, &data); err != nil {
			return err
		}
		below, ok := childrenOf(bytes.Clone(data), number == 1, w.size)
		if !ok {
			return badPage(number)
		}
		w.seen[number] = below
		return nil
	})
}

func badPage(number int64) error {
	return &past.Error{Op: "check", Err: past.ErrCorrupt, Cause: fmt.Errorf("page %d is not a database page", number)}
}

// childrenOf checks the head of a page and the places of its cells.
func childrenOf(data []byte, first bool, size int64) (c children, ok bool) {
	at := 0
	if first {
		at = 100 // the head of the file comes before
	}
	if int64(len(data)) != size || len(data) < at+12 {
		return nil, false
	}
	head := 8
	kind := data[at]
	switch kind {
	case indexInterior, tableInterior:
		head = 12
	case indexLeaf, tableLeaf:
	default:
		return nil, false
	}
	cells := int(binary.BigEndian.Uint16(data[at+3:]))
	content := int(binary.BigEndian.Uint16(data[at+5:]))
	if content == 0 {
		content = 65536
	}
	pointers := at + head
	if pointers+2*cells > content || content > len(data) {
		return nil, false
	}
	for i := range cells {
		if p := int(binary.BigEndian.Uint16(data[pointers+2*i:])); p < content || p > len(data)-4 {
			return nil, false
		}
	}
	if head == 8 {
		return nil, true
	}
	return func(turn func(n int) int) int64 {
		i := turn(cells)
		if i == cells {
			return int64(binary.BigEndian.Uint32(data[at+8:]))
		}
		p := int(binary.BigEndian.Uint16(data[pointers+2*i:]))
		return int64(binary.BigEndian.Uint32(data[p:]))
	}, true
}

// Damage runs SQLite's check.
func Damage(ctx context.Context, db *sql.DB) ([]string, error) {
	list, err := List[string](db.QueryContext(ctx, "PRAGMA integrity_check"))
	return slices.DeleteFunc(list, func(s string) bool { return s == "ok" }), err
}
