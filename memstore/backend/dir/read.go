package dir

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// Stat implements [backend.Backend].
func (d *Dir) Stat(name string) (backend.Info, error) {
	h, err := d.handles.acquire()
	if err != nil {
		return backend.Info{}, err
	}
	defer h.release()
	fi, err := h.root.Stat(name)
	if h.needsHand(err) {
		if name, err = h.resolve(name, true); err == nil {
			fi, err = h.root.Stat(name)
		}
	}
	if err != nil {
		return backend.Info{}, h.fail(err)
	}
	return infoOf(fi), nil
}

// Lstat implements [backend.Backend].
func (d *Dir) Lstat(name string) (backend.Info, error) {
	h, err := d.handles.acquire()
	if err != nil {
		return backend.Info{}, err
	}
	defer h.release()
	fi, _, err := h.lstat(name)
	if err != nil {
		return backend.Info{}, h.fail(err)
	}
	return infoOf(fi), nil
}

// lstat also returns an equivalent name that the Root accepts.
func (h *openRoot) lstat(name string) (os.FileInfo, string, error) {
	fi, err := h.root.Lstat(name)
	if h.needsHand(err) {
		if name, err = h.resolve(name, false); err == nil {
			fi, err = h.root.Lstat(name)
		}
	}
	return fi, name, err
}

// Readlink implements [backend.Backend].
func (d *Dir) Readlink(name string) (string, error) {
	h, err := d.handles.acquire()
	if err != nil {
		return "", err
	}
	defer h.release()
	text, err := h.root.Readlink(name)
	if h.needsHand(err) {
		if name, err = h.resolve(name, false); err == nil {
			text, err = h.root.Readlink(name)
		}
	}
	return text, h.fail(err)
}

// ReadDir implements [backend.Backend].
func (d *Dir) ReadDir(name string) ([]backend.Info, error) {
	h, err := d.handles.acquire()
	if err != nil {
		return nil, err
	}
	defer h.release()
	f, err := quietfile.OpenIn(h.root, name, quietfile.Directory)
	if h.needsHand(err) {
		if name, err = h.resolve(name, true); err == nil {
			f, err = quietfile.OpenIn(h.root, name, quietfile.Directory)
		}
	}
	if err != nil {
		return nil, h.fail(err)
	}
	defer f.Close()
	entries, err := readEntries(f)
	if err != nil {
		return nil, h.fail(err)
	}
	slices.SortFunc(entries, func(a, b backend.Info) int { return strings.Compare(a.Name, b.Name) })
	return entries, nil
}

// Open implements [backend.Backend].
func (d *Dir) Open(name string, a backend.Access) (backend.File, error) {
	if f := d.handles.openByPath(name, a); f != nil {
		return dirFile{f}, nil
	}
	h, err := d.handles.acquire()
	if err != nil {
		return nil, err
	}
	defer h.release()
	f, err := h.openRegular(name, a)
	if err != nil {
		return nil, h.fail(err)
	}
	return dirFile{f}, nil
}

// openByPath opens a regular file right in a directory that isn't open yet. It follows no link below the path of the store, and returns nil
// for whatever takes more: then the directory is opened.
func (hs *handles) openByPath(name string, a backend.Access) *os.File {
	if quietfile.NoFollow == 0 || name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return nil
	}
	hs.mu.Lock()
	open := hs.current != nil || hs.closed
	hs.mu.Unlock()
	if open {
		return nil
	}
	path := hs.path + string(os.PathSeparator) + name
	if !isRegularAt(path) {
		return nil
	}
	var f *os.File
	var err error
	if a == backend.Look {
		f, err = quietfile.Open(path, quietfile.NoFollow)
	} else {
		f, err = os.OpenFile(path, os.O_RDONLY|quietfile.NoWait|quietfile.NoFollow, 0)
	}
	if err != nil {
		return nil
	}
	if info, err := infoOfOpen(f); err != nil || info.Kind != backend.KindFile {
		_ = f.Close()
		return nil
	}
	return f
}

// openRegular checks the type before it opens, since opening a device can
// have effects, and again afterwards, since the file may have been replaced.
func (h *openRoot) openRegular(name string, a backend.Access) (*os.File, error) {
	f, err := openIfRegular(h, name, a)
	if h.needsHand(err) {
		if name, err = h.resolve(name, true); err == nil {
			f, err = openIfRegular(h, name, a)
		}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func openIfRegular(h *openRoot, name string, a backend.Access) (*os.File, error) {
	if !looksRegular(h.self, name) {
		fi, err := h.root.Stat(name)
		if err != nil {
			return nil, err
		}
		if err := mustBeRegular(name, kindOf(fi.Mode())); err != nil {
			return nil, err
		}
	}
	var f *os.File
	var err error
	if a == backend.Look {
		f, err = quietfile.OpenIn(h.root, name, 0)
	} else {
		f, err = h.root.OpenFile(name, os.O_RDONLY|quietfile.NoWait, 0)
	}
	if err != nil {
		return nil, err
	}
	info, err := infoOfOpen(f)
	if err == nil {
		err = mustBeRegular(name, info.Kind)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func mustBeRegular(name string, k backend.Kind) error {
	switch k {
	case backend.KindFile:
		return nil
	case backend.KindDir:
		return &os.PathError{Op: "open", Path: name, Err: fmt.Errorf("%w: %w", backend.ErrNotRegular, backend.ErrIsDir)}
	default:
		return &os.PathError{Op: "open", Path: name, Err: backend.ErrNotRegular}
	}
}

// dirFile is the [backend.File] of a Dir. It is a single pointer, so that it
// fits in an interface without an allocation.
type dirFile struct{ *os.File }

// Info implements [backend.File].
func (f dirFile) Info() (backend.Info, error) {
	info, err := infoOfOpen(f.File)
	if err != nil {
		return backend.Info{}, classify(err)
	}
	return info, nil
}

func kindOf(m os.FileMode) backend.Kind {
	switch m.Type() {
	case 0:
		return backend.KindFile
	case os.ModeDir:
		return backend.KindDir
	case os.ModeSymlink:
		return backend.KindLink
	default:
		return backend.KindOther
	}
}

func infoOf(fi os.FileInfo) backend.Info {
	return backend.Info{
		Name:    fi.Name(),
		Kind:    kindOf(fi.Mode()),
		Size:    fi.Size(),
		Mode:    fi.Mode(),
		ModTime: fi.ModTime(),
		ID:      FileID(fi),
	}
}

// readEntries describes all entries of the open directory f, except those
// that vanish before it reaches them.
func readEntries(f *os.File) ([]backend.Info, error) {
	list, err := f.Readdir(-1)
	if err != nil {
		return nil, err
	}
	entries := make([]backend.Info, len(list))
	for i, fi := range list {
		entries[i] = infoOf(fi)
	}
	return entries, nil
}
