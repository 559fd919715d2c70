package dir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"memcurator/memstore/backend"
)

// Remove implements [backend.Backend]. A folder that cannot be removed whole, as far
// as the modes below it tell, is refused before anything is touched. Beyond that
// the removal of a folder is not atomic: when it fails or the process is killed half
// way, a part of the folder remains, under its own name, where everybody can see it.
func (d *Dir) Remove(name string) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	if name == "." {
		return backend.ErrRoot
	}
	p, err := d.place(h, name)
	if err != nil {
		return d.fail(h, err)
	}
	defer p.close()
	if err := d.removeIn(&p); err != nil {
		return d.fail(h, err)
	}
	d.remember(&p)
	return nil
}

func (d *Dir) removeIn(p *place) error {
	info, err := p.root.Lstat(p.base)
	if err != nil {
		return err
	}
	d.sweep(p)
	if info.IsDir() {
		err = d.removeFolder(p)
	} else {
		err = d.removeOnce(p.root, p.base)
	}
	if err != nil {
		return err
	}
	return d.sync(p)
}

func (d *Dir) removeFolder(p *place) error {
	if err := d.check(stepRemove); err != nil {
		return err
	}
	err := p.root.Remove(p.base)                             // most folders that an agent deletes are small, many empty
	if err == nil || errors.Is(err, backend.ErrPermission) { // in a folder that we may not change
		return err
	}
	if err := removable(context.Background(), p.root, p.base, 0); err != nil {
		return err
	}
	if err = p.root.RemoveAll(p.base); errors.Is(err, backend.ErrExist) {
		return fmt.Errorf("%w: %w", backend.ErrChanged, err) // another program keeps writing into it
	}
	return err
}

// Rename implements [backend.Backend]. Files and links get the new name by a hard link and then
// lose the old one, so that nothing is ever replaced and a crash leaves both
// names rather than none. A folder is renamed after a look at the new name; should
// another program make something of that name in between, only an empty
// folder can be replaced by it. When a folder cannot be flushed after the switch,
// the new name stays and the error says that it may not survive a power cut.
func (d *Dir) Rename(oldname, newname string) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	if err := d.move(h, oldname, newname); err != nil {
		return d.fail(h, err)
	}
	return nil
}

func (d *Dir) move(h *openRoot, oldname, newname string) error {
	if oldname == "." || newname == "." {
		return backend.ErrRoot
	}
	from, err := d.place(h, oldname)
	if err != nil {
		return err
	}
	defer from.close()
	info, err := from.root.Lstat(from.base)
	if err != nil {
		return err
	}
	if info.IsDir() && backend.IsBelow(newname, oldname) && !d.leadsOut(h, oldname, newname) {
		return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: fs.ErrInvalid}
	}
	to, err := d.makePlace(h, newname)
	if err != nil {
		return err
	}
	if err := d.moveIn(h, &from, &to, info); err != nil {
		d.unmake(&to)
		return err
	}
	d.remember(&from)
	d.remember(&to)
	to.close()
	return nil
}

// leadsOut reports whether links on the way to newname, which is spelled as lying below
// the folder oldname, lead out of that folder again.
func (d *Dir) leadsOut(h *openRoot, oldname, newname string) bool {
	resolve := func(name string, last bool) (string, error) { return d.resolve(h, name, last) }
	from, err := backend.ResolveExisting(oldname, false, resolve)
	if err != nil {
		return false
	}
	to, err := backend.ResolveExisting(path.Dir(newname), true, resolve)
	return err == nil && to != from && !backend.IsBelow(to, from)
}

func (d *Dir) moveIn(h *openRoot, from, to *place, info os.FileInfo) error {
	if _, err := to.root.Lstat(to.base); err == nil {
		return &os.LinkError{Op: "rename", Old: from.base, New: to.base, Err: backend.ErrExist}
	} else if !errors.Is(err, backend.ErrNotExist) {
		return err
	}
	d.sweep(to)
	m := mover{d: d, root: h.root, oldname: from.full(), newname: to.full()}
	if from.dir == to.dir {
		m = mover{d: d, root: to.root, oldname: from.base, newname: to.base}
	}
	if info.IsDir() {
		return m.folder(from, to)
	}
	return m.file(from, to, info)
}

// mover carries out one rename: its two names below one Root.
type mover struct {
	d                *Dir
	root             *os.Root
	oldname, newname string
}

func (m *mover) folder(from, to *place) error {
	if err := m.d.rename(m.root, m.oldname, m.newname); err != nil {
		if errors.Is(err, backend.ErrExist) || errors.Is(err, backend.ErrNotDir) {
			return &os.LinkError{Op: "rename", Old: m.oldname, New: m.newname, Err: backend.ErrExist}
		}
		return err
	}
	return m.syncBoth(from, to)
}

func (m *mover) file(from, to *place, info os.FileInfo) error {
	d := m.d
	err := d.link(m.root, m.oldname, m.newname)
	if err != nil && noLinks(err) {
		return m.withoutLinks(from, to, info)
	}
	if err != nil {
		return err
	}
	// The new name is durable before the old one goes; in one folder a single
	// flush covers both.
	if from.dir != to.dir {
		err = d.sync(to)
	}
	if err == nil {
		err = d.removeOnce(m.root, m.oldname)
	}
	if err != nil {
		d.removeIfSame(m.root, m.newname, info)
		return err
	}
	return d.sync(from)
}

// withoutLinks moves where hard links are missing. A link is made anew, since
// a rename would replace whatever has the name by then.
func (m *mover) withoutLinks(from, to *place, info os.FileInfo) error {
	d := m.d
	if info.Mode()&os.ModeSymlink == 0 {
		if err := d.replacePlaceholder(m.root, m.oldname, m.newname); err != nil {
			return err
		}
		return m.syncBoth(from, to)
	}
	text, err := m.root.Readlink(m.oldname)
	if err != nil {
		return err
	}
	if err := m.root.Symlink(text, m.newname); err != nil {
		return err
	}
	if err := d.removeOnce(m.root, m.oldname); err != nil {
		_ = d.remove(m.root, m.newname)
		return err
	}
	return m.syncBoth(from, to)
}

func (m *mover) syncBoth(from, to *place) error {
	err := m.d.sync(to)
	if err == nil && from.dir != to.dir {
		err = m.d.sync(from)
	}
	return err
}
