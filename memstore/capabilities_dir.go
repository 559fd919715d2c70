package memstore

import (
	"os"
)

// Follow implements [Follower].
func (d *Dir) Follow(name string) (string, error) {
	h, err := d.acquire()
	if err != nil {
		return "", err
	}
	defer d.release(h)
	real, err := d.follow(h, name)
	return real, d.fail(h, err)
}

// follow walks like resolve, and goes on where nothing is.
func (d *Dir) follow(h *openRoot, name string) (string, error) {
	w := walk{}
	w.push(name)
	look := descent{top: h.root}
	defer look.close()
	for links := 0; len(w.todo) > 0; {
		step := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		here, err := d.step(&w, step)
		if err != nil {
			return "", err
		}
		if here == "" {
			continue
		}
		// Whatever cannot be looked at is no link.
		if fi, err := look.lstat(here, len(w.done)); err != nil || fi.Mode()&os.ModeSymlink == 0 {
			w.done = append(w.done, step)
			continue
		}
		if links++; links > maxLinks {
			return "", &os.PathError{Op: "readlink", Path: name, Err: ErrLinkLoop}
		}
		text, err := h.root.Readlink(here)
		if err != nil {
			return "", err
		}
		if err := d.enter(&w, text); err != nil {
			return "", err
		}
	}
	return w.end(name)
}

// MakeFolder implements [FolderMaker].
func (d *Dir) MakeFolder(name string) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	p, err := d.makePlace(h, joinName(name, "x"))
	if err != nil {
		return d.fail(h, err)
	}
	if err := d.sync(&p); err != nil {
		d.unmake(&p)
		return d.fail(h, err)
	}
	d.remember(&p)
	p.close()
	return nil
}

// ReplaceLink implements [LinkReplacer].
func (d *Dir) ReplaceLink(name string, data []byte) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	p, err := d.place(h, name)
	if err != nil {
		return d.fail(h, vanished(err))
	}
	defer p.close()
	d.sweep(&p)
	if err := d.replaceLinkIn(&p, data); err != nil {
		return d.fail(h, err)
	}
	d.remember(&p)
	return nil
}

func (d *Dir) replaceLinkIn(p *place, data []byte) error {
	temp, _, err := d.writeTemp(p, data, 0o600, nil)
	if err != nil {
		return err
	}
	// Only a link gives way: what another program has put there meanwhile stays.
	info, err := p.root.Lstat(p.base)
	if err == nil && info.Mode()&os.ModeSymlink == 0 {
		err = &os.PathError{Op: "replace", Path: p.base, Err: ErrChanged}
	}
	if err == nil {
		err = d.rename(p.root, temp, p.base)
	}
	if err != nil {
		_ = d.remove(p.root, temp)
		return vanished(err)
	}
	return d.sync(p)
}

// Symlink implements [LinkMaker].
func (d *Dir) Symlink(target, name string) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	p, err := d.makePlace(h, name)
	if err != nil {
		return d.fail(h, err)
	}
	defer p.close()
	if err := p.root.Symlink(target, p.base); err != nil {
		return d.fail(h, err)
	}
	d.remember(&p)
	return d.fail(h, d.sync(&p))
}
