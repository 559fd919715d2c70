package dir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"syscall"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// Create implements [backend.Backend]. It writes the bytes to a file beside the target, which gets its name by a hard link and so never
// replaces anything.
func (d *Dir) Create(name string, data []byte) error {
	return d.making(name, func(root *os.Root) error {
		temp := tempBeside(name)
		if err := writeFile(root, temp, data, nil); err != nil {
			return err
		}
		err := giveName(root, temp, name)
		if err != nil {
			_ = root.Remove(temp)
		}
		return err
	})
}

// making runs a write that makes a name, which must be free, and the folders above it, 0700. If it fails, none of them remain.
func (d *Dir) making(name string, do func(root *os.Root) error) error {
	return d.in(func(root *os.Root) error {
		if err := mustBeFree(root, name); err != nil {
			return err
		}
		var made []string
		for dir := path.Dir(name); ; dir = path.Dir(dir) {
			if _, err := root.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			made = append(made, dir)
		}
		err := root.MkdirAll(path.Dir(name), 0o700)
		if err == nil {
			err = do(root)
		}
		for _, dir := range made {
			if err == nil {
				err = flush(root, path.Dir(dir))
			} else if root.Remove(dir) != nil {
				break // another program has put something there
			}
		}
		return err
	})
}

func mustBeFree(root *os.Root, name string) error {
	_, err := root.Lstat(name)
	if err == nil {
		return &fs.PathError{Op: "create", Path: name, Err: backend.ErrExist}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// tempBeside names a temporary file in the folder of a file.
func tempBeside(name string) string { return path.Join(path.Dir(name), backend.NewTempName()) }

// writeFile makes a file, with the mode and the owner of old unless that is nil, and flushes it. After an error, nothing remains.
func writeFile(root *os.Root, name string, data []byte, old fs.FileInfo) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|quietfile.NoWait, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && old != nil && runtime.GOOS != "windows" {
		keepOwner(f, old) // before the mode: a change of owner clears the set-user bits
		err = f.Chmod(old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = root.Remove(name)
	}
	return err
}

// giveName gives a file or a link another name, durably. Nothing is replaced, and a crash leaves both names rather than none.
func giveName(root *os.Root, from, to string) error {
	err := root.Link(from, to)
	var errno syscall.Errno
	if errors.As(err, &errno) && linksMissing(errno) { // then only the lock keeps another program's file from being replaced
		if err = mustBeFree(root, to); err == nil {
			err = root.Rename(from, to)
		}
		return errors.Join(err, flushBoth(root, from, to))
	}
	if err != nil {
		return err
	}
	if path.Dir(from) != path.Dir(to) {
		err = flush(root, path.Dir(to)) // the new name is durable before the old one goes
	}
	if err == nil {
		err = root.Remove(from)
	}
	if err != nil {
		_ = root.Remove(to)
		return err
	}
	return flush(root, path.Dir(from))
}

func flushBoth(root *os.Root, from, to string) error {
	err := flush(root, path.Dir(to))
	if path.Dir(from) != path.Dir(to) {
		err = errors.Join(err, flush(root, path.Dir(from)))
	}
	return err
}

// flush makes the names in a folder durable, if the system can do that.
func flush(root *os.Root, folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := quietfile.OpenIn(root, folder, quietfile.Directory)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// Replace implements [backend.Backend]. The file gets a new inode: other hard links to the old one keep the old bytes. If the directory
// can't be flushed after the switch, the new bytes stay and the error says that they may not survive a power cut.
func (d *Dir) Replace(name string, old, data []byte) error {
	return vanished(d.in(func(root *os.Root) error {
		real, err := resolve(root, name, true)
		if err != nil {
			return err
		}
		info, err := root.Lstat(real)
		if err == nil {
			err = mustBeRegular(name, info)
		}
		if err != nil {
			return err
		}
		temp := tempBeside(real)
		if err := writeFile(root, temp, data, info); err != nil {
			return err
		}
		if err = compare(root, real, old); err == nil {
			err = root.Rename(temp, real)
		}
		if err != nil {
			_ = root.Remove(temp)
			return err
		}
		return flush(root, path.Dir(real))
	}))
}

// vanished is the error for a file that existed when its edit was decided, but doesn't now.
func vanished(err error) error {
	if errors.Is(err, backend.ErrNotExist) {
		return fmt.Errorf("%w: %w", backend.ErrChanged, err)
	}
	return err
}

// compare checks, just before a switch, that a file still has the bytes that the edit was based on. If not, it is [backend.ErrChanged].
func compare(root *os.Root, name string, old []byte) error {
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	var now []byte
	if info.Mode().IsRegular() && info.Size() == int64(len(old)) {
		f, err := quietfile.OpenIn(root, name, 0)
		if err != nil {
			return err
		}
		now, err = io.ReadAll(io.LimitReader(f, int64(len(old))+1))
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	if !info.Mode().IsRegular() || !bytes.Equal(now, old) {
		return fmt.Errorf("%s: %w", name, backend.ErrChanged)
	}
	return nil
}

// Remove implements [backend.Backend]. The removal of a folder is not atomic: if it fails or the process is killed midway, a part of the
// folder remains, visible under its own name.
func (d *Dir) Remove(name string) error {
	return d.in(func(root *os.Root) error {
		info, err := root.Lstat(name)
		switch {
		case name == ".":
			err = backend.ErrRoot
		case err != nil:
		case info.IsDir():
			if err = root.RemoveAll(name); errors.Is(err, backend.ErrExist) {
				err = fmt.Errorf("%w: %w", backend.ErrChanged, err) // another program keeps writing into it
			}
		default:
			err = root.Remove(name)
		}
		if err != nil {
			return err
		}
		return flush(root, path.Dir(name))
	})
}

// Rename implements [backend.Backend]. A file or link gets the new name as with Create. A folder is renamed after checking that the new
// name is free; if another program takes that name in between, the rename can only replace an empty folder.
func (d *Dir) Rename(oldname, newname string) error {
	if oldname == "." || newname == "." {
		return backend.ErrRoot
	}
	info, err := d.Lstat(oldname)
	if err != nil {
		return err
	}
	if info.Kind == backend.KindDir && backend.IsBelow(newname, oldname) {
		return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: backend.ErrInside}
	}
	return d.making(newname, func(root *os.Root) error {
		if info.Kind != backend.KindDir {
			return giveName(root, oldname, newname)
		}
		if err := root.Rename(oldname, newname); err != nil {
			return err
		}
		return flushBoth(root, oldname, newname)
	})
}

// Symlink implements [backend.LinkMaker].
func (d *Dir) Symlink(target, name string) error {
	return d.making(name, func(root *os.Root) error {
		if err := root.Symlink(target, name); err != nil {
			return err
		}
		return flush(root, path.Dir(name))
	})
}

// MakeFolder implements [backend.FolderMaker].
func (d *Dir) MakeFolder(name string) error {
	return d.making(backend.JoinName(name, "x"), func(root *os.Root) error { return flush(root, name) })
}

// Stamp implements [backend.Stamper]. It keeps the access time: restoring a file doesn't read it.
func (d *Dir) Stamp(name string, to backend.Stamps) error {
	return d.in(func(root *os.Root) (err error) {
		if !to.ModTime.IsZero() {
			err = root.Chtimes(name, time.Time{}, to.ModTime)
		}
		if to.Mode != 0 {
			err = errors.Join(err, root.Chmod(name, to.Mode.Perm()))
		}
		return err
	})
}

// SweepTemps implements [backend.TempSweeper].
func (d *Dir) SweepTemps(folder string) error {
	list, err := d.ReadDir(folder)
	for _, i := range list {
		if backend.IsTemp(i.Name) && i.Kind == backend.KindFile {
			err = errors.Join(err, d.in(func(root *os.Root) error { return root.Remove(path.Join(folder, i.Name)) }))
		}
	}
	return err
}
