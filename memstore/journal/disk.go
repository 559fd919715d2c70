package journal

import (
	"crypto/sha256"
	"errors"
	"io"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
)

// disk is the store's current state, passed to a comparison, to an edit that begins and to one that was interrupted. It is only
// read, except for temporary names of our own.
type disk struct {
	backend memstore.Backend // nil: nothing is compared
	maxFile int64            // Options.MaxFile
}

// hashLimit is the largest file, in bytes, that is read just for its digest: a sparse
// file of terabytes would delay the start for hours.
const hashLimit = 256 << 20

// readTries is how often a file that changes while it is read is read again.
const readTries = 5

// readWhole reads a consistent state of a file without leaving a trace: its bytes up to the limit for keeping, beyond that only
// its digest, and for a huge file neither. The Info is of the same state.
func (d *disk) readWhole(name string) (*content.Content, memstore.Info, error) {
	for try := 1; ; try++ {
		got, before, after, err := d.readOnce(name)
		// With unchanged stamps, a wrong size comes from a file system that does not know sizes.
		if err != nil || before.Size == after.Size && before.ModTime.Equal(after.ModTime) || try == readTries {
			return got, after, err
		}
	}
}

// readOnce reads a file, and its Info right before and right after.
func (d *disk) readOnce(name string) (got *content.Content, before, after memstore.Info, err error) {
	f, err := d.backend.Open(name, memstore.Look)
	if err != nil {
		return nil, before, after, err
	}
	defer f.Close()
	if before, err = f.Info(); err != nil {
		return nil, before, after, err
	}
	switch {
	case before.Size > hashLimit:
		got = &content.Content{Size: before.Size, Why: content.WhyTooBig}
	case before.Size > d.maxFile:
		got = &content.Content{Size: before.Size, Why: content.WhyTooBig, Hashed: true}
		got.Sum, err = sumOf(f, before.Size)
	default:
		var data []byte
		if data, err = readUpTo(f, before.Size, d.maxFile); err == nil {
			got = content.Of(data)
		}
		if int64(len(data)) > d.maxFile {
			got = &content.Content{Size: int64(len(data)), Why: content.WhyTooBig}
		}
	}
	if err == nil {
		after, err = f.Info()
	}
	return got, before, after, err
}

// readUpTo reads a file to its end, but at most one byte more than most, which shows that it is too large. The size reported by
// the system is only a hint: on some file systems it is 0 for files that have bytes.
func readUpTo(f io.ReaderAt, size, most int64) ([]byte, error) {
	data := make([]byte, min(size, most)+1)
	for at := int64(0); ; {
		n, err := f.ReadAt(data[at:], at)
		at += int64(n)
		switch {
		case errors.Is(err, io.EOF), err == nil && at > most:
			return data[:at], nil
		case err != nil:
			return nil, err
		}
		data = append(data, make([]byte, min(max(at, 512), most+1-at))...)
	}
}

// digest returns the SHA-256 and the size of a file of the store.
func (d *disk) digest(name string) (sum memstore.Digest, size int64, err error) {
	f, err := d.backend.Open(name, memstore.Look)
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

// linkContent returns the target of a link.
func (d *disk) linkContent(name string) (*content.Content, error) {
	to, err := d.backend.Readlink(name)
	if err != nil {
		return nil, err
	}
	return content.Of([]byte(to)), nil
}
