package dir

import (
	"errors"
	"os"
	"runtime"
	"syscall"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// folder is an open directory with the steps of a write in it; tests can make each of them fail.
type folder struct {
	root  *os.Root
	fault faults
}

func (f folder) link(oldname, newname string) error {
	if err := f.fault.check(stepLink); err != nil {
		return err
	}
	return f.root.Link(oldname, newname)
}

func (f folder) rename(oldname, newname string) error {
	if err := f.fault.check(stepRename); err != nil {
		return err
	}
	return f.root.Rename(oldname, newname)
}

// noLinks reports whether a hard link failed because the file system has none.
func noLinks(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && linksMissing(errno)
}

// replacePlaceholder renames oldname to newname without ever replacing
// another file, for file systems without hard links: an exclusive create
// reserves the name, and a rename over it fills it.
func (f folder) replacePlaceholder(oldname, newname string) error {
	if err := f.fault.check(stepPlaceholder); err != nil {
		return err
	}
	file, err := f.root.OpenFile(newname, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = stillEmpty(f.root, newname, info)
	}
	if err == nil {
		err = f.rename(oldname, newname)
	}
	if err != nil && stillEmpty(f.root, newname, info) == nil {
		_ = f.remove(newname)
	}
	return err
}

// stillEmpty checks that no other program has used the placeholder.
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

// removeIfSame removes a file that was just made, unless it has been replaced.
func (f folder) removeIfSame(name string, info os.FileInfo) {
	if now, err := f.root.Lstat(name); err == nil && os.SameFile(now, info) {
		_ = f.remove(name)
	}
}

// sync flushes a directory, if the system can do that.
func (f folder) sync() error {
	if err := f.fault.check(stepSyncDir); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	file, err := quietfile.OpenIn(f.root, ".", quietfile.Directory)
	if err != nil {
		return err
	}
	err = file.Sync()
	if closing := file.Close(); err == nil {
		err = closing
	}
	var errno syscall.Errno
	if errors.As(err, &errno) && syncMissing(errno) {
		return nil
	}
	return err
}

// remove removes one name. It retries once: a temporary file left behind
// would be the worse outcome.
func (f folder) remove(name string) error {
	err := f.removeOnce(name)
	if err != nil && !errors.Is(err, backend.ErrNotExist) {
		err = f.removeOnce(name)
	}
	return err
}

func (f folder) removeOnce(name string) error {
	if err := f.fault.check(stepRemove); err != nil {
		return err
	}
	return f.root.Remove(name)
}
