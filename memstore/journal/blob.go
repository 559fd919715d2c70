package journal

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// A content is stored once, compressed. Of most versions only what differs is stored: the bytes between the beginning and the end that they
// share with the version before, their base. After deepest such deltas in a row comes a whole one.

const (
	deltaFrom = 256     // bytes: below, a delta saves nothing
	deepest   = 32      // deltas on one another
	blobMost  = 1 << 30 // bytes: what claims to be larger is damage
)

// Why the bytes of a blob are not kept, as people read it.
const (
	whyTooBig   = "the file is larger than the journal keeps"
	whyNotRead  = "the file could not be read"
	whyTakenOut = "a purge removed the content"
)

// The packers are made at the first use: they take a few hundred kilobytes, and a start without an edit needs none. A small window keeps
// them small; memory files are.
var packers = sync.OnceValues(func() (*zstd.Encoder, *zstd.Decoder) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true),
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are constants
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(4), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(blobMost),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err)
	}
	return e, d
})

func pack(text []byte) []byte {
	e, _ := packers()
	return e.EncodeAll(text, nil)
}

// packDelta is a text as a delta on its base; nil where it is better stored whole.
func packDelta(base, text []byte) []byte {
	if len(text) < deltaFrom {
		return nil
	}
	head, tail := shared(base, text)
	if head+tail <= len(text)/2 {
		return nil
	}
	e, _ := packers()
	return e.EncodeAll(text[head:len(text)-tail], binary.AppendUvarint(binary.AppendUvarint(nil, uint64(head)), uint64(tail)))
}

// shared counts the bytes that two texts have in common at the beginning and, of the rest, at the end.
func shared(a, b []byte) (head, tail int) {
	most := min(len(a), len(b))
	for head < most && a[head] == b[head] {
		head++
	}
	for tail < most-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// packed is a blob as stored.
type packed struct {
	id, size, base int64 // base: 0 of one that is stored whole
	sum, data      []byte
}

// unpack is the text of a blob; base is the text of its base. The text is not checked yet.
func (p *packed) unpack(base []byte) (text []byte, err error) {
	if p.data == nil {
		return nil, past.ErrNotKept
	}
	_, d := packers()
	data, head, tail := p.data, uint64(0), uint64(0)
	if p.base != 0 {
		var n, m int
		head, n = binary.Uvarint(data)
		tail, m = binary.Uvarint(data[max(n, 0):])
		if n <= 0 || m <= 0 || head > uint64(len(base)) || tail > uint64(len(base))-head {
			return nil, p.damaged(errDelta)
		}
		data = data[n+m:]
	}
	if p.size < int64(head+tail) || p.size > blobMost {
		return nil, p.damaged(errDelta)
	}
	text, err = d.DecodeAll(data, append(make([]byte, 0, p.size), base[:head]...))
	if err != nil {
		return nil, p.damaged(err)
	}
	return append(text, base[uint64(len(base))-tail:]...), nil
}

// check returns the text of a blob if it has its digest; else it is damaged.
func (p *packed) check(text []byte) ([]byte, error) {
	if sum := memstore.Sum(text); !bytes.Equal(sum[:], p.sum) {
		return nil, p.damaged(errors.New("it does not have its digest"))
	}
	return text, nil
}

var errDelta = errors.New("it does not fit the version that it depends on")

func (p *packed) damaged(err error) error {
	return &past.Error{Err: past.ErrCorrupt, Cause: fmt.Errorf("blob %d of %d bytes: %w", p.id, p.size, err)}
}

// chain reads a blob with those that it depends on, the whole one first.
const chain = `WITH RECURSIVE c (id, size, base, depth, sum, data) AS (
	SELECT id, size, base, depth, sum, data FROM blob WHERE id = ?
	UNION ALL SELECT b.id, b.size, b.base, b.depth, b.sum, b.data FROM blob b JOIN c ON b.id = c.base)
	SELECT id, size, coalesce(base, 0), sum, data FROM c ORDER BY depth`

// unpackChain reads the rows of a chain; ErrNotKept where the bytes were not kept.
func unpackChain(rows *sql.Rows, err error) (text []byte, _ error) {
	var last packed
	err = each(rows, err, func(row *sql.Rows) error {
		var p packed
		var data sql.RawBytes
		if err := row.Scan(&p.id, &p.size, &p.base, &p.sum, &data); err != nil {
			return err
		}
		if p.data = data; p.base != 0 && last.id == 0 {
			return p.damaged(errDelta)
		}
		var err error
		text, err = p.unpack(text)
		last = p
		return err
	})
	if err == nil && last.id == 0 {
		err = past.ErrNotKept
	}
	if err != nil {
		return nil, err
	}
	return last.check(text)
}

// querier is a database, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// bytesOf reads a blob on a connection for reading.
func bytesOf(ctx context.Context, db querier, id int64) ([]byte, error) {
	return unpackChain(db.QueryContext(ctx, chain, id))
}

// bytes reads a blob on the writing connection.
func (w *writer) bytes(id int64) ([]byte, error) { return unpackChain(w.query(chain, id)) }

// remembered is about how many bytes of texts are held while many blobs are read: the base of a delta is mostly one of the newest.
const remembered = 16 << 20

// eachContent visits all texts in the order they came, until visit returns false or one is damaged. No rows are open while a visitor has a
// text, so it may call the journal, and no writer waits for it.
func eachContent(ctx context.Context, db *sql.DB, visit func(id int64, sum memstore.Digest, text []byte) bool) error {
	ids, err := column[int64](db.QueryContext(ctx, "SELECT id FROM blob WHERE data IS NOT NULL ORDER BY id"))
	if err != nil {
		return err
	}
	texts, held := map[int64][]byte{}, 0
	for _, id := range ids {
		p := packed{id: id}
		var text []byte
		row := db.QueryRowContext(ctx, "SELECT size, coalesce(base, 0), sum, data FROM blob WHERE id = ?", id)
		err := row.Scan(&p.size, &p.base, &p.sum, &p.data)
		if err == nil {
			text, err = p.unpack(texts[p.base])
		}
		if err == nil {
			text, err = p.check(text)
		}
		if errors.Is(err, past.ErrCorrupt) { // its base is not held, or a purge has rewritten that meanwhile
			text, err = bytesOf(ctx, db, id)
		}
		if errors.Is(err, past.ErrNotKept) || errors.Is(err, sql.ErrNoRows) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return err
		}
		if held += len(text); held > remembered {
			texts, held = map[int64][]byte{}, len(text)
		}
		texts[id] = text
		if !visit(id, memstore.Digest(p.sum), text) {
			return nil
		}
	}
	return nil
}

