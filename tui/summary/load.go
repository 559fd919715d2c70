package summary

import (
	"context"
	"io"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Limits are how much of the notes clients load by themselves at the start of a session; without them the line is absent.
type Limits struct {
	// Of is how much is loaded of a note, in lines and bytes; 0: no limit. It is called in a job.
	Of func(agentPath string) (lines, bytes int64)
	// Files is the tree of the store, nil while it is unknown, and Store where it is read.
	Files func() *memstore.Snapshot
	Store func() *memstore.Store
}

// limitedMost bounds the notes that are read.
const limitedMost = 100

// load is how much of what a client loads of a note the note fills. The zero value is none.
type load struct {
	path      string
	used, may loadlimit.Extent
}

// share is how much of the limit is used: above 1 a part is not loaded.
func (l load) share() float64 {
	return max(portion(l.used.Lines, l.may.Lines), portion(l.used.Bytes, l.may.Bytes))
}

func portion(used, limit int64) float64 {
	if limit <= 0 {
		return 0
	}
	return float64(used) / float64(limit)
}

// measure returns a function for a job that finds the note that comes closest to its limit.
func (l Limits) measure() func(context.Context) load {
	if l.Of == nil {
		return func(context.Context) load { return load{} }
	}
	files, store := l.Files(), l.Store()
	return func(ctx context.Context) (fullest load) {
		left := limitedMost
		files.Walk(func(at string, n *memstore.Node) bool {
			if ctx.Err() != nil || left == 0 || n.Kind != memstore.KindFile {
				return left > 0 && ctx.Err() == nil
			}
			lines, bytes := l.Of(at)
			if lines <= 0 && bytes <= 0 {
				return true
			}
			left--
			note := load{path: at, may: loadlimit.Extent{Lines: lines, Bytes: bytes}}
			if used, err := extent(store, at); err == nil {
				note.used = used
				if fullest.path == "" || note.share() > fullest.share() {
					fullest = note
				}
			}
			return true
		})
		return fullest
	}
}

// extent measures the beginning of a note, which is larger than any limit that is in use.
func extent(store *memstore.Store, at string) (loadlimit.Extent, error) {
	f, err := store.Backend().Open(memstore.BackendName(at), memstore.Look)
	if err != nil {
		return loadlimit.Extent{}, err
	}
	head, err := io.ReadAll(io.NewSectionReader(f, 0, loadlimit.MaxBytes))
	_ = f.Close() // opened for reading: nothing can be lost here
	return loadlimit.Measure(head), err
}

// gauge is how many cells of a bar are filled at most.
const gauge = 10

// says are the parts of the line: how much of which limit, the bar with its paint, and the note.
func (l load) says(st *theme.Styles) (says, bar string, paint theme.Paint, note string) {
	says = "Load " + ui.Number(int(l.used.Lines)) + " of " + ui.Number(int(l.may.Lines)) + " lines"
	if portion(l.used.Bytes, l.may.Bytes) > portion(l.used.Lines, l.may.Lines) {
		says = "Load " + memstore.FormatSize(memstore.Docs, l.used.Bytes) + " of " + memstore.FormatSize(memstore.Docs, l.may.Bytes)
	}
	full := min(gauge, int(l.share()*gauge))
	bar = "[" + strings.Repeat("#", full) + strings.Repeat(".", gauge-full) + "]"
	switch paint = st.Success; {
	case l.share() >= 0.9:
		paint = st.Error
	case l.share() >= 0.7:
		paint = st.Warning
	}
	return says, bar, paint, text.Clean(path.Base(l.path))
}
