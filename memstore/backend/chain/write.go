package chain

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// locate returns where a name of the store is on disk, whether or not something is there; ok is false for a name in no folder of the chain.
func (c *Chain) locate(name string) (place, bool) {
	if c.project.name == "." {
		return place{c.project, onDisk(name)}, true
	}
	for _, m := range c.mounts {
		if rest, below := strings.CutPrefix(name, m.name+"/"); below {
			return place{m, onDisk(rest)}, true
		}
	}
	return place{}, false
}

// newPlace returns where a new file belongs: a place at which the agent would read it.
func (c *Chain) newPlace(name string) (place, error) {
	if at, ok := c.look(true).wanted[name]; ok {
		return at, nil
	}
	at, ok := c.locate(name)
	switch {
	case !ok:
		return at, denied{backend.ErrNotLoaded}
	case at.at.owner.readOnly():
		return at, denied{backend.ErrFixed}
	}
	if back, ok := shown(at.rel); !ok || path.Join(at.at.name, back) != name || !c.loads(at) {
		return at, denied{backend.ErrNotLoaded}
	}
	return at, nil
}

// loads reports whether the agent would read a file at a place because of its name.
func (c *Chain) loads(at place) bool {
	files, folders := c.agent.Files, []string{"."}
	switch at.at.owner {
	case forUser:
		files = c.agent.UserFiles
	case forProject:
		folders = c.within
	}
	for _, in := range folders {
		for _, f := range files {
			full := path.Join(in, f)
			if full == at.rel && !strings.HasSuffix(f, "/") ||
				strings.HasSuffix(f, "/") && strings.HasPrefix(at.rel, full+"/") && strings.HasSuffix(at.rel, ruleSuffix) {
				return true
			}
		}
	}
	return false
}

// making runs a write that makes a name of the store.
func (c *Chain) making(op, name string, do func(d *dir.Dir, rel string) error) error {
	p, f, err := c.find(op, name)
	switch {
	case err == nil && (p != nil || f != nil):
		return failed(op, name, backend.ErrExist)
	case !errors.Is(err, backend.ErrNotExist):
		return err
	}
	at, err := c.newPlace(name)
	if err != nil {
		return failed(op, name, err)
	}
	defer c.forget()
	return at.at.use(true, func(d *dir.Dir) error { return do(d, at.rel) })
}

// changing runs a write of an existing file; with through, that of what a link leads to.
func (c *Chain) changing(op, name string, through bool, do func(d *dir.Dir, rel string) error) error {
	p, err := c.changeable(op, name, through)
	if err != nil {
		return err
	}
	defer c.forget()
	return p.at.use(false, func(d *dir.Dir) error { return do(d, p.rel) })
}

// changeable returns an existing file that may be changed; with through, what a link leads to.
func (c *Chain) changeable(op, name string, through bool) (*part, error) {
	p, f, err := c.find(op, name)
	if err != nil {
		return nil, err
	}
	if f != nil {
		return nil, failed(op, name, denied{backend.ErrFixed})
	}
	if through && p.link != nil {
		p = p.link
	}
	if p.readOnly {
		return nil, failed(op, name, denied{backend.ErrFixed})
	}
	return p, nil
}

// Changes implements [backend.Placer].
func (c *Chain) Changes(name string) error {
	_, err := c.changeable("replace", name, true)
	return err
}

// Takes implements [backend.Placer].
func (c *Chain) Takes(name string) error {
	if _, err := c.newPlace(name); err != nil {
		return failed("create", name, err)
	}
	return nil
}

// Create implements [backend.Backend]. The error wraps [backend.ErrNotLoaded] where the agent would read no file of that name.
func (c *Chain) Create(name string, data []byte) error {
	return c.making("create", name, func(d *dir.Dir, rel string) error { return d.Create(rel, data) })
}

// CreateVia implements [backend.TempKeeper].
func (c *Chain) CreateVia(name, temp string, data []byte) error {
	return c.making("create", name, func(d *dir.Dir, rel string) error { return d.CreateVia(rel, temp, data) })
}

// Symlink implements [backend.LinkMaker].
func (c *Chain) Symlink(target, name string) error {
	return c.making("symlink", name, func(d *dir.Dir, rel string) error {
		return d.Symlink(filepath.FromSlash(onDisk(target)), rel)
	})
}

// Replace implements [backend.Backend]. The error wraps [backend.ErrFixed] for a read-only file.
func (c *Chain) Replace(name string, old, data []byte) error {
	return c.replacing(name, func(d *dir.Dir, rel string) error { return d.Replace(rel, old, data) })
}

// ReplaceVia implements [backend.TempKeeper].
func (c *Chain) ReplaceVia(name, temp string, old, data []byte) error {
	return c.replacing(name, func(d *dir.Dir, rel string) error { return d.ReplaceVia(rel, temp, old, data) })
}

