package dir

import (
	"os"

	"memcurator/memstore/backend"
)

// Follow implements [backend.Follower].
func (d *Dir) Follow(name string) (string, error) {
	h, err := d.acquire()
	if err != nil {
		return "", err
	}
	defer d.release(h)
	real, err := d.follow(h, name)
	return real, d.fail(h, err)
}

// MakeFolder implements [backend.FolderMaker].
func (d *Dir) MakeFolder(name string) error {
	h, err := d.acquireToWrite()
	if err != nil {
		return err
	}
	defer d.release(h)
	p, err := d.makePlace(h, backend.JoinName(name, "x"))
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

// ReplaceLink implements [backend.LinkReplacer].
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
	temp := backend.NewTempName()
	_, err := d.writeTemp(p, temp, data, 0o600, nil)
	if err != nil {
		return err
	}
	// Only a link gives way: what another program has put there meanwhile stays.
	info, err := p.root.Lstat(p.base)
	if err == nil && info.Mode()&os.ModeSymlink == 0 {
		err = &os.PathError{Op: "replace", Path: p.base, Err: backend.ErrChanged}
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

// Symlink implements [backend.LinkMaker].
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
