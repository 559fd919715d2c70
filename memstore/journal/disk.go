package journal

import (
	"crypto/sha256"
	"errors"
	"io"

	"memcurator/memstore"
)

// hashLimit is the largest file, in bytes, that is read only to know its digest: a sparse
// file of terabytes would hold a start up for hours.
const hashLimit = 256 << 20

// readContent reads a file of the store without leaving a trace: its bytes up to the
// limit for keeping, beyond that its digest alone, and of a huge one neither.
func (j *Journal) readContent(name string) (*content, error) {
	f, err := j.options.Backend.Open(name, memstore.Look)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		return nil, err
	}
	if info.Size > hashLimit {
		return &content{size: info.Size, why: whyTooBig}, nil
	}
	if info.Size > j.options.MaxFile {
		c := &content{size: info.Size, why: whyTooBig, hashed: true}
		c.sum, err = sumOf(f, info.Size)
		return c, err
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return contentOf(data[:n]), nil
}

// digest is the SHA-256 of a file of the store.
func (j *Journal) digest(name string) (sum memstore.Digest, size int64, err error) {
	f, err := j.options.Backend.Open(name, memstore.Look)
	if err != nil {
		return sum, 0, err
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		return sum, 0, err
	}
	sum, err = sumOf(f, info.Size)
	return sum, info.Size, err
}

func sumOf(f io.ReaderAt, size int64) (sum memstore.Digest, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, size)); err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}

// linkContent is the text of a link.
func (j *Journal) linkContent(name string) (*content, error) {
	to, err := j.options.Backend.Readlink(name)
	if err != nil {
		return nil, err
	}
	return contentOf([]byte(to)), nil
}
