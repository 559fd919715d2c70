package chain

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// find returns the part or the folder at a name.
func (c *Chain) find(op, name string) (*part, *folder, error) {
	if err := c.there(); err != nil {
		return nil, nil, err
	}
	for _, hasty := range []bool{true, false} {
		s := c.look(hasty)
		if p := s.parts[name]; p != nil {
			return p, nil, nil
		}
		if f := s.folders[name]; f != nil {
			return nil, f, nil
		}
		if hasty {
			continue // it may be new
		}
		for at := path.Dir(name); at != "."; at = path.Dir(at) {
			if s.parts[at] != nil {
				return nil, nil, failed(op, name, backend.ErrNotDir)
			}
		}
	}
	for s := range strings.SplitSeq(name, "/") {
		if len(s) > backend.MaxName {
			return nil, nil, failed(op, name, backend.ErrNameTooLong)
		}
	}
	return nil, nil, failed(op, name, backend.ErrNotExist)
}

// Stat implements [backend.Backend].
func (c *Chain) Stat(name string) (backend.Info, error) { return c.stat(name, true) }

// Lstat implements [backend.Backend].
func (c *Chain) Lstat(name string) (backend.Info, error) { return c.stat(name, false) }

func (c *Chain) stat(name string, follow bool) (backend.Info, error) {
	p, f, err := c.find("stat", name)
	if err != nil {
		return backend.Info{}, err
	}
	if f != nil {
		return f.describe(name), nil
	}
	if follow && p.link != nil {
		p = p.link
	}
	info, err := p.describe()
	info.Name = path.Base(name)
	return info, err
}

// describe returns the description of a file or a link as it is now.
func (p *part) describe() (info backend.Info, err error) {
	err = p.at.use(false, func(d *dir.Dir) error {
		info, err = d.Lstat(p.rel)
		return err
	})
	if info.Kind == backend.KindLink && p.link == nil {
		return info, failed("stat", p.name, backend.ErrNotExist) // it was replaced meanwhile
	}
	info.Name = path.Base(p.name)
	if p.readOnly {
		info.Mode &^= 0o222
	}
	return info, err
}

// describe returns the description of a folder, which has no size of its own.
func (f *folder) describe(name string) backend.Info {
	changed := f.changed
	if changed.IsZero() {
		changed = time.Unix(0, 0)
	}
	return backend.Info{Name: path.Base(name), Kind: backend.KindDir, Mode: fs.ModeDir | 0o700, ModTime: changed}
}

// ReadDir implements [backend.Backend].
func (c *Chain) ReadDir(name string) ([]backend.Info, error) {
	if err := c.there(); err != nil {
		return nil, err
	}
	s := c.look(false)
	f := s.folders[name]
	if f == nil {
		_, f, err := c.find("readdir", name)
		if err == nil && f == nil {
			err = failed("readdir", name, backend.ErrNotDir)
		}
		return nil, err
	}
	list := make([]backend.Info, 0, len(f.kids))
	for base, isFolder := range f.kids {
		at := backend.JoinName(name, base)
		if isFolder {
			list = append(list, s.folders[at].describe(at))
			continue
		}
		if info, err := s.parts[at].describe(); err == nil {
			list = append(list, info)
		}
	}
	slices.SortFunc(list, func(a, b backend.Info) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Readlink implements [backend.Backend]. A target is relative to the link.
func (c *Chain) Readlink(name string) (string, error) {
	p, f, err := c.find("readlink", name)
	if err == nil && (f != nil || p.link == nil) {
		err = failed("readlink", name, fs.ErrInvalid)
	}
	if err != nil {
		return "", err
	}
	to, err := filepath.Rel(filepath.FromSlash(path.Dir(p.name)), filepath.FromSlash(p.link.name))
	return filepath.ToSlash(to), err
}

// Resolve implements [backend.Resolver].
func (c *Chain) Resolve(name string, last bool) (string, error) {
	p, _, err := c.find("resolve", name)
	if last && err == nil && p != nil && p.link != nil {
		return p.link.name, nil
	}
	return name, nil
}

// Open implements [backend.Backend].
func (c *Chain) Open(name string, a backend.Access) (file backend.File, err error) {
	p, f, err := c.find("open", name)
	if err != nil {
		return nil, err
	}
	if f != nil {
		return nil, failed("open", name, notAFile{})
	}
	if p.link != nil {
		p = p.link
	}
	err = p.at.use(false, func(d *dir.Dir) error {
		file, err = d.Open(p.rel, a)
		return err
	})
	return file, err
}

// Document is a file of a chain.
type Document struct {
	Name string // its agent path
	Path string // on this machine, without links
	Size int64
}

// Documents returns the files of the chain, links to them left out, by their names.
func (c *Chain) Documents() (list []Document) {
	for name, p := range c.look(true).parts {
		if p.link == nil {
			list = append(list, Document{Name: backend.AgentPath(name), Path: p.at.path(p.rel), Size: p.size})
		}
	}
	slices.SortFunc(list, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// notAFile is the error for a folder that is opened as a file.
type notAFile struct{}

func (notAFile) Error() string   { return backend.ErrNotRegular.Error() }
func (notAFile) Unwrap() []error { return []error{backend.ErrNotRegular, backend.ErrIsDir} }

// denied is [backend.ErrPermission] with the reason.
type denied struct{ why error }

func (e denied) Error() string   { return e.why.Error() }
func (e denied) Unwrap() []error { return []error{backend.ErrPermission, e.why} }
