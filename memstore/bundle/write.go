package bundle

import (
	"archive/zip"
	"context"
	"io"

	"memcurator/memstore"
)

// Contents are the notes of a store.
type Contents struct {
	Notes []Note // by path
	Bytes int64  // of all of them
	Left  []Left
}

// Left is an entry of a store that the bundle can't hold.
type Left struct {
	Path string // agent path
	Why  string // as the end of a sentence
}

// Collect reads the notes of a store for a bundle.
func Collect(ctx context.Context, store *memstore.Store) (*Contents, error) {
	snapshot, err := store.Scan(ctx, memstore.ScanOptions{})
	if err != nil {
		return nil, err
	}
	c := &Contents{}
	snapshot.Walk(func(at string, n *memstore.Node) bool {
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return false
		case n.Kind == memstore.KindDir && n.Problem != nil:
			c.leave(at, "it can't be read")
		case n.Kind != memstore.KindDir:
			err = c.add(store.Backend(), at, n)
		}
		return true
	})
	return c, err
}

func (c *Contents) leave(at, why string) { c.Left = append(c.Left, Left{at, why}) }

// add reads one note. The error is that of a store that is too large.
func (c *Contents) add(b memstore.Backend, at string, n *memstore.Node) (err error) {
	one := Note{Path: memstore.BackendName(at)}
	switch n.Kind {
	case memstore.KindFile:
		one.Modified = n.ModTime.UTC()
		if one.Text, err = memstore.ReadFile(b, one.Path, memstore.Look, maxTotal); err != nil {
			why := memstore.Reason(err)
			if why == "" {
				why = "it can't be read"
			}
			c.leave(at, why)
			return nil
		}
	case memstore.KindLink:
		c.leave(at, "it is a link")
		return nil
	default:
		c.leave(at, "it is a pipe, a socket or a device")
		return nil
	}
	if one.check() != nil {
		c.leave(at, "its name can't be stored in a bundle")
		return nil
	}
	c.Notes = append(c.Notes, one)
	c.Bytes += int64(len(one.Text))
	if len(c.Notes) > maxNotes || c.Bytes > maxTotal {
		return bad("it has more than %d notes, or %d bytes", maxNotes, maxTotal)
	}
	return nil
}

// Write writes the ZIP file.
func (c *Contents) Write(w io.Writer) error {
	z := zip.NewWriter(w)
	for i := range c.Notes {
		n := &c.Notes[i]
		header := &zip.FileHeader{Name: n.Path, Method: zip.Store, Modified: n.Modified}
		header.SetMode(0o600)
		to, err := z.CreateHeader(header)
		if err == nil {
			_, err = to.Write(n.Text)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
