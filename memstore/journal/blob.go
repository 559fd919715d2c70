package journal

import (
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

// How the bytes of a blob are stored. The length of a compressed delta precedes its frame.
const (
	codecPlain     = 0
	codecZstd      = 1
	codecDelta     = 2
	codecDeltaZstd = 3
)

// blobMost is the largest content, in bytes, that can come out of a blob: what claims to be larger is damage.
const blobMost = 1 << 30

// plainBelow is the size under which a frame costs more than it saves.
const plainBelow = 64

// Why the bytes of a blob are not kept, as people read it.
const (
	whyTooBig     = "the file is larger than the journal keeps"
	whyNotRead    = "the file could not be read"
	whyBaseline   = "the journal keeps no more of what was there when it began"
	whyNotWatched = "the bytes were gone before they could be read"
	whyNoRoom     = "the disk was full"
	whyPurged     = "the bytes are of before a purge"
	whyTakenOut   = "a purge has taken the bytes out"
)

// packers are made at the first use: they take a few hundred kilobytes, and a start without
// an edit needs none. A small window keeps them small; memory files are.
var packers = sync.OnceValues(func() (*zstd.Encoder, *zstd.Decoder) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithLowerEncoderMem(true),
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

func pack(data []byte) (codec int, packed []byte) {
	if len(data) < plainBelow {
		return codecPlain, data
	}
	e, _ := packers()
	packed = e.EncodeAll(data, make([]byte, 0, len(data)/2+64))
	if len(packed) >= len(data) {
		return codecPlain, data
	}
	return codecZstd, packed
}

// packDelta is pack for a delta.
func packDelta(delta []byte) (codec int, packed []byte) {
	if len(delta) >= plainBelow {
		e, _ := packers()
		packed = e.EncodeAll(delta, binary.AppendUvarint(nil, uint64(len(delta))))
		if len(packed) < len(delta) {
			return codecDeltaZstd, packed
		}
	}
	if delta == nil {
		delta = []byte{} // NULL says that nothing is kept
	}
	return codecDelta, delta
}

// packed is a blob as it is stored.
type packed struct {
	id, size int64
	codec    int
	data     []byte
	base     *basis // of a delta
}

// basis is a blob that others are deltas on. Safe for concurrent use.
type basis struct {
	packed
	once sync.Once
	text []byte
	err  error
}

func (b *basis) read() ([]byte, error) {
	b.once.Do(func() { b.text, b.err = b.unpack(nil) })
	return b.text, b.err
}

// isDelta reports whether the bytes say nothing without a base.
func (p *packed) isDelta() bool { return p.codec == codecDelta || p.codec == codecDeltaZstd }

// unpack returns the bytes; it uses dst if it has room, so the result may be part of dst.
func (p *packed) unpack(dst []byte) ([]byte, error) {
	if p.size < 0 || p.size > blobMost {
		return nil, p.corrupt(errSize)
	}
	switch p.codec {
	case codecPlain:
		if int64(len(p.data)) != p.size {
			return nil, p.corrupt(errSize)
		}
		return p.data, nil
	case codecZstd:
		if int64(cap(dst)) < p.size {
			dst = make([]byte, 0, p.size)
		}
		_, d := packers()
		text, err := d.DecodeAll(p.data, dst[:0:p.size])
		if err == nil && int64(len(text)) != p.size {
			err = errSize
		}
		if err != nil {
			return nil, p.corrupt(err)
		}
		return text, nil
	case codecDelta, codecDeltaZstd:
		if p.base == nil {
			return nil, p.corrupt(errNoBase)
		}
		base, err := p.base.read()
		if err != nil {
			return nil, err
		}
		return p.apply(base)
	}
	return nil, p.corrupt(errors.New("it is stored in a way that is not known"))
}

// apply is unpack for a delta whose base has this text.
func (p *packed) apply(base []byte) ([]byte, error) {
	if p.size < 0 || p.size > blobMost {
		return nil, p.corrupt(errSize)
	}
	delta := p.data
	if p.codec == codecDeltaZstd {
		n, used := binary.Uvarint(delta)
		if used <= 0 || n > uint64(p.size) { // a delta is shorter than its text
			return nil, p.corrupt(errDelta)
		}
		_, d := packers()
		var err error
		if delta, err = d.DecodeAll(delta[used:], make([]byte, 0, n)); err != nil {
			return nil, p.corrupt(err)
		}
	}
	text, err := applyDelta(base, delta, p.size)
	if err != nil {
		return nil, p.corrupt(err)
	}
	return text, nil
}

var (
	errSize   = errors.New("it does not have its size")
	errNoBase = errors.New("the version that it builds on is gone")
)

func (p *packed) corrupt(err error) error {
	return &past.Error{Op: "read", Err: past.ErrCorrupt, Cause: fmt.Errorf("blob %d of %d bytes: %w", p.id, p.size, err)}
}

// content is one side of a change on its way into the database.
type content struct {
	sum    memstore.Digest
	hashed bool   // sum is known
	size   int64  // bytes
	data   []byte // nil: not kept, see why
	why    string
}

// contentOf holds bytes that are going to be kept.
func contentOf(data []byte) *content {
	if data == nil {
		data = []byte{}
	}
	return &content{sum: memstore.Sum(data), hashed: true, size: int64(len(data)), data: data}
}

// blobs are the contents in the database: it stores each once, as a delta on an earlier version where that is shorter, and removes
// what nothing needs any more.
type blobs struct{ w *writer }

// put stores a content once and returns the number of its blob, 0 for none. Bytes that an
// earlier blob lacks are filled in. near is the blob of the version before, 0 for none: of most versions only what
// differs is stored.
func (b *blobs) put(c *content, near int64) (int64, error) {
	if c == nil {
		return 0, nil
	}
	var sum any
	if c.hashed {
		sum = c.sum[:]
		var id int64
		var kept bool
		found, err := b.w.row("SELECT id, data IS NOT NULL FROM blob WHERE sum = ?", []any{sum}, &id, &kept)
		if err != nil {
			return 0, err
		}
		if found && (kept || c.data == nil) {
			return id, nil
		}
		if found {
			s, err := b.packNear(c.data, near)
			if err != nil {
				return 0, err
			}
			b.w.stored += int64(len(s.data))
			return id, b.w.do("UPDATE blob SET codec = ?, data = ?, base = ?, spent = ?, why = NULL WHERE id = ?", s.codec, s.data,
				optional(s.base), optional(s.spent), id)
		}
	}
	if c.data == nil {
		return b.w.insert("INSERT INTO blob (sum, size, codec, why) VALUES (?, ?, 0, ?)", sum, c.size, c.why)
	}
	s, err := b.packNear(c.data, near)
	if err != nil {
		return 0, err
	}
	b.w.stored += int64(len(s.data))
	return b.w.insert("INSERT INTO blob (sum, size, codec, data, base, spent) VALUES (?, ?, ?, ?, ?, ?)", sum, c.size, s.codec, s.data,
		optional(s.base), optional(s.spent))
}

// bytes reads a blob on the writing connection; ErrNotKept where there is nothing to read.
func (b *blobs) bytes(id int64) ([]byte, error) {
	var r blobRow
	found, err := b.w.row(blobQuery, []any{id}, r.into()...)
	if err != nil {
		return nil, err
	}
	return r.text(found)
}

// readBlob is bytes on a connection for reading.
func readBlob(ctx context.Context, db *sql.DB, id int64) ([]byte, error) {
	var r blobRow
	err := db.QueryRowContext(ctx, blobQuery, id).Scan(r.into()...)
	found := !errors.Is(err, sql.ErrNoRows)
	if found && err != nil {
		return nil, err
	}
	return r.text(found)
}

// blobQuery reads a blob together with its base, so that both are of one state of the database.
const blobQuery = `SELECT b.id, b.size, b.codec, b.data, coalesce(a.id, 0), coalesce(a.size, 0), coalesce(a.codec, 0), a.data
	FROM blob b LEFT JOIN blob a ON a.id = b.base WHERE b.id = ?`

// blobRow is a row of blobQuery.
type blobRow struct{ blob, base packed }

func (r *blobRow) into() []any {
	return []any{&r.blob.id, &r.blob.size, &r.blob.codec, &r.blob.data, &r.base.id, &r.base.size, &r.base.codec, &r.base.data}
}

func (r *blobRow) text(found bool) ([]byte, error) {
	if !found || r.blob.data == nil && r.blob.size > 0 {
		return nil, past.ErrNotKept
	}
	if r.base.id != 0 {
		r.blob.base = &basis{packed: r.base}
	}
	return r.blob.unpack(nil)
}
