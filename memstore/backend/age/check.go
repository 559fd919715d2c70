package age

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"memcurator/memstore/backend"
)

// Problem is a problem that [EncryptedDir.Check] found with one entry on disk.
type Problem struct {
	Path string // agent path; "" if the name, or that of a folder above, can't be decrypted
	Disk string // name on disk below the store's directory
	Err  error  // [ErrDamaged], [backend.ErrNotRegular], or an error from the disk
}

// Check reads every byte on disk and returns the entries that no holder of the key wrote, or that can't be decrypted. A non-nil error
// ended the check early.
func (d *EncryptedDir) Check(ctx context.Context) ([]Problem, error) {
	if err := d.ready(); err != nil {
		return nil, err
	}
	c := checker{dir: d, ctx: ctx}
	err := c.folder(".", ".")
	return c.found, err
}

type checker struct {
	dir   *EncryptedDir
	ctx   context.Context
	found []Problem
}

// folder checks the entries of a directory, given its name on disk and in the store.
func (c *checker) folder(disk, name string) error {
	list, err := c.dir.disk.ReadDir(disk)
	if err != nil {
		return err
	}
	for _, e := range list {
		if backend.TempName(e.Name) || disk == "." && e.Name == HeaderName {
			continue
		}
		at := path.Join(disk, e.Name)
		base, err := c.dir.keys.names.open(e.Name)
		if err != nil {
			c.found = append(c.found, Problem{Disk: at, Err: fmt.Errorf("%w: %w", ErrDamaged, err)})
			continue
		}
		err = c.entry(e.Kind, at, path.Join(name, base))
		if ended := c.ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			c.found = append(c.found, Problem{Path: backend.AgentPath(path.Join(name, base)), Disk: at, Err: err})
		}
	}
	return nil
}

func (c *checker) entry(k backend.Kind, disk, name string) error {
	switch k {
	case backend.KindDir:
		return c.folder(disk, name)
	case backend.KindFile:
		return c.file(disk)
	}
	return backend.ErrNotRegular
}

func (c *checker) file(disk string) error {
	f, err := c.dir.openAt(disk, backend.Look)
	if errors.Is(err, backend.ErrNotExist) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, io.NewSectionReader(f, 0, f.size))
	return err
}
