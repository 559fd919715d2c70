package dir

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"memcurator/memstore/backend"
)

// Create implements [backend.Backend]. The bytes are written beside the target and get
// their name by a hard link, which never replaces anything. Where the file system
// has no links, an empty file holds the name until the finished one takes its
// place; only there can a crash leave an empty file. Parents made for a
// create that fails are removed again.
func (d *Dir) Create(name string, data []byte) error {
	return d.CreateVia(name, backend.NewTempName(), data)
}

// CreateVia implements [backend.TempKeeper].
func (d *Dir) CreateVia(name, temp string, data []byte) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	if name == "." {
		return d.fail(h, &os.PathError{Op: "create", Path: name, Err: backend.ErrExist})
	}
	p, err := d.makePlace(h, name)
	if err != nil {
		return d.fail(h, err)
	}
	if err := d.createIn(&p, temp, data); err != nil {
		d.unmake(&p)
		return d.fail(h, err)
	}
	d.remember(&p)
	p.close()
	return nil
}

func (d *Dir) createIn(p *place, temp string, data []byte) error {
	if _, err := p.root.Lstat(p.base); err == nil {
		return &os.PathError{Op: "create", Path: p.base, Err: backend.ErrExist}
	} else if !errors.Is(err, backend.ErrNotExist) {
		return err
	}
	d.sweep(p)
	info, err := d.writeTemp(p, temp, data, 0o600, nil)
	if err != nil {
		return err
	}
	err = d.link(p.root, temp, p.base)
	if err == nil || !noLinks(err) {
		// Once the target has its name a temporary name that cannot be removed
		// does no harm: the next sweep tries again.
		_ = d.remove(p.root, temp)
	} else if err = d.replacePlaceholder(p.root, temp, p.base); err != nil {
		_ = d.remove(p.root, temp)
	}
	if err != nil {
		return err
	}
	if err := d.sync(p); err != nil {
		d.removeIfSame(p.root, p.base, info)
		return err
	}
	return nil
}

func (d *Dir) link(root *os.Root, oldname, newname string) error {
	if err := d.check(stepLink); err != nil {
		return err
	}
	return root.Link(oldname, newname)
}

func (d *Dir) rename(root *os.Root, oldname, newname string) error {
	if err := d.check(stepRename); err != nil {
		return err
	}
	return root.Rename(oldname, newname)
}

// noLinks reports whether a link failed for want of hard links.
func noLinks(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && linksMissing(errno)
}

// replacePlaceholder gives oldname the name newname without ever replacing a
// file of others, where hard links are missing: an exclusive create takes the
// name, a rename over it fills it.
func (d *Dir) replacePlaceholder(root *os.Root, oldname, newname string) error {
	if err := d.check(stepPlaceholder); err != nil {
		return err
	}
	f, err := root.OpenFile(newname, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = stillEmpty(root, newname, info)
	}
	if err == nil {
		err = d.rename(root, oldname, newname)
	}
	if err != nil && stillEmpty(root, newname, info) == nil {
		_ = d.remove(root, newname)
	}
	return err
}

// stillEmpty makes sure that the placeholder was not used by another program.
func stillEmpty(root *os.Root, name string, placeholder os.FileInfo) error {
	now, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if placeholder == nil || now.Size() != 0 || !os.SameFile(now, placeholder) {
		return &os.PathError{Op: "create", Path: name, Err: backend.ErrExist}
	}
	return nil
}

// removeIfSame takes a file of ours away again, unless another took its place.
func (d *Dir) removeIfSame(root *os.Root, name string, info os.FileInfo) {
	if now, err := root.Lstat(name); err == nil && os.SameFile(now, info) {
		_ = d.remove(root, name)
	}
}

// Replace implements [backend.Backend]. The file gets a new inode: another hard link to
// the old one keeps the old bytes. When the directory cannot be flushed after the switch, the new bytes stay and
// the error says that they may not survive a power cut.
func (d *Dir) Replace(name string, old, data []byte) error {
	return d.ReplaceVia(name, backend.NewTempName(), old, data)
}

// ReplaceVia implements [backend.TempKeeper].
func (d *Dir) ReplaceVia(name, temp string, old, data []byte) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	p, info, err := d.placeOfFile(h, name)
	if err != nil {
		return d.fail(h, err)
	}
	defer p.close()
	d.sweep(&p)
	if err := d.replaceIn(&p, info, temp, old, data); err != nil {
		return d.fail(h, err)
	}
	d.remember(&p)
	return nil
}

// placeOfFile finds the regular file that name means, through links that stay inside.
func (d *Dir) placeOfFile(h *openRoot, name string) (place, os.FileInfo, error) {
	p, err := d.place(h, name)
	if err != nil {
		return place{}, nil, vanished(err)
	}
	info, err := p.root.Lstat(p.base)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		p.close()
		target, err := d.resolve(h, name, true)
		if err != nil {
			return place{}, nil, vanished(err)
		}
		if p, err = d.place(h, target); err != nil {
			return place{}, nil, vanished(err)
		}
		info, err = p.root.Lstat(p.base)
		if err != nil {
			p.close()
			return place{}, nil, vanished(err)
		}
	}
	if err == nil {
		err = mustBeRegular(name, kindOf(info.Mode()))
	}
	if err != nil {
		p.close()
		return place{}, nil, vanished(err)
	}
	return p, info, nil
}

// vanished says that a file that was there when its edit was decided on is not any more.
func vanished(err error) error {
	if errors.Is(err, backend.ErrNotExist) {
		return fmt.Errorf("%w: %w", backend.ErrChanged, err)
	}
	return err
}

func (d *Dir) replaceIn(p *place, info os.FileInfo, temp string, old, data []byte) error {
	_, err := d.writeTemp(p, temp, data, info.Mode(), info)
	if err != nil {
		return err
	}
	if err = d.compare(p, old); err == nil {
		err = d.rename(p.root, temp, p.base)
	}
	if err != nil {
		_ = d.remove(p.root, temp)
		return err
	}
	return d.sync(p)
}
