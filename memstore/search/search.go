// Package search finds a pattern in the names and the text of a whole store, in the
// order in which the files are read, and in any other bytes that can be read at an
// offset. It reads through [memstore.Backend] as a person looks ([memstore.Look]) and
// writes nothing. The user interface and the commands call it; it knows none of them.
//
// A match is within one line; lines end at a line feed. A literal is compared by
// Unicode's simple case folding unless it holds an upper-case letter, and by canonical
// equivalence: é is found however it is composed. Forms that differ in width (full-width
// letters) or compatibility are different texts. Offsets are those of the bytes as they
// are stored. A regular expression is one of Go's (RE2: time linear in the text) and is
// compared with the code points as they are.
//
// Everything is bounded: the pattern, the part of a line that a regular expression sees
// (lineMax), what is kept of a line (textMax), and the lines kept of a file and of the
// store; the counts are complete nevertheless.
package search

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"memcurator/memstore"
)

// What is kept unless [Options] say otherwise.
const (
	keepLines     = 20_000
	keepFileLines = 2_000
	// maxWorkers bounds the goroutines: more readers than this only wait for each other.
	maxWorkers = 8
	// keepSkips bounds the files named in [Totals.Skipped].
	keepSkips = 100
)

// Options are the settings of [Store]. The zero value searches on as many goroutines as
// there are processors, at most 8.
type Options struct {
	// Snapshot is the tree to search; nil: the store is scanned first.
	Snapshot *memstore.Snapshot
	Workers  int
	// Keep and KeepFile bound the lines that are returned, of the store and of one file.
	Keep, KeepFile int
	// Skip reports whether a file isn't searched; nil: none is skipped.
	Skip func(agentPath string) bool
	// Progress gets the counts after each file and each block of a large one. It must be
	// cheap and safe for concurrent use.
	Progress func(Totals)
}

// Found is a part of what was found in one path. The same path may come several times, the
// parts add up.
type Found struct {
	Path    string // agent path
	Kind    memstore.Kind
	Name    []Span // matches in Path
	Hits    []Hit  // lines with matches that are kept
	Lines   int    // lines with matches, kept or not
	Matches int    // matches in them
	Binary  bool   // the file is not text: it matches, without further details
	order   int    // place of the path in the tree
}

// Skip is a file that was not searched.
type Skip struct {
	Path string
	Err  error
}

// Totals are the counts of a search. Bytes and Files are those searched so far, the
// All ones those of the tree when the search began.
type Totals struct {
	Files, AllFiles int
	Bytes, AllBytes int64
	Names           int // paths whose name matches
	Matched         int // files with a match in their text
	Lines, Matches  int
	Kept            int    // lines that are returned
	CutLines        int    // lines of which a regular expression saw only the first lineMax bytes
	Skips           int    // files that could not be searched
	Skipped         []Skip // the first of them; only in what Store returns
}

// Result is the outcome of a search: the files and folders with matches, in the order of the tree.
type Result struct {
	Totals
	Found []*Found
}

// Store searches the names, then the text, of a whole store. It returns when its
// goroutines have ended. Files that vanish meanwhile are passed over, those that cannot be
// read are counted. The error is that of ctx, or wraps [memstore.ErrUnavailable].
func Store(ctx context.Context, s *memstore.Store, m *Matcher, o Options) (Result, error) {
	snapshot := o.Snapshot
	if snapshot == nil {
		var err error
		if snapshot, err = s.Scan(ctx, nil); err != nil {
			return Result{}, err
		}
	}
	r := &run{backend: s.Backend(), matcher: m, options: withDefaults(o), found: map[int]*Found{}}
	r.names(ctx, snapshot)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	for range min(r.options.Workers, max(1, len(r.files))) {
		group.Go(func() {
			w := r.worker(ctx)
			defer w.lines.release()
			for ctx.Err() == nil && w.next() {
				if errors.Is(w.failed, memstore.ErrUnavailable) {
					stop(w.failed)
				}
				// Reading never blocks in Go's eyes: the timers and the screen of the
				// embedding program would wait for their turn.
				runtime.Gosched()
			}
		})
	}
	group.Wait()
	out := Result{Totals: r.totals()}
	out.Skipped = r.skipped
	for _, found := range r.found {
		out.Found = append(out.Found, found)
	}
	slices.SortFunc(out.Found, func(a, b *Found) int { return a.order - b.order })
	return out, context.Cause(ctx)
}

func withDefaults(o Options) Options {
	if o.Workers <= 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	if o.Keep <= 0 {
		o.Keep = keepLines
	}
	if o.KeepFile <= 0 {
		o.KeepFile = keepFileLines
	}
	return o
}

// run is one search of a store.
type run struct {
	backend  memstore.Backend
	matcher  *Matcher
	options  Options
	files    []target
	allBytes int64
	taken    atomic.Int64 // of files

	named, done, matched, lines, matches, kept, cut, skips, bytes atomic.Int64

	mu      sync.Mutex
	found   map[int]*Found // by the places in the tree
	skipped []Skip
}

// target is a file to search.
type target struct {
	path  string
	order int
}

// names looks at every name and lists the files.
func (r *run) names(ctx context.Context, snapshot *memstore.Snapshot) {
	order := 0
	snapshot.Walk(func(path string, n *memstore.Node) bool {
		order++
		if ctx.Err() != nil {
			return false
		}
		if r.options.Skip != nil && n.Kind == memstore.KindFile && r.options.Skip(path) {
			return true
		}
		if n.Kind == memstore.KindFile {
			r.files = append(r.files, target{path, order})
			r.allBytes += n.Size
		}
		if path == memstore.Root {
			return true
		}
		if spans := r.matcher.nameSpans(path); len(spans) > 0 {
			r.named.Add(1)
			r.found[order] = &Found{Path: path, order: order, Kind: n.Kind, Name: spans}
		}
		return true
	})
	r.progress()
}

func (r *run) totals() Totals {
	return Totals{
		Files: int(r.done.Load()), AllFiles: len(r.files), Bytes: r.bytes.Load(), AllBytes: r.allBytes,
		Names: int(r.named.Load()), Matched: int(r.matched.Load()), Lines: int(r.lines.Load()),
		Matches: int(r.matches.Load()), Kept: int(r.kept.Load()), CutLines: int(r.cut.Load()), Skips: int(r.skips.Load()),
	}
}

// in returns what is found in a file, which no other goroutine changes.
func (r *run) in(t target) *Found {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.found[t.order] == nil {
		r.found[t.order] = &Found{Path: t.path, order: t.order, Kind: memstore.KindFile}
	}
	return r.found[t.order]
}

func (r *run) progress() {
	if r.options.Progress != nil {
		r.options.Progress(r.totals())
	}
}

func (r *run) skip(path string, err error) {
	r.skips.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.skipped) < keepSkips {
		r.skipped = append(r.skipped, Skip{path, err})
	}
}
