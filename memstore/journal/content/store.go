package content

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"memcurator/memstore"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// How the bytes of a blob are stored. The length of a compressed delta precedes its frame.
const (
	codecPlain     = 0
	CodecZstd      = 1
	codecDelta     = 2
	codecDeltaZstd = 3
)

// blobMost is the largest content, in bytes, that can come out of a blob: what claims to be larger is damage.
const blobMost = 1 << 30

// plainBelow is the size under which a frame costs more than it saves.
const plainBelow = 64

// Why the bytes of a blob are not kept, as people read it.
const (
	WhyTooBig   = "the file is larger than the journal keeps"
	WhyNotRead  = "the file could not be read"
	WhyBaseline = "the limit for files from before the journal is reached"
	WhyTakenOut = "a purge removed the content"
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
	return CodecZstd, packed
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

// Packed is a blob as stored.
type Packed struct {
	ID, Size int64
	Codec    int
	Data     []byte
	base     *basis // of a delta
}

// basis is a blob that others are deltas on. Safe for concurrent use.
type basis struct {
	Packed
	once sync.Once
	text []byte
	err  error
}

func (b *basis) read() ([]byte, error) {
	b.once.Do(func() { b.text, b.err = b.Unpack(nil) })
	return b.text, b.err
}

// isDelta reports whether the bytes say nothing without a base.
func (p *Packed) isDelta() bool { return p.Codec == codecDelta || p.Codec == codecDeltaZstd }

// Unpack returns the bytes; it uses dst if it has room, so the result may be part of dst.
func (p *Packed) Unpack(dst []byte) ([]byte, error) {
	if p.Size < 0 || p.Size > blobMost {
		return nil, p.corrupt(errSize)
	}
	switch p.Codec {
	case codecPlain:
		if int64(len(p.Data)) != p.Size {
			return nil, p.corrupt(errSize)
		}
		return p.Data, nil
	case CodecZstd:
		if int64(cap(dst)) < p.Size {
			dst = make([]byte, 0, p.Size)
		}
		_, d := packers()
		text, err := d.DecodeAll(p.Data, dst[:0:p.Size])
		if err == nil && int64(len(text)) != p.Size {
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
	return nil, p.corrupt(errors.New("its storage format is unknown"))
}

// apply is unpack for a delta whose base has this text.
func (p *Packed) apply(base []byte) ([]byte, error) {
	if p.Size < 0 || p.Size > blobMost {
		return nil, p.corrupt(errSize)
	}
	delta := p.Data
	if p.Codec == codecDeltaZstd {
		n, used := binary.Uvarint(delta)
		if used <= 0 || n > uint64(p.Size) { // a delta is shorter than its text
			return nil, p.corrupt(errDelta)
		}
		_, d := packers()
		var err error
		if delta, err = d.DecodeAll(delta[used:], make([]byte, 0, n)); err != nil {
			return nil, p.corrupt(err)
		}
	}
	text, err := applyDelta(base, delta, p.Size)
	if err != nil {
		return nil, p.corrupt(err)
	}
	return text, nil
}

var (
	errSize   = errors.New("its size is wrong")
	errNoBase = errors.New("the version it depends on is missing")
)

func (p *Packed) corrupt(err error) error {
	return &past.Error{Op: "read", Err: past.ErrCorrupt, Cause: fmt.Errorf("blob %d of %d bytes: %w", p.ID, p.Size, err)}
}

// Content is one side of a change on its way into the database.
type Content struct {
	Sum    memstore.Digest
	Hashed bool   // sum is known
	Size   int64  // bytes
	Data   []byte // nil: not kept, see why
	Why    string
}

// Of holds bytes that are going to be kept.
func Of(data []byte) *Content {
	if data == nil {
		data = []byte{}
	}
	return &Content{Sum: memstore.Sum(data), Hashed: true, Size: int64(len(data)), Data: data}
}

// Text is what the counts of lines are taken from.
func (c *Content) Text() []byte {
	if c == nil {
		return nil
	}
	return c.Data
}

// Blobs are the contents in the database: it stores each once, as a delta on an earlier version where that is shorter, and removes
// what nothing needs now.
type Blobs struct {
	w      *database.Writer
	Stored int64 // bytes that were added
}

// NewStore are the contents of a database.
func NewStore(w *database.Writer) Blobs { return Blobs{w: w} }

// Put stores a content once and returns the number of its blob, 0 for none. Bytes that an
// earlier blob lacks are filled in. near is the blob of the version before, 0 for none: of most versions only what
// differs is stored.
func (b *Blobs) Put(c *Content, near int64) (int64, error) {
	if c == nil {
		return 0, nil
	}
	var sum any
	if c.Hashed {
		sum = c.Sum[:]
		var id int64
		var kept bool
		found, err := b.w.Row("SELECT id, data IS NOT NULL FROM blob WHERE sum = ?", []any{sum}, &id, &kept)
		if err != nil {
			return 0, err
		}
		if found && (kept || c.Data == nil) {
			return id, nil
		}
		if found {
			s, err := b.packNear(c.Data, near)
			if err != nil {
				return 0, err
			}
			b.Stored += int64(len(s.Data))
			return id, b.w.Do("UPDATE blob SET codec = ?, data = ?, base = ?, spent = ?, why = NULL WHERE id = ?", s.Codec, s.Data,
				schema.Optional(s.base), schema.Optional(s.spent), id)
		}
	}
	if c.Data == nil {
		return b.w.Insert("INSERT INTO blob (sum, size, codec, why) VALUES (?, ?, 0, ?)", sum, c.Size, c.Why)
	}
	s, err := b.packNear(c.Data, near)
	if err != nil {
		return 0, err
	}
	b.Stored += int64(len(s.Data))
	return b.w.Insert("INSERT INTO blob (sum, size, codec, data, base, spent) VALUES (?, ?, ?, ?, ?, ?)", sum, c.Size, s.Codec, s.Data,
		schema.Optional(s.base), schema.Optional(s.spent))
}

// Bytes reads a blob on the writing connection; ErrNotKept where the bytes were not kept.
func (b *Blobs) Bytes(id int64) ([]byte, error) {
	var r blobRow
	found, err := b.w.Row(blobQuery, []any{id}, r.into()...)
	if err != nil {
		return nil, err
	}
	return r.text(found)
}

// Bytes is bytes on a connection for reading.
func Bytes(ctx context.Context, db *sql.DB, id int64) ([]byte, error) {
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
type blobRow struct{ blob, base Packed }

func (r *blobRow) into() []any {
	return []any{&r.blob.ID, &r.blob.Size, &r.blob.Codec, &r.blob.Data, &r.base.ID, &r.base.Size, &r.base.Codec, &r.base.Data}
}

func (r *blobRow) text(found bool) ([]byte, error) {
	if !found || r.blob.Data == nil && r.blob.Size > 0 {
		return nil, past.ErrNotKept
	}
	if r.base.ID != 0 {
		r.blob.base = &basis{Packed: r.base}
	}
	return r.blob.Unpack(nil)
}

// SizeOf is the size of a content, 0 of none.
func (b *Blobs) SizeOf(blob int64) (size int64, err error) {
	if blob != 0 {
		_, err = b.w.Row("SELECT size FROM blob WHERE id = ?", []any{blob}, &size)
	}
	return size, err
}

// NameOf is an agent path that had a content, "" where none is known.
func (b *Blobs) NameOf(id int64) (string, error) {
	var name string
	_, err := b.w.Row("SELECT "+PathOf, []any{id}, &name)
	if name == "" {
		return "", err
	}
	return memstore.AgentPath(name), err
}

// PathOf is one name that had the blob with the number ?1.
const PathOf = `coalesce((SELECT p.name FROM revision r JOIN path p ON p.id = r.path WHERE r.after = ?1 ORDER BY r.rev LIMIT 1),
	(SELECT p.name FROM revision r JOIN path p ON p.id = r.path WHERE r.before = ?1 ORDER BY r.rev LIMIT 1),
	(SELECT p.name FROM entry e JOIN path p ON p.id = e.path WHERE e.blob = ?1 ORDER BY e.first LIMIT 1), '')`