func (c *Chain) replacing(name string, do func(d *dir.Dir, rel string) error) error {
	err := c.changing("replace", name, true, do)
	if errors.Is(err, backend.ErrNotExist) {
		return failed("replace", name, backend.ErrChanged)
	}
	return err
}

// RemoveTemp implements [backend.TempKeeper].
func (c *Chain) RemoveTemp(name string) error {
	return c.leftover(name, (*dir.Dir).RemoveTemp)
}

// RemoveEmpty implements [backend.TempKeeper].
func (c *Chain) RemoveEmpty(name string) error {
	return c.leftover(name, (*dir.Dir).RemoveEmpty)
}

func (c *Chain) leftover(name string, remove func(*dir.Dir, string) error) error {
	at, ok := c.locate(name)
	if !ok || at.at.owner.readOnly() {
		return nil // no write was there
	}
	return at.at.use(false, func(d *dir.Dir) error { return remove(d, at.rel) })
}

// Remove implements [backend.Backend]. Folders stay: they may hold what is not part of the chain.
func (c *Chain) Remove(name string) error {
	return c.changing("remove", name, false, (*dir.Dir).Remove)
}

// RemoveVia implements [backend.TempKeeper].
func (c *Chain) RemoveVia(name, temp string, old []byte) error {
	return c.changing("remove", name, false, func(d *dir.Dir, rel string) error { return d.RemoveVia(rel, temp, old) })
}

// Rename implements [backend.Backend]. A file can be moved only within its scope, to a name under which the agent reads it.
func (c *Chain) Rename(oldname, newname string) error {
	p, err := c.changeable("rename", oldname, false)
	if err != nil {
		return err
	}
	if to, ok := c.locate(newname); ok && to.at != p.at {
		return failed("rename", newname, denied{backend.ErrNotLoaded})
	}
	return c.making("rename", newname, func(d *dir.Dir, rel string) error { return d.Rename(p.rel, rel) })
}

// Chmod implements [backend.ModeKeeper].
func (c *Chain) Chmod(name string, mode fs.FileMode) error {
	return c.stamping(name, func(d *dir.Dir, rel string) error { return d.Chmod(rel, mode) })
}

// SetModTime implements [backend.TimeKeeper].
func (c *Chain) SetModTime(name string, at time.Time) error {
	return c.stamping(name, func(d *dir.Dir, rel string) error { return d.SetModTime(rel, at) })
}

// stamping sets what a write leaves to the system. The folders of the chain belong to the project, so theirs stay.
func (c *Chain) stamping(name string, set func(d *dir.Dir, rel string) error) error {
	if _, f, err := c.find("stamp", name); err == nil && f != nil {
		return errors.ErrUnsupported
	}
	return c.changing("stamp", name, false, set)
}

// AccessTime implements [backend.AccessTimer].
func (c *Chain) AccessTime(name string) (t time.Time, err error) {
	p, f, err := c.find("stat", name)
	if err == nil && f != nil {
		err = errors.ErrUnsupported
	}
	if err != nil {
		return t, err
	}
	err = p.at.use(false, func(d *dir.Dir) error {
		t, err = d.AccessTime(p.rel)
		return err
	})
	return t, err
}

// PathOf returns where a file of the chain is on this machine, for people; "" if it is unknown.
func (c *Chain) PathOf(name string) string {
	if p := c.look(true).parts[name]; p != nil {
		return p.at.path(p.rel)
	}
	if at, ok := c.locate(name); ok {
		return at.at.path(at.rel)
	}
	i := slices.IndexFunc(c.mounts, func(m *mount) bool { return m.name == name })
	if i < 0 {
		return ""
	}
	return c.mounts[i].disk
}

// Folders returns the folders of this machine in which files of the chain are, the project's first. Watching them shows most changes early.
func (c *Chain) Folders() []string {
	list := []string{filepath.Dir(c.file)}
	for _, p := range c.look(true).parts {
		if folder := filepath.Dir(p.at.path(p.rel)); !slices.Contains(list, folder) {
			list = append(list, folder)
		}
	}
	slices.Sort(list[1:])
	return list
}

// NameOf returns the name in the store of a file on this machine; ok is false if it is not part of the chain.
func (c *Chain) NameOf(file string) (name string, ok bool) {
	full, err := filepath.Abs(file)
	if err != nil {
		return "", false
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(parent, filepath.Base(full))
	}
	for name, p := range c.look(false).parts {
		if p.at.path(p.rel) == full {
			return name, true
		}
	}
	info, err := os.Stat(full)
	if err != nil {
		return "", false
	}
	for name, p := range c.look(false).parts {
		if at, err := os.Stat(p.at.path(p.rel)); err == nil && p.link == nil && os.SameFile(at, info) {
			return name, true
		}
	}
	return "", false
}
