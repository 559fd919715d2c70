package bundle

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// Open reads a bundle into a store in memory. [ErrFormat] if it is not one.
func Open(file string) (*memstore.Store, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, bad("it is not a file")
	}
	f, err := quietfile.Open(file, 0) // most of those that are opened are only looked at
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return Read(f, info.Size())
}

// Read reads the ZIP file of a bundle.
func Read(r io.ReaderAt, size int64) (*memstore.Store, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, bad("it is cut off or not a ZIP file")
	}
	if len(z.File) > maxNotes {
		return nil, bad("it has %d files, more than %d", len(z.File), maxNotes)
	}
	to := memstore.NewMemory()
	left := uint64(maxTotal)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0 {
			continue // a folder, as other programs pack them
		}
		if f.UncompressedSize64 > left {
			return nil, bad("its notes have more than %d bytes", maxTotal)
		}
		left -= f.UncompressedSize64
		n, err := noteOf(f)
		if err == nil {
			err = n.into(to)
		}
		if err != nil {
			return nil, err
		}
	}
	return memstore.New(to, memstore.Options{ReadOnly: true}), nil
}

// noteOf reads one note.
func noteOf(f *zip.File) (n Note, err error) {
	n = Note{Path: f.Name, Modified: f.Modified}
	switch {
	case !f.Mode().IsRegular():
		return n, bad("%s is not a plain file", quoted(f.Name))
	case f.Flags&1 != 0:
		return n, bad("it is encrypted. Unpack it first")
	}
	r, err := f.Open()
	if err != nil {
		return n, bad("%s can't be read", quoted(f.Name))
	}
	defer func() { _ = r.Close() }() // it was only read
	// The reader compares size and checksum; the limit is for one that unpacks to more than it says.
	n.Text, err = io.ReadAll(io.LimitReader(r, int64(f.UncompressedSize64)+1))
	if err != nil || uint64(len(n.Text)) != f.UncompressedSize64 {
		return n, bad("%s is damaged", quoted(f.Name))
	}
	return n, n.check()
}

// The bounds of a time in nanoseconds since 1970.
var earliest, latest = time.Unix(0, -1<<63), time.Unix(0, 1<<63-1)

// into writes the note to a store in memory.
func (n *Note) into(to memstore.Backend) (err error) {
	for dir := path.Dir(n.Path); dir != "."; dir = path.Dir(dir) {
		if info, err := to.Lstat(dir); err == nil && info.Kind != memstore.KindDir {
			return bad("%s is a note and a folder", quoted(dir))
		}
	}
	if err = to.Create(n.Path, n.Text); err == nil && n.Modified.After(earliest) && n.Modified.Before(latest) {
		err = to.(backend.Stamper).Stamp(n.Path, backend.Stamps{ModTime: n.Modified})
	}
	switch {
	case errors.Is(err, memstore.ErrExist):
		return bad("it has %s twice", quoted(n.Path))
	case err != nil:
		return bad("%s can't be unpacked", quoted(n.Path))
	}
	return nil
}
