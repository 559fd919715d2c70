package dir

import (
	"os"

	"memcurator/memstore/backend"
)

// MakeFolder implements [backend.FolderMaker].
func (d *Dir) MakeFolder(name string) error {
	return d.inNewPlace(backend.JoinName(name, "x"), (*place).flush)
}

// ReplaceLink implements [backend.LinkReplacer].
func (d *Dir) ReplaceLink(name string, data []byte) error {
	h, err := d.handles.acquireToWrite()
	if err != nil {
		return err
	}
	defer h.release()
	p, err := h.place(name)
	if err != nil {
		return h.fail(vanished(err))
	}
	defer p.close()
	p.sweep()
	if err := p.replaceLink(data); err != nil {
		return h.fail(err)
	}
	p.remember()
	return nil
}

func (p *place) replaceLink(data []byte) error {
	temp := backend.NewTempName()
	_, err := p.writeTemp(temp, data, 0o600, nil)
	if err != nil {
		return err
	}
	// Only a link is replaced: a file that another program put there meanwhile stays.
	info, err := p.root.Lstat(p.base)
	if err == nil && info.Mode()&os.ModeSymlink == 0 {
		err = &os.PathError{Op: "replace", Path: p.base, Err: backend.ErrChanged}
	}
	if err == nil {
		err = p.rename(temp, p.base)
	}
	if err != nil {
		_ = p.remove(temp)
		return vanished(err)
	}
	return p.flush()
}

// Symlink implements [backend.LinkMaker].
func (d *Dir) Symlink(target, name string) error {
	return d.inNewPlace(name, func(p *place) error {
		if err := p.root.Symlink(target, p.base); err != nil {
			return err
		}
		return p.flush()
	})
}
