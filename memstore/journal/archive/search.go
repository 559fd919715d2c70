package archive

import (
	"bytes"
	"context"
	"database/sql"
	"runtime"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
)

// candidateBlob is a text that matched.
type candidateBlob struct {
	id         int64
	start, end int
	line       int
	text       []byte
}

// Search calls visit for the hits, until it returns false. They come as they are found,
// in no order that means something. Memory is bounded by a few texts.
func (a *Archive) Search(ctx context.Context, q past.Query, visit func(past.Hit) bool) error {
	words, err := search.ParseWords(q.Words)
	if err != nil {
		return err
	}
	if q.Scope == 0 {
		q.Scope = past.Everywhere
	}
	db, err := a.pool.Reader()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	found := make(chan candidateBlob)
	var scanning sync.WaitGroup
	var scanErr error
	scanning.Go(func() {
		defer close(found)
		scanErr = scanBlobs(ctx, db, func(text []byte) (int, int) { return words.In(ctx, text) }, found)
	})
	err = nil
	for c := range found {
		if err != nil {
			continue // the scan is ending
		}
		var hits []past.Hit
		hits, err = places(ctx, db, c, &q)
		for i := range hits {
			if !visit(hits[i]) {
				err = errEnough
				break
			}
		}
		if err != nil {
			stop()
		}
	}
	scanning.Wait()
	switch {
	case err == errEnough:
		return nil
	case err == nil:
		err = scanErr
	}
	return a.failed("search", err)
}

var errEnough = &past.Error{Op: "search", Err: context.Canceled}

// scanBatch is how many blobs one goroutine takes at a time.
const scanBatch = 64

// scanBlobs reads every kept text and unpacks them on all cores.
func scanBlobs(ctx context.Context, db *sql.DB, match func([]byte) (int, int), found chan<- candidateBlob) error {
	batches := make(chan []content.Packed, 2)
	var workers sync.WaitGroup
	var once sync.Once
	var firstErr error
	for range min(runtime.NumCPU(), 4) {
		workers.Go(func() {
			var buf []byte
			for batch := range batches {
				for _, p := range batch {
					text, err := p.Unpack(buf)
					if err != nil {
						once.Do(func() { firstErr = err })
						continue
					}
					if p.Codec == content.CodecZstd {
						buf = text
					}
					start, end := match(text)
					if start < 0 {
						continue
					}
					select {
					case found <- lineOf(p.ID, text, start, end):
					case <-ctx.Done():
					}
				}
			}
		})
	}
	err := feed(ctx, db, batches)
	close(batches)
	workers.Wait()
	if err == nil {
		err = firstErr
	}
	return err
}

// feed sends all texts in batches, in the order they came. No rows are open while a batch waits to be taken.
func feed(ctx context.Context, db *sql.DB, batches chan<- []content.Packed) error {
	for after := int64(0); ; {
		batch, err := textsAfter(ctx, db, after)
		if err != nil || len(batch) == 0 {
			return err
		}
		after = batch[len(batch)-1].ID
		select {
		case batches <- batch:
		case <-ctx.Done():
			return ctx.Err() // it is canceled, or has found enough
		}
	}
}

// textsAfter reads the batch of texts that follows the blob with the number after. It ends too where their bases are as large as
// basesMost.
func textsAfter(ctx context.Context, db *sql.DB, after int64) (batch []content.Packed, err error) {
	err = content.Read(ctx, db, func(r *content.Reader) error {
		rows, err := r.Query(`SELECT id, size, codec, data, coalesce(base, 0) FROM blob
			WHERE data IS NOT NULL AND size > 0 AND id > ? ORDER BY id LIMIT ?`, after, scanBatch)
		if err != nil {
			return err
		}
		defer rows.Close()
		for cost := int64(0); cost <= content.BasesMost && rows.Next(); {
			var p content.Packed
			var base int64
			if err := rows.Scan(&p.ID, &p.Size, &p.Codec, &p.Data, &base); err != nil {
				return err
			}
			more, err := r.Attach(&p, base)
			if err != nil {
				return err
			}
			cost += more
			batch = append(batch, p)
		}
		return rows.Err()
	})
	return batch, err
}

// lineMost is the most of a line that a hit has, in bytes, around the match.
const lineMost = 4 << 10

func lineOf(id int64, text []byte, start, end int) candidateBlob {
	from := bytes.LastIndexByte(text[:start], '\n') + 1
	to := len(text)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		to = end + i
	}
	from, to = max(from, start-lineMost), min(to, end+lineMost)
	return candidateBlob{id: id, start: start, end: end, line: bytes.Count(text[:start], []byte{'\n'}) + 1, text: bytes.Clone(text[from:to])}
}

// places lists where a text is or was, once for each path and scope.
func places(ctx context.Context, db *sql.DB, c candidateBlob, q *past.Query) ([]past.Hit, error) {
	rows, err := db.QueryContext(ctx, `SELECT p.name, e.first, coalesce(e.last, 0),
		EXISTS (SELECT 1 FROM entry n WHERE n.path = e.path AND n.last IS NULL) FROM entry e JOIN path p ON p.id = e.path
		WHERE e.blob = ? ORDER BY e.first`, c.id)
	type placed struct {
		path  string
		scope past.Scope
	}
	var hits []past.Hit
	told := map[placed]bool{}
	err = database.Rows(rows, err).Each(func(row *sql.Rows) error {
		h := past.Hit{Start: c.start, End: c.end, Line: c.line, Text: c.text, Scope: past.Deleted}
		var name string
		var there bool
		if err := row.Scan(&name, &h.Rev, &h.Until, &there); err != nil {
			return err
		}
		h.Path = memstore.AgentPath(name)
		switch {
		case h.Until == 0:
			h.Scope = past.Present
		case there:
			h.Scope = past.Older
		}
		key := placed{h.Path, h.Scope}
		if q.Scope&h.Scope == 0 || told[key] || memstore.InGit(h.Path) {
			return nil
		}
		told[key] = true
		hits = append(hits, h)
		return nil
	})
	return hits, err
}
