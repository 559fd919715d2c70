package dir

import (
	"context"
	"errors"
	"os"
	"slices"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

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
