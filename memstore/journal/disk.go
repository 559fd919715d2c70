package journal

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

// disk is the store's current state, passed to a comparison, to an edit that begins and to one that was interrupted. It is only
// read, except for temporary names of our own.
type disk struct {
	backend memstore.Backend // nil: nothing is compared
}

// maxFile is the largest file, in bytes, that is kept, unless the curator deletes it.
const maxFile = 16 << 20

// errChanging is of a file that was written while it was read. The event of that write leads to the next comparison.
var errChanging = errors.New("the file changes while it is read")

// contentAt reads what is at a name without leaving a trace; it is nil for a folder. A file above the limit for keeping is identified by
// its size and time. The Info is of the same state.
func (d *disk) contentAt(name string) (*content, memstore.Info, error) {
	info, err := d.backend.Lstat(name)
	if err != nil {
		return nil, info, err
	}
	switch info.Kind {
	case memstore.KindLink:
		to, err := d.backend.Readlink(name)
		return contentOf([]byte(to)), info, err
	case memstore.KindFile:
	default:
		return nil, info, nil
	}
	if info.Size > maxFile {
		return &content{size: info.Size, why: whyTooBig}, info, nil
	}
	data, err := memstore.ReadFile(d.backend, name, memstore.Look, maxFile)
	if err != nil {
		return nil, info, err
	}
	after, err := d.backend.Lstat(name)
	if err == nil && (after.Size != info.Size || !after.ModTime.Equal(info.ModTime)) {
		err = errChanging
	}
	return contentOf(data), info, err
}

// digest returns the SHA-256 of a file of the store.
func (d *disk) digest(name string) (sum memstore.Digest, err error) {
	f, err := d.backend.Open(name, memstore.Look)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, info.Size)); err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}

// scan reads the names that are at a name and below.
func (d *disk) scan(ctx context.Context, name string) (*memstore.Snapshot, error) {
	return backend.Scan(ctx, d.backend, memstore.ScanOptions{Name: name})
}

// linkAt is the text of a link, which is its content.
func (d *disk) linkAt(name string) *content {
	if d.backend == nil {
		return nil
	}
	to, err := d.backend.Readlink(name)
	if err != nil {
		return nil
	}
	return contentOf([]byte(to))
}
