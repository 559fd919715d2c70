// Package search finds a text, or what a regular expression fits, in the names and the notes of a whole store, and in any other text. It
// reads through [memstore.Backend] as a person looks ([memstore.Look]) and writes nothing.
//
// A match is within one line; lines end at a line feed. A plain text is compared by Unicode's simple case folding unless it has an
// upper-case letter, and by canonical equivalence: é is found however it is composed. Forms that differ in width (full-width letters) or
// compatibility are different texts. A regular expression is one of Go's (RE2: time linear in the text) and is compared with the code
// points as they are. Offsets are bytes of what is stored.
package search

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"memcurator/memstore"
)

const (
	// keepLines and keepFileLines bound the lines that are returned of a store and of one file, unless [Options] say otherwise.
	keepLines     = 20_000
	keepFileLines = 2_000
	// maxWorkers bounds the files that are searched at once: more readers than this only wait for each other.
	maxWorkers = 8
	// largest bounds the files that are searched, in bytes: each is read whole.
	largest = 128 << 20
	// binaryHead is how far a file is looked at for a NUL byte, which makes it binary, in bytes.
	binaryHead = 8 << 10
)

// Options are the settings of [Store].
type Options struct {
	// Snapshot is the tree to search; nil: the store is scanned first.
	Snapshot *memstore.Snapshot
	// Keep and KeepFile bound the lines that are returned, of the store and of one file; 0: 20,000 and 2,000.
	Keep, KeepFile int
	// Progress gets the bytes searched so far, and those of all files. It must be cheap and safe for concurrent use; nil: nobody asks.
	Progress func(done, all int64)
}

// Found is a file or a folder with a match in its name or its text.
type Found struct {
	Path    string // agent path
	Kind    memstore.Kind
	Name    []Span // matches in Path
	Hits    []Hit  // lines with matches that are kept
	Lines   int    // lines with matches, kept or not
	Matches int    // matches in them
	Binary  bool   // the file is not text: it matches, without further details
}

// Result is the outcome of a search. The counts are complete, also where not all lines are kept.
type Result struct {
	Found []*Found // in the order of the tree

	Names          int // paths whose name matches
	Matched        int // files with a match in their text
	Lines, Matches int
	Kept           int  // lines that are returned
	Skips          int  // files that could not be searched
	Skipped        Skip // the first of them in the tree
}

// Skip is a file that was not searched.
type Skip struct {
	Path string
	Err  error
}

// file is a file to search, and how that ended.
type file struct {
	*Found
	size int64
	err  error
}

// Store searches the names, then the text, of a whole store. It returns when its goroutines have ended. Files that vanish meanwhile are
// passed over, those that cannot be read or are larger than 128 MiB are counted. The error is that of ctx, or wraps
// [memstore.ErrUnavailable].
func Store(ctx context.Context, s *memstore.Store, m *Matcher, o Options) (Result, error) {
	snapshot := o.Snapshot
	if snapshot == nil {
		var err error
		if snapshot, err = s.Scan(ctx, memstore.ScanOptions{}); err != nil {
			return Result{}, err
		}
	}
	o.fill()
	var all []*file
	var bytes int64
	snapshot.Walk(func(path string, n *memstore.Node) bool {
		if path != memstore.Root && (n.Kind != memstore.KindFile || !memstore.InGit(path)) {
			all = append(all, &file{Found: &Found{Path: path, Kind: n.Kind, Name: m.nameSpans(path)}, size: n.Size})
			bytes += n.Size
		}
		return true
	})
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next, done, kept atomic.Int64
	var group sync.WaitGroup
	for range min(max(1, runtime.NumCPU()-1), maxWorkers) { // a processor is left to the keys
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(all)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				f := all[i]
				if f.Kind == memstore.KindFile {
					f.err = f.search(s.Backend(), m, &o, &kept)
				}
				if errors.Is(f.err, memstore.ErrUnavailable) {
					stop(f.err)
				}
				if o.Progress != nil {
					o.Progress(done.Add(f.size), bytes)
				}
				runtime.Gosched() // else the timers and the screen of the program wait for their turn
			}
		})
	}
	group.Wait()
	return resultOf(all), context.Cause(ctx)
}

func (o *Options) fill() {
	if o.Keep <= 0 {
		o.Keep = keepLines
	}
	if o.KeepFile <= 0 {
		o.KeepFile = keepFileLines
	}
}

// search looks through the text of a file. kept counts the lines that are kept of all files.
func (f *file) search(b memstore.Backend, m *Matcher, o *Options, kept *atomic.Int64) error {
	text, err := memstore.ReadFile(b, memstore.BackendName(f.Path), memstore.Look, largest)
	if err != nil {
		return err
	}
	f.Binary = bytes.IndexByte(text[:min(len(text), binaryHead)], 0) >= 0
	m.Lines(text, func(h Hit) bool {
		f.Lines++
		if f.Binary { // that it matches is all that can be shown
			f.Matches = 1
			return false
		}
		f.Matches += h.Matches
		if len(f.Hits) < o.KeepFile && kept.Add(1) <= int64(o.Keep) {
			f.Hits = append(f.Hits, h)
		}
		return true
	})
	if f.Binary && f.Lines > 0 {
		f.Hits = []Hit{{Line: 1}}
	}
	return nil
}

// resultOf adds up what was found.
func resultOf(all []*file) (r Result) {
	for _, f := range all {
		switch {
		case f.err == nil:
		case errors.Is(f.err, memstore.ErrNotExist), errors.Is(f.err, memstore.ErrNotRegular), errors.Is(f.err, memstore.ErrNotDir):
			continue // it vanished, or became something else, since the tree was read
		default:
			if r.Skips++; r.Skips == 1 {
				r.Skipped = Skip{f.Path, f.err}
			}
		}
		if f.Lines > 0 {
			r.Matched++
		}
		if len(f.Name) > 0 {
			r.Names++
		}
		r.Lines, r.Matches, r.Kept = r.Lines+f.Lines, r.Matches+f.Matches, r.Kept+len(f.Hits)
		if len(f.Name) > 0 || f.Lines > 0 {
			r.Found = append(r.Found, f.Found)
		}
	}
	return r
}
