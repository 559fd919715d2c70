package search

import (
	"context"
	"errors"

	"memcurator/memstore"
)

// binaryHead is how far a file is looked at for a NUL byte, which makes it binary, in bytes.
const binaryHead = 8 << 10

// binaryMax is how much of a binary file is searched, in bytes: an image of a disk, or a
// sparse file of terabytes, must not hold up the search.
const binaryMax = 16 << 20

// worker searches one file after the other.
type worker struct {
	run    *run
	ctx    context.Context
	lines  *lines
	failed error

	// Of the file under way.
	at    target
	found *Found // nil: nothing so far
	kept  int
}

func (r *run) worker(ctx context.Context) *worker {
	w := &worker{run: r, ctx: ctx}
	w.lines = newLines(r.matcher, w.line, w.block)
	return w
}

// next searches the next file; it returns false at the end.
func (w *worker) next() bool {
	i := int(w.run.taken.Add(1)) - 1
	if i >= len(w.run.files) {
		return false
	}
	w.at = w.run.files[i]
	w.kept, w.found = 0, nil
	w.lines.keep = w.room()
	err := w.file()
	switch {
	case err == nil, w.ctx.Err() != nil:
	case errors.Is(err, memstore.ErrUnavailable):
		w.failed = err
	case errors.Is(err, memstore.ErrNotExist), errors.Is(err, memstore.ErrNotRegular), errors.Is(err, memstore.ErrNotDir):
		// It vanished, or became something else, since the tree was read.
	default:
		w.run.skip(w.at.path, err)
	}
	w.run.done.Add(1)
	if !w.lines.binary {
		w.run.cut.Add(int64(w.lines.cut))
	}
	w.run.progress()
	return true
}

func (w *worker) file() error {
	w.lines.cut = 0
	name := w.at.path[len(memstore.Root)+1:]
	f, err := w.run.backend.Open(name, memstore.Look)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		return err
	}
	return w.lines.read(w.ctx, f, 0, info.Size, true)
}

// line takes a line with matches.
func (w *worker) line(h *Hit) bool {
	r := w.run
	if w.found == nil {
		w.found = r.in(w.at)
		r.matched.Add(1)
	}
	r.lines.Add(1)
	r.matches.Add(int64(h.Matches))
	w.found.Lines++
	w.found.Matches += h.Matches
	w.found.Binary = w.found.Binary || w.lines.binary
	if h.Text != nil || w.lines.binary {
		// Others keep lines too: the last place may be taken meanwhile.
		if r.kept.Add(1) > int64(r.options.Keep) {
			r.kept.Add(-1)
		} else {
			w.found.Hits = append(w.found.Hits, *h)
			w.kept++
		}
	}
	w.lines.keep = w.room()
	return !w.lines.binary
}

// room reports whether one more line may be kept.
func (w *worker) room() bool {
	return w.kept < w.run.options.KeepFile && w.run.kept.Load() < int64(w.run.options.Keep)
}

// block is called after every block read.
func (w *worker) block(n int) {
	r := w.run
	r.bytes.Add(int64(n))
	w.lines.keep = w.room()
	if r.options.Progress != nil && n == cap(w.lines.buf) {
		r.progress()
	}
}
