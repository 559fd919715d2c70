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

// Remove implements [backend.Backend]. It refuses a folder before touching anything if the modes below it show that it can't be removed
// whole. Otherwise the removal of a folder is not atomic: if it fails or the process is killed midway, a part of the folder remains,
// visible under its own name.
func (d *Dir) Remove(name string) error {
	return d.inPlace(name, func(p *place) error {
		if name == "." {
			return backend.ErrRoot
		}
		if err := p.removeAny(); err != nil {
			return err
		}
		p.remember()
		return nil
	})
}

// RemoveVia implements [backend.TempKeeper].
func (d *Dir) RemoveVia(name, temp string, old []byte) error {
	return d.inPlace(name, func(p *place) error {
		p.sweep()
		if err := p.removeKnown(temp, old); err != nil {
			return err
		}
		p.remember()
		return nil
	})
}

// removeKnown moves the file aside, and removes it if it has the bytes old.
func (p *place) removeKnown(temp string, old []byte) error {
	info, err := p.root.Lstat(p.base)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return changed(p.base)
	}
	if err := p.rename(p.base, temp); err != nil {
		return err
	}
	aside := *p
	aside.base = temp
	if err = aside.compare(old); errors.Is(err, backend.ErrChanged) {
		err = changed(p.base)
	}
	if err == nil {
		err = p.removeOnce(temp)
	}
	if err != nil {
		p.reinstate(temp)
		return err
	}
	return p.flush()
}

// reinstate returns a file that was moved aside to its name. If another program has made a new file of that name, that one is newer: it
// would have replaced the one aside.
func (p *place) reinstate(temp string) {
	err := p.link(temp, p.base)
	switch {
	case err == nil || errors.Is(err, backend.ErrExist):
		_ = p.remove(temp)
	default:
		if info, lost := p.root.Lstat(temp); lost == nil && (noLinks(err) || info.IsDir()) {
			err = p.replacePlaceholder(temp, p.base)
		}
		if _, free := p.root.Lstat(p.base); err != nil && errors.Is(free, backend.ErrNotExist) {
			_ = p.root.Rename(temp, p.base)
		}
	}
	_ = p.flush()
}

func (p *place) removeAny() error {
	info, err := p.root.Lstat(p.base)
	if err != nil {
		return err
	}
	p.sweep()
	if info.IsDir() {
		err = p.removeFolder()
	} else {
		err = p.removeOnce(p.base)
	}
	if err != nil {
		return err
	}
	return p.flush()
}

func (p *place) removeFolder() error {
	if err := p.fault.check(stepRemove); err != nil {
		return err
	}
	err := p.root.Remove(p.base)                             // most folders that an agent deletes are small, and many empty
	if err == nil || errors.Is(err, backend.ErrPermission) { // in a folder that we may not modify
		return err
	}
	if err := removable(context.Background(), p.root, p.base, 0); err != nil {
		return err
	}
	return p.removeAll()
}

// removeAll removes a folder with everything in it.
func (p *place) removeAll() error {
	err := p.root.RemoveAll(p.base)
	if errors.Is(err, backend.ErrExist) {
		return fmt.Errorf("%w: %w", backend.ErrChanged, err) // another program keeps writing into it
	}
	return err
}

// Rename implements [backend.Backend]. Files and links get the new name by a hard link and then lose the old one, so that nothing is ever
// replaced and a crash leaves both names rather than none. A folder is renamed after checking that the new name is free; if another
// program takes that name in between, the rename can only replace an empty folder. If a folder can't be flushed after the switch, the new
// name stays and the error says that it may not survive a power cut.
func (d *Dir) Rename(oldname, newname string) error {
	h, err := d.handles.acquireToWrite()
	if err != nil {
		return err
	}
	defer h.release()
	if err := h.move(oldname, newname); err != nil {
		return h.fail(err)
	}
	return nil
}

func (h *openRoot) move(oldname, newname string) error {
	if oldname == "." || newname == "." {
		return backend.ErrRoot
	}
	from, err := h.place(oldname)
	if err != nil {
		return err
	}
	defer from.close()
	info, err := from.root.Lstat(from.base)
	if err != nil {
		return err
	}
	if info.IsDir() && backend.IsBelow(newname, oldname) && !h.leadsOut(oldname, newname) {
		return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: fs.ErrInvalid}
	}
	to, err := h.makePlace(newname)
	if err != nil {
		return err
	}
	if err := from.moveTo(&to, info); err != nil {
		to.unmake()
		return err
	}
	from.remember()
	to.remember()
	to.close()
	return nil
}

// leadsOut reports whether newname, which appears to be below the folder oldname, leads out of that folder again through a link.
func (h *openRoot) leadsOut(oldname, newname string) bool {
	from, err := backend.ResolveExisting(oldname, false, h.resolve)
	if err != nil {
		return false
	}
	to, err := backend.ResolveExisting(path.Dir(newname), true, h.resolve)
	return err == nil && to != from && !backend.IsBelow(to, from)
}

func (from *place) moveTo(to *place, info os.FileInfo) error {
	if _, err := to.root.Lstat(to.base); err == nil {
		return &os.LinkError{Op: "rename", Old: from.base, New: to.base, Err: backend.ErrExist}
	} else if !errors.Is(err, backend.ErrNotExist) {
		return err
	}
	to.sweep()
	m := mover{folder: from.h.folder(from.h.root), oldname: from.full(), newname: to.full()}
	if from.dir == to.dir {
		m = mover{folder: to.folder, oldname: from.base, newname: to.base}
	}
	if info.IsDir() {
		return m.moveFolder(from, to)
	}
	return m.moveFile(from, to, info)
}

// mover carries out one rename: two names below one Root.
type mover struct {
	folder
	oldname, newname string
}

func (m *mover) moveFolder(from, to *place) error {
	if err := m.rename(m.oldname, m.newname); err != nil {
		if errors.Is(err, backend.ErrExist) || errors.Is(err, backend.ErrNotDir) {
			return &os.LinkError{Op: "rename", Old: m.oldname, New: m.newname, Err: backend.ErrExist}
		}
		return err
	}
	return m.syncBoth(from, to)
}

func (m *mover) moveFile(from, to *place, info os.FileInfo) error {
	err := m.link(m.oldname, m.newname)
	if err != nil && noLinks(err) {
		return m.withoutLinks(from, to, info)
	}
	if err != nil {
		return err
	}
	// The new name must be durable before the old one goes; within one folder a
	// single flush covers both.
	if from.dir != to.dir {
		err = to.flush()
	}
	if err == nil {
		err = m.removeOnce(m.oldname)
	}
	if err != nil {
		m.removeIfSame(m.newname, info)
		return err
	}
	return from.flush()
}

// withoutLinks moves on file systems without hard links. A link is recreated,
// since a rename would replace whatever has the name by then.
func (m *mover) withoutLinks(from, to *place, info os.FileInfo) error {
	if info.Mode()&os.ModeSymlink == 0 {
		if err := m.replacePlaceholder(m.oldname, m.newname); err != nil {
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
	if err := m.removeOnce(m.oldname); err != nil {
		_ = m.remove(m.newname)
		return err
	}
	return m.syncBoth(from, to)
}

func (m *mover) syncBoth(from, to *place) error {
	err := to.flush()
	if err == nil && from.dir != to.dir {
		err = from.flush()
	}
	return err
}