// content is one side of a change on its way into the database.
type content struct {
	sum  memstore.Digest // zero: not known
	id   int64           // of its blob; 0: not stored yet
	size int64           // bytes
	data []byte          // nil: not kept, see why
	why  string
}

// contentOf holds bytes that are going to be kept.
func contentOf(data []byte) *content {
	if data == nil {
		data = []byte{}
	}
	return &content{sum: memstore.Sum(data), size: int64(len(data)), data: data}
}

// text is what the counts of lines are taken from.
func (c *content) text() []byte {
	if c == nil {
		return nil
	}
	return c.data
}

// put stores a content once and returns the number of its blob, 0 for none. Bytes that an earlier blob lacks are filled in. near is the
// blob of the version before, 0 for none, and nearText its text, nil: it is read.
func (w *writer) put(c *content, near int64, nearText []byte) (id int64) {
	if c == nil {
		return 0
	}
	if c.id == 0 {
		c.id = w.store(c, near, nearText)
	}
	return c.id
}

func (w *writer) store(c *content, near int64, nearText []byte) (id int64) {
	kept := false
	var sum any
	if c.sum != (memstore.Digest{}) {
		sum = c.sum[:]
	}
	found := w.row("SELECT id, data IS NOT NULL FROM blob WHERE sum = ?", []any{sum}, &id, &kept)
	if found && (kept || c.data == nil) {
		return id
	}
	if c.data == nil {
		return w.insertRow("INSERT INTO blob (sum, size, why) VALUES (?, ?, ?)", sum, c.size, c.why)
	}
	data, base, depth := w.packNear(c.data, near, nearText)
	if found {
		w.do("UPDATE blob SET base = ?, depth = ?, data = ?, why = NULL WHERE id = ?", null(base), depth, data, id)
		return id
	}
	return w.insertRow("INSERT INTO blob (sum, size, base, depth, data) VALUES (?, ?, ?, ?, ?)", sum, c.size, null(base), depth, data)
}

// packNear is how a text is stored whose version before is the blob near, 0 for none.
func (w *writer) packNear(text []byte, near int64, nearText []byte) (data []byte, base, depth int64) {
	if near != 0 && len(text) >= deltaFrom {
		depth = deepest
		w.row("SELECT depth FROM blob WHERE id = ? AND data IS NOT NULL", []any{near}, &depth)
		if depth < deepest && nearText == nil {
			var err error
			if nearText, err = w.bytes(near); !errors.Is(err, past.ErrCorrupt) { // a check reports it; what comes now does not depend on it
				w.fail(err)
			}
		}
		if depth < deepest {
			data = packDelta(nearText, text)
		}
	}
	if data == nil {
		return pack(text), 0, 0
	}
	return data, near, depth + 1
}

// unread reports whether nothing is known of the bytes of a blob: the file is too large to be read without need.
func (w *writer) unread(id int64) bool {
	var is bool
	return w.row("SELECT sum IS NULL FROM blob WHERE id = ?", []any{id}, &is) && is
}

// storeWhole stores a blob anew, depending on no other.
func (w *writer) storeWhole(id int64, text []byte) {
	w.do("UPDATE blob SET base = NULL, depth = 0, data = ? WHERE id = ?", pack(text), id)
}

// unused is true of a blob that no revision and no file names.
const unused = `NOT EXISTS (SELECT 1 FROM revision WHERE before = blob.id) AND NOT EXISTS (SELECT 1 FROM revision WHERE after = blob.id)
	AND NOT EXISTS (SELECT 1 FROM file WHERE file.blob = blob.id)`

// sweep removes what nothing names any more, the deepest first.
func (w *writer) sweep() {
	for _, id := range values[int64](w, "SELECT id FROM blob WHERE "+unused+" ORDER BY depth DESC") {
		w.release(id)
		w.do("DELETE FROM blob WHERE id = ?", id)
	}
}

// release stores anew what depends on a blob, without it.
func (w *writer) release(id int64) {
	for _, d := range values[int64](w, "SELECT id FROM blob WHERE base = ?", id) {
		text, err := w.bytes(d)
		w.fail(err)
		w.storeWhole(d, text)
	}
}

// pathOf is one name that had the blob with the number ?1.
const pathOf = `coalesce((SELECT path FROM revision WHERE after = ?1 ORDER BY rev LIMIT 1),
	(SELECT path FROM revision WHERE before = ?1 ORDER BY rev LIMIT 1), (SELECT path FROM file WHERE blob = ?1 LIMIT 1), '')`
