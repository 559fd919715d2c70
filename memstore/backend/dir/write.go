package dir

import (
	"errors"
	"fmt"
	"os"

	"memcurator/memstore/backend"
)

// Create implements [backend.Backend]. It writes the bytes to a file beside the target, which gets its name by a hard link and so never
// replaces anything. If the file system has no links, an empty file reserves the name until the finished one replaces it; only then can a
// crash leave an empty file. If the create fails, parents made for it are removed again.
func (d *Dir) Create(name string, data []byte) error {
	return d.CreateVia(name, backend.NewTempName(), data)
}

// CreateVia implements [backend.TempKeeper].
func (d *Dir) CreateVia(name, temp string, data []byte) error {
	return d.inNewPlace(name, func(p *place) error {
		if name == "." {
			return &os.PathError{Op: "create", Path: name, Err: backend.ErrExist}
		}
		return p.create(temp, data)
	})
}

func (p *place) create(temp string, data []byte) error {
	if _, err := p.root.Lstat(p.base); err == nil {
		return &os.PathError{Op: "create", Path: p.base, Err: backend.ErrExist}
	} else if !errors.Is(err, backend.ErrNotExist) {
		return err
	}
	p.sweep()
	info, err := p.writeTemp(temp, data, 0o600, nil)
	if err != nil {
		return err
	}
	err = p.link(temp, p.base)
	if err == nil || !noLinks(err) {
		// Once the target has its name, a temporary name that can't be removed does
		// no harm: the next sweep tries again.
		_ = p.remove(temp)
	} else if err = p.replacePlaceholder(temp, p.base); err != nil {
		_ = p.remove(temp)
	}
	if err != nil {
		return err
	}
	if err := p.flush(); err != nil {
		p.removeIfSame(p.base, info)
		return err
	}
	return nil
}

// Replace implements [backend.Backend]. The file gets a new inode: other hard links to the old one keep the old bytes. If the directory
// can't be flushed after the switch, the new bytes stay and the error says that they may not survive a power cut.
func (d *Dir) Replace(name string, old, data []byte) error {
	return d.ReplaceVia(name, backend.NewTempName(), old, data)
}

// ReplaceVia implements [backend.TempKeeper].
func (d *Dir) ReplaceVia(name, temp string, old, data []byte) error {
	h, err := d.handles.acquireToWrite()
	if err != nil {
		return err
	}
	defer h.release()
	p, info, err := h.placeOfFile(name)
	if err != nil {
		return h.fail(err)
	}
	defer p.close()
	p.sweep()
	if err := p.replace(info, temp, old, data); err != nil {
		return h.fail(err)
	}
	p.remember()
	return nil
}

// placeOfFile finds the regular file at name, through links that stay inside.
func (h *openRoot) placeOfFile(name string) (place, os.FileInfo, error) {
	p, err := h.place(name)
	if err != nil {
		return place{}, nil, vanished(err)
	}
	info, err := p.root.Lstat(p.base)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		p.close()
		target, err := h.resolve(name, true)
		if err != nil {
			return place{}, nil, vanished(err)
		}
		if p, err = h.place(target); err != nil {
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

// vanished is the error for a file that existed when its edit was decided, but doesn't now.
func vanished(err error) error {
	if errors.Is(err, backend.ErrNotExist) {
		return fmt.Errorf("%w: %w", backend.ErrChanged, err)
	}
	return err
}

func (p *place) replace(info os.FileInfo, temp string, old, data []byte) error {
	_, err := p.writeTemp(temp, data, info.Mode(), info)
	if err != nil {
		return err
	}
	if err = p.compare(old); err == nil {
		err = p.rename(temp, p.base)
	}
	if err != nil {
		_ = p.remove(temp)
		return err
	}
	return p.flush()
}
