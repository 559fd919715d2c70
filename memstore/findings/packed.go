package findings

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxUnpacked limits the unpacked size of one compressed stream, in bytes.
const maxUnpacked = 64 << 20

// First bytes of compressed streams, anywhere in a file: archives, documents that are archives, and streams within the files of other
// programs.
var magics = []struct {
	mark string
	open func(io.Reader) (io.Reader, error)
}{
	{"\x1f\x8b\x08", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"PK\x03\x04", unzip},
	{"BZh", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"\x78\x01", unzlib},
	{"\x78\x5e", unzlib},
	{"\x78\x9c", unzlib},
	{"\x78\xda", unzlib},
	{"\x28\xb5\x2f\xfd", func(r io.Reader) (io.Reader, error) {
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}},
}

func unzlib(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }

// unzip reads one file of a zip archive from its local header: 30 bytes, with the method at 8 and the lengths of the name and the extra
// field, which follow, at 26 and 28.
func unzip(r io.Reader) (io.Reader, error) {
	var head [30]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	const deflated = 8
	if binary.LittleEndian.Uint16(head[8:]) != deflated {
		return nil, errors.ErrUnsupported // stored, or compressed with an unsupported method
	}
	skip := int64(binary.LittleEndian.Uint16(head[26:])) + int64(binary.LittleEndian.Uint16(head[28:]))
	if _, err := io.CopyN(io.Discard, r, skip); err != nil {
		return nil, err
	}
	return flate.NewReader(r), nil
}

// unpack reads compressed streams that begin in a piece of a file. It ignores what it can't unpack, such as a database page that happens
// to begin like one.
func (p *proof) unpack(where string, r io.ReaderAt, at, size int64, piece []byte) {
	for _, m := range magics {
		for from := 0; ; {
			i := bytes.Index(piece[from:], []byte(m.mark))
			if i < 0 {
				break
			}
			from += i + 1
			start := at + int64(from-1)
			stream, err := m.open(io.NewSectionReader(r, start, size-start))
			if err != nil {
				continue
			}
			data, _ := io.ReadAll(io.LimitReader(stream, maxUnpacked)) // the bytes before an error count
			if c, ok := stream.(io.Closer); ok {
				_ = c.Close()
			}
			if len(data) == maxUnpacked {
				p.skip(where, tooBig)
			}
			p.residue.Bytes += int64(len(data))
			p.needles.in(data, func(one needle, _, _ int) { p.leave(where, one.form, true, p.values[one.value]) })
		}
	}
}
