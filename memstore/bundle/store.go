package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"time"

	"memcurator/memstore"
)

// packed is the store in a bundle. The names are in memory, and a note is read when it is opened: of a large bundle no more than a note is
// in memory at a time.
type packed struct {
	memstore.Backend // with empty notes
	bundle           *Bundle
	notes            map[string]*Note
}

// Store checks the digest of every note, and returns a store that reads them from the bundle, which must stay open.
func (b *Bundle) Store(ctx context.Context) (*memstore.Store, error) {
	mem := memstore.NewMemory()
	times, _ := mem.(interface {
		SetModTime(name string, at time.Time) error
	})
	links, _ := mem.(memstore.LinkMaker)
	p := &packed{mem, b, map[string]*Note{}}
	for i := range b.Notes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := &b.Notes[i]
		if err := b.verify(n); err != nil {
			return nil, err
		}
		var err error
		if n.Link != "" {
			err = links.Symlink(n.Link, n.Path)
		} else if err = mem.Create(n.Path, nil); err == nil {
			p.notes[n.Path] = n
			err = times.SetModTime(n.Path, n.Modified)
		}
		if err != nil {
			return nil, bad("%s can't be unpacked", quoted(n.Path))
		}
	}
	return memstore.New(p, memstore.Options{ReadOnly: true}), nil
}

// verify compares a note with its digest, without keeping it.
func (b *Bundle) verify(n *Note) error {
	sum := sha256.New()
	if n.Link != "" {
		_, _ = io.WriteString(sum, n.Link) // never fails
	} else {
		e := b.files[notesDir+n.file()]
		r, err := e.open()
		if err != nil {
			return bad("a file in it can't be read")
		}
		size, err := io.Copy(sum, io.LimitReader(r, e.size+1))
		_ = r.Close() // it was only read
		if err != nil || size != e.size {
			return bad("a file in it is damaged")
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != n.SHA256 {
		return bad("%s has another digest than the manifest says", quoted(n.Path))
	}
	return nil
}

func (p *packed) sized(name string, info memstore.Info, err error) (memstore.Info, error) {
	if n := p.notes[name]; n != nil {
		mode, _ := n.mode() // it was checked
		info.Size, info.Mode = n.Bytes, mode
	}
	return info, err
}

func (p *packed) Lstat(name string) (memstore.Info, error) {
	info, err := p.Backend.Lstat(name)
	return p.sized(name, info, err)
}

func (p *packed) Stat(name string) (memstore.Info, error) {
	info, err := p.Backend.Stat(name)
	return p.sized(p.followed(name), info, err)
}

func (p *packed) ReadDir(name string) ([]memstore.Info, error) {
	list, err := p.Backend.ReadDir(name)
	for i := range list {
		list[i], _ = p.sized(path.Join(name, list[i].Name), list[i], nil)
	}
	return list, err
}

// mostLinks bounds a chain of links; the names behind it are in memory, and were opened before.
const mostLinks = 40

// followed is where the links at a name lead.
func (p *packed) followed(name string) string {
	for range mostLinks {
		to, err := p.Readlink(name)
		if err != nil {
			break
		}
		name = path.Join(path.Dir(name), to)
	}
	return name
}

func (p *packed) Open(name string, a memstore.Access) (memstore.File, error) {
	f, err := p.Backend.Open(name, a)
	if err != nil {
		return nil, err
	}
	n := p.notes[p.followed(name)]
	if n == nil {
		return f, nil
	}
	data, err := p.bundle.read(p.bundle.files[notesDir+n.file()], maxNote)
	if err == nil && memstore.Sum(data).String() != n.SHA256 { // the bundle changed
		err = memstore.ErrChanged
	}
	if err != nil {
		_ = f.Close() // it was only read
		return nil, err
	}
	return &packedFile{f, n.Bytes, bytes.NewReader(data)}, nil
}

// packedFile is an open note.
type packedFile struct {
	memstore.File
	size int64
	text *bytes.Reader
}

func (f *packedFile) ReadAt(p []byte, off int64) (int, error) { return f.text.ReadAt(p, off) }

func (f *packedFile) Info() (memstore.Info, error) {
	info, err := f.File.Info()
	info.Size = f.size
	return info, err
}
