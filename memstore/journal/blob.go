package journal

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"memcurator/memstore"
)

// How the bytes of a blob are stored.
const (
	codecPlain = 0
	codecZstd  = 1
)

// plainBelow is the size under which a frame costs more than it saves.
const plainBelow = 64

// Why the bytes of a blob are not kept, as people read it.
const (
	whyTooBig     = "the file is larger than the journal keeps"
	whyNotRead    = "the file could not be read"
	whyBaseline   = "the journal keeps no more of what was there when it began"
	whyNotWatched = "the bytes were gone before they could be read"
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
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(4), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(1<<30))
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

// unpack gives the bytes back; dst is used where it has room.
func unpack(codec int, packed []byte, size int64, dst []byte) ([]byte, error) {
	if codec == codecPlain {
		return packed, nil
	}
	_, d := packers()
	if int64(cap(dst)) < size {
		dst = make([]byte, 0, size)
	}
	data, err := d.DecodeAll(packed, dst[:0])
	if err != nil || int64(len(data)) != size {
		return nil, &Error{Op: "read", Err: ErrCorrupt, Cause: fmt.Errorf("a blob of %d bytes has %d: %w", size, len(data), err)}
	}
	return data, nil
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

// put stores a content once and returns the number of its blob, 0 for none. Bytes that an
// earlier blob lacks are filled in.
func (w *writer) put(c *content) (int64, error) {
	if c == nil {
		return 0, nil
	}
	var sum any
	if c.hashed {
		sum = c.sum[:]
		var id int64
		var kept bool
		found, err := w.row("SELECT id, data IS NOT NULL FROM blob WHERE sum = ?", []any{sum}, &id, &kept)
		if err != nil {
			return 0, err
		}
		if found && (kept || c.data == nil) {
			return id, nil
		}
		if found {
			codec, packed := pack(c.data)
			return id, w.do("UPDATE blob SET codec = ?, data = ?, why = NULL WHERE id = ?", codec, packed, id)
		}
	}
	if c.data == nil {
		return w.insert("INSERT INTO blob (sum, size, codec, why) VALUES (?, ?, 0, ?)", sum, c.size, c.why)
	}
	codec, packed := pack(c.data)
	return w.insert("INSERT INTO blob (sum, size, codec, data) VALUES (?, ?, ?, ?)", sum, c.size, codec, packed)
}

// bytes reads a blob on the writing connection; ErrNotKept where there is nothing to read.
func (w *writer) bytes(id int64) ([]byte, error) {
	var size int64
	var codec int
	var data []byte
	found, err := w.row("SELECT size, codec, data FROM blob WHERE id = ?", []any{id}, &size, &codec, &data)
	switch {
	case err != nil:
		return nil, err
	case !found || (data == nil && size > 0):
		return nil, ErrNotKept
	}
	return unpack(codec, data, size, nil)
}
