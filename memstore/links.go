package memstore

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// maxLinks is how many links one name may lead through, as on Linux.
const maxLinks = 40

// needsHand tells whether an os.Root gave up on a name that may be all right:
// it refuses every absolute link and every step over its own directory, also
// where they lead back inside, and follows 8 links only.
func (h *openRoot) needsHand(err error) bool {
	if err == nil {
		return false
	}
	return h.escape != nil && errors.Is(err, h.escape) || errors.Is(err, syscall.ELOOP)
}

// walk is the state of following one name by hand. Only texts of links are
// read, and those through the Root; what comes out is a name that the Root judges once more.
type walk struct {
	done []string // segments below the store's directory, none of them a link
	todo []string // segments to go, first one last
	// above is how many directories the walk has climbed over the store's own.
	// From there it may only come back down the very same way.
	above  int
	real   []string // segments of the store's real path; nil until needed
	volume string   // and its volume, on Windows
}

// resolve follows the links in name, and with last also one in its last segment,
// and returns the name of the same thing without links. [ErrEscapes] where it
// leads out, [ErrLinkLoop] after too many links.
func (d *Dir) resolve(h *openRoot, name string, last bool) (string, error) {
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
		fi, err := look.lstat(here, len(w.done))
		if err != nil {
			return "", err
		}
		if fi.Mode()&os.ModeSymlink == 0 || len(w.todo) == 0 && !last {
			if !fi.IsDir() && len(w.todo) > 0 {
				return "", &os.PathError{Op: "readlink", Path: name, Err: ErrNotDir}
			}
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

// end is the name of the place that the walk came to; name is what it began with.
func (w *walk) end(name string) (string, error) {
	if w.above > 0 {
		return "", &os.PathError{Op: "readlink", Path: name, Err: ErrEscapes}
	}
	if len(w.done) == 0 {
		return ".", nil
	}
	return strings.Join(w.done, "/"), nil
}

// descentEvery is how many folders below the last opened one the next is opened. Most
// stores are not as deep, and pay nothing.
const descentEvery = 16

// descent looks at the steps of one walk. An os.Root goes to each name from its own
// directory anew, which takes time with the square of the depth; the descent opens a
// folder now and then and goes on from there.
type descent struct {
	top   *os.Root // the store's directory
	at    *os.Root // the folder opened last, nil for top
	depth int      // segments that lead to at
	cut   int      // and their bytes with the slash behind them
}

// lstat describes name, in which depth segments lead to the last one. Segments before that are no
// links, and the same as in the call before unless their number was below depth in between.
func (s *descent) lstat(name string, depth int) (os.FileInfo, error) {
	if depth < s.depth {
		s.close()
	}
	if depth >= s.depth+descentEvery {
		end := strings.LastIndexByte(name, '/')
		// A folder that cannot be opened gives its error, or none, when it is gone through.
		if next, err := openFolder(s.root(), name[s.cut:end]); err == nil {
			s.close()
			s.at, s.depth, s.cut = next, depth, end+1
		}
	}
	return s.root().Lstat(name[s.cut:])
}

func (s *descent) root() *os.Root {
	if s.at != nil {
		return s.at
	}
	return s.top
}

func (s *descent) close() {
	if s.at != nil {
		_ = s.at.Close()
	}
	s.at, s.depth, s.cut = nil, 0, 0
}

func (w *walk) push(text string) {
	segments := strings.Split(filepath.ToSlash(text), "/")
	for i := len(segments) - 1; i >= 0; i-- {
		if s := segments[i]; s != "" && s != "." {
			w.todo = append(w.todo, s)
		}
	}
}

// step moves over one segment. It returns the name to look at, or "" where there is
// nothing to look at.
func (d *Dir) step(w *walk, segment string) (string, error) {
	switch {
	case segment == ".." && len(w.done) > 0:
		w.done = w.done[:len(w.done)-1]
		return "", nil
	case segment == "..":
		if err := d.needReal(w); err != nil {
			return "", err
		}
		w.above = min(w.above+1, len(w.real))
		return "", nil
	case w.above > 0:
		if !sameSegment(segment, w.real[len(w.real)-w.above]) {
			return "", &os.PathError{Op: "readlink", Path: segment, Err: ErrEscapes}
		}
		w.above--
		return "", nil
	}
	return strings.Join(append(w.done[:len(w.done):len(w.done)], segment), "/"), nil
}

// enter goes on with the text of a link that lies in w.done.
func (d *Dir) enter(w *walk, text string) error {
	if !filepath.IsAbs(text) {
		w.push(text)
		return nil
	}
	w.done = w.done[:0]
	if rest, ok := below(d.path, text); ok {
		w.push(rest)
		return nil
	}
	if err := d.needReal(w); err != nil {
		return err
	}
	volume := filepath.VolumeName(text)
	if !sameSegment(volume, w.volume) {
		return &os.PathError{Op: "readlink", Path: text, Err: ErrEscapes}
	}
	w.above = len(w.real)
	w.push(text[len(volume):])
	return nil
}

// needReal finds where the store really lies. It is asked for anew in each
// walk, since a folder above the store may have been moved meanwhile.
func (d *Dir) needReal(w *walk) error {
	if w.real != nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(d.path)
	if err != nil {
		return err
	}
	w.volume = filepath.VolumeName(real)
	real = filepath.ToSlash(real[len(w.volume):])
	w.real = strings.FieldsFunc(real, func(r rune) bool { return r == '/' })
	return nil
}

// below returns the part of path under dir.
func below(dir, path string) (string, bool) {
	if len(path) < len(dir) || !sameSegment(path[:len(dir)], dir) {
		return "", false
	}
	rest := path[len(dir):]
	if rest != "" && !os.IsPathSeparator(rest[0]) && !os.IsPathSeparator(dir[len(dir)-1]) {
		return "", false
	}
	return rest, true
}

func sameSegment(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
