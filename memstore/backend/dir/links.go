package dir

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"memcurator/memstore/backend"
)

// needsHand reports whether an os.Root rejected a name that may be valid: it
// refuses every absolute link and every step above its own directory, even if
// they lead back inside, and follows only 8 links.
func (h *openRoot) needsHand(err error) bool {
	if err == nil {
		return false
	}
	return h.escape != nil && errors.Is(err, h.escape) || errors.Is(err, syscall.ELOOP)
}

// walk is the state of following one name by hand. It only reads names and link targets, through the Root inside the store, and returns a
// name that the Root checks again.
type walk struct {
	h       *openRoot
	last    bool // also follow a link in the last segment
	lenient bool // keep missing segments, as [Follower] does

	done  []string // segments below the store's directory, none of them a link
	todo  []string // remaining segments in reverse order; in a lenient walk also ends of links
	links int      // links followed
	// open are the links that a lenient walk is currently following.
	open map[string]bool
	// blind: the walk reached a link that it was already following. From there on it follows no links.
	blind bool

	out    bool     // the walk is outside the store
	host   []string // its position there: segments of a real path below volume
	back   bool     // it was outside, and came back
	real   []string // segments of the store's own real path; nil until needed
	volume string   // and its volume, on Windows
}

// Resolve implements [backend.Resolver].
func (d *Dir) Resolve(name string, last bool) (string, error) {
	h, err := d.handles.acquire()
	if err != nil {
		return "", err
	}
	defer h.release()
	real, err := backend.ResolveExisting(name, last, h.resolve)
	return real, h.fail(err)
}

// Follow implements [backend.Follower].
func (d *Dir) Follow(name string) (string, error) {
	h, err := d.handles.acquire()
	if err != nil {
		return "", err
	}
	defer h.release()
	real, err := h.follow(name)
	return real, h.fail(err)
}

// resolve follows the links in name, with last also one in its last segment, and returns the equivalent name without links. It follows
// links as the system does, also by way of links outside; the result must be below the store's real directory. It returns
// [backend.ErrEscapes] if a link leads out, [backend.ErrLinkLoop] after too many links.
func (h *openRoot) resolve(name string, last bool) (string, error) {
	return (&walk{h: h, last: last}).run(name)
}

// follow is like resolve, but continues past missing names. With [backend.ErrLinkLoop] it returns the name as far as it could be
// followed, plus the rest; "" after too many links.
func (h *openRoot) follow(name string) (string, error) {
	return (&walk{h: h, last: true, lenient: true, open: map[string]bool{}}).run(name)
}

func (w *walk) run(name string) (string, error) {
	w.push(name)
	look := descent{top: w.h.root}
	defer look.close()
	for len(w.todo) > 0 {
		step := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		var err error
		switch {
		case step[0] == '/':
			delete(w.open, step)
		case w.out:
			err = w.stepOutside(step)
		case step == ".":
		case step == ".." && len(w.done) > 0:
			w.done = w.done[:len(w.done)-1]
		case step == "..":
			err = w.leave()
		default:
			err = w.step(&look, step)
		}
		if err != nil {
			return "", named(name, err)
		}
	}
	return w.end(name)
}

// named turns an error of one step into one of the whole name.
func named(name string, err error) error {
	if errors.Is(err, backend.ErrEscapes) || errors.Is(err, backend.ErrLinkLoop) || errors.Is(err, backend.ErrNotDir) {
		return &os.PathError{Op: "readlink", Path: name, Err: err}
	}
	return err
}

// step moves over one segment inside the store.
func (w *walk) step(look *descent, step string) error {
	if w.blind {
		w.done = append(w.done, step)
		return nil
	}
	here := strings.Join(append(w.done[:len(w.done):len(w.done)], step), "/")
	fi, err := look.lstat(here, len(w.done))
	switch {
	case err != nil && !w.lenient:
		return err
	case err != nil: // what can't be examined is not a link
	case fi.Mode()&os.ModeSymlink != 0 && (len(w.todo) > 0 || w.last):
		looped, err := w.begin("/" + here)
		if err != nil {
			return err
		}
		if looped {
			break
		}
		text, err := w.h.root.Readlink(here)
		if err != nil {
			return err
		}
		return w.enter(text)
	case !fi.IsDir() && len(w.todo) > 0 && !w.lenient:
		return backend.ErrNotDir
	}
	w.done = append(w.done, step)
	return nil
}

// begin counts one more link, identified by key. looped: the walk is already following it.
func (w *walk) begin(key string) (looped bool, err error) {
	if w.links++; w.links > backend.MaxLinks {
		if w.out && !w.back {
			return false, backend.ErrEscapes // don't reveal where outside the loop is
		}
		return false, backend.ErrLinkLoop
	}
	if !w.lenient {
		return false, nil
	}
	w.blind = w.open[key]
	w.open[key] = true
	w.todo = append(w.todo, key)
	return w.blind, nil
}

