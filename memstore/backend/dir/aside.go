package dir

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// changeAge is the age at which a folder that was moved aside counts as abandoned.
const changeAge = time.Hour

// Removable implements [backend.AsideKeeper].
func (d *Dir) Removable(ctx context.Context, name string) error {
	return at(name, d.handles.acquire, func(p *place) error { return removable(ctx, p.root, p.base, 0) })
}

// removable returns what prevents the removal of the folder at name: a folder at or below it whose entries can't be listed or removed, an
// immutable file, or another file system than device. device is 0 for that of the folder.
func removable(ctx context.Context, root *os.Root, name string, device uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := quietfile.OpenIn(root, name, quietfile.Directory)
	if err != nil {
		return err
	}
	entries, err := readEntries(f)
	if err == nil {
		device, err = sameDevice(f, device)
	}
	if err == nil && len(entries) > 0 {
		err = mayEmpty(f)
	}
	for i := 0; err == nil && i < len(entries); i++ {
		err = fixed(f, entries[i].Name)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil || !slices.ContainsFunc(entries, func(e backend.Info) bool { return e.Kind == backend.KindDir }) {
		return err
	}
	// Through a Root of its own, each step costs the same however deep the folder is.
	folder, err := openFolder(root, name)
	if err != nil {
		return err
	}
	defer folder.Close()
	for _, e := range entries {
		if e.Kind == backend.KindDir {
			if err := removable(ctx, folder, e.Name, device); err != nil && !errors.Is(err, backend.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// sameDevice returns the device of a folder, which must be that of its parent.
func sameDevice(f *os.File, above uint64) (uint64, error) {
	fi, err := f.Stat()
	if err != nil {
		return 0, err
	}
	device := FileID(fi).Device
	if above != 0 && device != above {
		return 0, &os.PathError{Op: "remove", Path: f.Name(), Err: backend.ErrMounted}
	}
	return device, nil
}

// RemoveAside implements [backend.AsideKeeper]. It also removes abandoned folders of other processes.
func (d *Dir) RemoveAside(name string) error {
	return d.inPlace(name, func(p *place) error {
		p.sweepAsides()
		if err := p.fault.check(stepRemove); err != nil {
			return err
		}
		err := p.removeAll()
		if syncing := p.sync(); err == nil {
			err = syncing
		}
		p.remember()
		return err
	})
}

// sweepAsides removes folders that processes moved aside and abandoned, in stores without a journal; a journal makes the next start do
// so. A process that looks dead may live in another container, so only age decides.
func (p *place) sweepAsides() {
	p.eachTemp(func(name string, pid int) {
		if name == p.base || !backend.ProcessDead(pid) {
			return
		}
		fi, err := p.root.Lstat(name)
		if err == nil && fi.IsDir() && time.Since(changeTime(fi)) > changeAge && removable(context.Background(), p.root, name, 0) == nil {
			_ = p.root.RemoveAll(name)
		}
	})
}
