package dir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// Stat implements [backend.Backend].
func (d *Dir) Stat(name string) (info backend.Info, err error) {
	err = d.in(func(root *os.Root) error {
		fi, err := root.Stat(name)
		info = infoOf(fi)
		return err
	})
	return info, err
}

// Lstat implements [backend.Backend].
func (d *Dir) Lstat(name string) (info backend.Info, err error) {
	err = d.in(func(root *os.Root) error {
		fi, err := root.Lstat(name)
		info = infoOf(fi)
		return err
	})
	return info, err
}

// Readlink implements [backend.Backend].
func (d *Dir) Readlink(name string) (target string, err error) {
	err = d.in(func(root *os.Root) (err error) {
		target, err = root.Readlink(name)
		return err
	})
	return target, err
}

// ReadDir implements [backend.Backend].
func (d *Dir) ReadDir(name string) (list []backend.Info, err error) {
	err = d.in(func(root *os.Root) (err error) {
		list, err = readDir(root, name)
		return err
	})
	return list, err
}

func readDir(root *os.Root, name string) ([]backend.Info, error) {
	f, err := quietfile.OpenIn(root, name, quietfile.Directory)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.Readdir(-1) // without those that vanish before it reaches them
	list := make([]backend.Info, len(entries))
	for i, fi := range entries {
		list[i] = infoOf(fi)
	}
	slices.SortFunc(list, func(a, b backend.Info) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

// Open implements [backend.Backend]. It checks the type before it opens, since opening a device can have effects, and again afterwards,
// since the file may have been replaced.
func (d *Dir) Open(name string, a backend.Access) (file backend.File, err error) {
	err = d.in(func(root *os.Root) error {
		info, err := root.Stat(name)
		if err == nil {
			err = mustBeRegular(name, info)
		}
		if err != nil {
			return err
		}
		var f *os.File
		if a == backend.Look {
			f, err = quietfile.OpenIn(root, name, 0)
		} else {
			f, err = root.OpenFile(name, os.O_RDONLY|quietfile.NoWait, 0)
		}
		if err != nil {
			return err
		}
		if info, err = f.Stat(); err == nil {
			err = mustBeRegular(name, info)
		}
		if err != nil {
			return errors.Join(err, f.Close())
		}
		file = dirFile{f}
		return nil
	})
	return file, err
}

func mustBeRegular(name string, info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%w: %w", backend.ErrNotRegular, backend.ErrIsDir)}
	}
	return &fs.PathError{Op: "open", Path: name, Err: backend.ErrNotRegular}
}

// dirFile is the [backend.File] of a Dir.
type dirFile struct{ *os.File }

// Info implements [backend.File].
func (f dirFile) Info() (backend.Info, error) {
	info, err := f.Stat()
	return infoOf(info), classify(err)
}

// infoOf describes a file; nil is nothing.
func infoOf(fi fs.FileInfo) backend.Info {
	if fi == nil {
		return backend.Info{}
	}
	info := backend.Info{Name: fi.Name(), Kind: backend.KindOther, Size: fi.Size(), Mode: fi.Mode(), ModTime: fi.ModTime(), ID: fileID(fi)}
	switch fi.Mode().Type() {
	case 0:
		info.Kind = backend.KindFile
	case fs.ModeDir:
		info.Kind = backend.KindDir
	case fs.ModeSymlink:
		info.Kind = backend.KindLink
	}
	return info
}

// Resolve implements [backend.Resolver].
func (d *Dir) Resolve(name string, last bool) (real string, err error) {
	err = d.in(func(root *os.Root) (err error) {
		real, err = backend.ResolveExisting(name, last, func(name string, last bool) (string, error) { return resolve(root, name, last) })
		return err
	})
	return real, err
}

// resolve follows the links in a name that stay in the root; with last, also one in its last segment.
func resolve(root *os.Root, name string, last bool) (string, error) {
	done, todo := ".", strings.Split(name, "/")
	for links := 0; len(todo) > 0; {
		next := path.Join(done, todo[0])
		todo = todo[1:]
		if next == ".." || strings.HasPrefix(next, "../") {
			return "", backend.ErrEscapes
		}
		info, err := root.Lstat(next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 || len(todo) == 0 && !last {
			done = next
			continue
		}
		if links++; links > backend.MaxLinks {
			return "", backend.ErrLinkLoop
		}
		target, err := root.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			return "", backend.ErrEscapes
		}
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	return done, nil
}

// AccessTime implements [backend.AccessTimer]. Our own reads leave no trace if the system allows, so the time is that of a read by the
// agent or another program.
func (d *Dir) AccessTime(name string) (at time.Time, err error) {
	err = d.in(func(root *os.Root) error {
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		var known bool
		if at, known = accessTime(root, info); !known {
			return &fs.PathError{Op: "access time", Path: name, Err: errors.ErrUnsupported}
		}
		return nil
	})
	return at, err
}