// end returns the name that the walk reached; name is where it began.
func (w *walk) end(name string) (string, error) {
	if w.out {
		return "", named(name, backend.ErrEscapes)
	}
	at := "."
	if len(w.done) > 0 {
		at = strings.Join(w.done, "/")
	}
	if w.blind {
		return at, named(name, backend.ErrLinkLoop)
	}
	return at, nil
}

// descentEvery is how many levels lie between two opened folders. Most stores aren't that deep, and pay nothing.
const descentEvery = 16

// descent examines the steps of one walk. An os.Root starts every name at its own directory, which takes quadratic time in the depth; the
// descent opens a folder now and then and continues from there.
type descent struct {
	top   *os.Root // the store's directory
	at    *os.Root // the folder opened last, nil for top
	depth int      // segments that lead to at
	cut   int      // and their length in bytes with the trailing slash
}

// lstat describes name, whose last segment is below depth others. Those must not be links, and must be the same as in the call before
// unless their number was below depth in between.
func (s *descent) lstat(name string, depth int) (os.FileInfo, error) {
	if depth < s.depth {
		s.close()
	}
	if depth >= s.depth+descentEvery {
		end := strings.LastIndexByte(name, '/')
		// If a folder can't be opened, the lstat below reports the error, or succeeds.
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

// push puts the segments of a path before the remaining ones. A trailing slash becomes a ".": what precedes it must be a directory.
func (w *walk) push(text string) {
	segments := strings.Split(filepath.ToSlash(text), "/")
	if n := len(segments) - 1; n > 0 && segments[n] == "" {
		segments[n] = "."
	}
	for i := len(segments) - 1; i >= 0; i-- {
		if s := segments[i]; s != "" {
			w.todo = append(w.todo, s)
		}
	}
}

// enter continues with the target of a link in w.done or w.host.
func (w *walk) enter(text string) error {
	if !filepath.IsAbs(text) {
		w.push(text)
		return nil
	}
	if rest, ok := below(w.h.of.path, text); ok {
		w.arrive()
		w.push(rest)
		return nil
	}
	if err := w.needReal(); err != nil {
		return err
	}
	volume := filepath.VolumeName(text)
	if !sameSegment(volume, w.volume) {
		return backend.ErrEscapes
	}
	w.out, w.host = true, nil
	w.push(text[len(volume):])
	w.homecoming()
	return nil
}

// leave goes from the store's directory to its parent.
func (w *walk) leave() error {
	if err := w.needReal(); err != nil {
		return err
	}
	w.out, w.host = true, slices.Clone(w.real[:max(0, len(w.real)-1)])
	w.homecoming()
	return nil
}

// stepOutside moves over one segment outside the store. Any error there means
// that the walk leads out: what exists outside is never revealed.
func (w *walk) stepOutside(step string) error {
	switch {
	case step == ".":
		return nil
	case step == "..":
		w.host = w.host[:max(0, len(w.host)-1)]
		w.homecoming()
		return nil
	}
	next := append(w.host[:len(w.host):len(w.host)], step)
	if !w.blind && !w.above(next) { // the store's own real path has no links
		at := w.volume + string(os.PathSeparator) + filepath.Join(next...)
		fi, err := os.Lstat(at)
		switch {
		case err != nil && !w.lenient:
			return backend.ErrEscapes
		case err != nil:
		case fi.Mode()&os.ModeSymlink != 0 && (len(w.todo) > 0 || w.last):
			looped, err := w.begin("//" + filepath.ToSlash(at))
			if err != nil {
				return err
			}
			if looped {
				break
			}
			text, err := os.Readlink(at)
			if err != nil {
				return backend.ErrEscapes
			}
			return w.enter(text)
		case !fi.IsDir() && !w.lenient:
			return backend.ErrEscapes
		}
	}
	w.host = next
	w.homecoming()
	return nil
}

// above reports whether a host path is the store's own or leads to it.
func (w *walk) above(host []string) bool {
	return len(host) <= len(w.real) && slices.EqualFunc(host, w.real[:len(host)], sameSegment)
}

// homecoming moves the walk back into the store if it has reached the store's directory.
func (w *walk) homecoming() {
	if len(w.host) == len(w.real) && w.above(w.host) {
		w.back = true
		w.arrive()
	}
}

// arrive moves the walk to the store's directory.
func (w *walk) arrive() {
	w.out, w.host, w.done = false, nil, w.done[:0]
}

// needReal finds the real path of the store. Each walk does so again, since a
// folder above the store may have moved meanwhile.
func (w *walk) needReal() error {
	if w.real != nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(w.h.of.path)
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
