package bundle

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

// Contents holds the parts of a bundle.
type Contents struct {
	Manifest
	// Left are entries of the store that a bundle can't hold, by agent path, with the reason as the end of a sentence.
	Left []Left

	store *memstore.Store
}

// Left is an entry of a store that the bundle can't hold.
type Left struct{ Path, Why string }

// Collect reads the notes of a store for a bundle.
func Collect(ctx context.Context, store *memstore.Store) (*Contents, error) {
	snapshot, err := store.Scan(ctx, nil)
	if err != nil {
		return nil, err
	}
	c := &Contents{Manifest: Manifest{Format: format, Version: plain, Notes: []Note{}}, store: store}
	snapshot.Walk(func(at string, n *memstore.Node) bool {
		switch {
		case ctx.Err() != nil:
			return false
		case n.Kind == memstore.KindDir:
			if n.Problem != nil {
				c.leave(at, "it can't be read")
			}
		default:
			c.add(at, n)
		}
		return true
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	c.sort()
	return c, c.check()
}

func (c *Contents) leave(at, why string) { c.Left = append(c.Left, Left{at, why}) }

// add reads one note.
func (c *Contents) add(at string, n *memstore.Node) {
	one := Note{Path: memstore.BackendName(at)}
	var err error
	b := c.store.Backend()
	switch n.Kind {
	case memstore.KindFile:
		one.Mode, one.Modified = fmt.Sprintf("%04o", n.Mode.Perm()), n.ModTime.UTC()
		err = c.read(one.Path, func(r io.Reader) error {
			one.Bytes, one.SHA256, err = digest(r)
			return err
		})
	case memstore.KindLink:
		var target string
		if target, err = b.Readlink(one.Path); err == nil {
			_, err = b.Stat(one.Path)
		}
		one.Link, one.Bytes, one.SHA256 = target, int64(len(target)), memstore.Sum([]byte(target)).String()
	default:
		c.leave(at, "it is a pipe, a socket or a device")
		return
	}
	if err != nil {
		why := memstore.Reason(err)
		if n.Kind == memstore.KindLink {
			why = "it is a link that leads out of the store"
		} else if why == "" {
			why = "it can't be read"
		}
		c.leave(at, why)
		return
	}
	if file := portable(one.Path); file != one.Path {
		one.File, c.Version = file, version
	}
	if err := one.check(); err != nil {
		c.leave(at, "its name or its target can't be stored in a bundle")
		return
	}
	c.Notes = append(c.Notes, one)
}

// read opens a note. Of a large note, no more than a piece is in memory.
func (c *Contents) read(name string, do func(io.Reader) error) error {
	f, err := c.store.Backend().Open(name, memstore.Look)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Info()
	switch {
	case err != nil:
		return err
	case info.Size > maxNote:
		return &memstore.SizeLimitError{Size: info.Size}
	}
	return do(io.NewSectionReader(f, 0, info.Size))
}

func digest(r io.Reader) (int64, string, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, r)
	return n, hex.EncodeToString(sum.Sum(nil)), err
}

// each visits the files of the bundle in their order.
func (c *Contents) each(ctx context.Context, visit func(name string, at time.Time, r io.Reader) error) error {
	manifest, err := json.MarshalIndent(&c.Manifest, "", " ")
	if err != nil {
		return err
	}
	for i := range c.Notes {
		n := &c.Notes[i]
		if n.Link != "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.read(n.Path, func(r io.Reader) error {
			sum := sha256.New()
			if err := visit(notesDir+n.file(), n.Modified, io.TeeReader(r, sum)); err != nil {
				return err
			}
			if hex.EncodeToString(sum.Sum(nil)) != n.SHA256 { // what was written is thrown away
				return fmt.Errorf("%s: %w", n.Path, backend.ErrChanged)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return visit(manifestName, time.Time{}, bytes.NewReader(append(manifest, '\n')))
}

// Write writes the ZIP file. A note that changed meanwhile is [memstore.ErrChanged].
func (c *Contents) Write(ctx context.Context, w io.Writer) error {
	z := zip.NewWriter(w)
	err := c.each(ctx, func(name string, _ time.Time, r io.Reader) error {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = io.Copy(to, r)
		}
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}

// WriteTo writes the files of the bundle to a folder that doesn't exist or is empty, the manifest last. After an error it removes what it
// wrote.
func (c *Contents) WriteTo(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return os.ErrExist
	}
	defer func() {
		if err != nil {
			for _, name := range []string{manifestName, strings.TrimSuffix(notesDir, "/")} {
				_ = os.RemoveAll(filepath.Join(dir, name)) // the folder was empty
			}
		}
	}()
	return c.each(ctx, func(name string, at time.Time, r io.Reader) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		if err == nil {
			err = f.Sync()
		}
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err == nil && !at.IsZero() {
			err = os.Chtimes(file, time.Time{}, at)
		}
		return err
	})
}
