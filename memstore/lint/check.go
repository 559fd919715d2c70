package lint

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/index"
)

// Source is what a [Checker] is given of a store.
type Source struct {
	// Files are the regular files that the agent's listing shows, in the order of their paths.
	Files []File
	// There reports whether an agent path exists, a folder or one that the listing leaves out too. It must be cheap.
	There func(agentPath string) bool
	// Read returns the first most bytes of a file, and its size. What is gone by now is
	// [fs.ErrNotExist] or [memstore.ErrNotExist], and passed over.
	Read func(ctx context.Context, f File, most int) (data []byte, size int64, err error)
	// Moved, unless nil, returns where the file that was at an agent path is now; "": unknown.
	Moved func(ctx context.Context, missing string) (string, error)
	// Loaded is the agent path of the index that the agent's program loads when a session starts, as MEMORY.md of Claude Code; "": there
	// is none.
	Loaded string
	// Project, unless nil, returns which claims about the project hold that the notes are of.
	Project func(ctx context.Context, claims []Claim) (Checked, error)
	// Progress, unless nil, is called with the number of files done.
	Progress func(done, all int)
}

// maxKept is how many contents a [Checker] remembers.
const maxKept = 10_000

// Checker checks stores, and remembers what it has found of contents by their hash. It begins anew when it is full. It is safe for
// concurrent use; the zero value is ready.
type Checker struct {
	mu    sync.Mutex
	known map[memstore.Digest]*inspected
}

// get returns what is known of a content, nil if nothing is.
func (c *Checker) get(d memstore.Digest) *inspected {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[d]
}

// put keeps what was found under the hash of the whole content, which for one that was cut is
// not that of the part that was inspected.
func (c *Checker) put(d memstore.Digest, content *inspected) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d == (memstore.Digest{}) {
		return
	}
	if c.known == nil || len(c.known) == maxKept {
		c.known = map[memstore.Digest]*inspected{}
	}
	c.known[d] = content
}

// seen is a file with its content.
type seen struct {
	file    File
	content *inspected
}

// checking is one run.
type checking struct {
	source  Source
	checker *Checker
	report  *Report
	seen    []seen
	targets *index.Names                   // see names
	links   map[string]int                 // by agent path, how many other files name it
	meant   map[string]bool                // notes that broken links mean
	here    map[memstore.Digest]*inspected // of this run, whatever the cache lets go
}

// Check checks a store. The error is that of ctx, or the first of Read that is about the whole
// store ([memstore.ErrUnavailable]).
func (c *Checker) Check(ctx context.Context, s Source) (*Report, error) {
	w := &checking{
		source: s, checker: c, report: &Report{Digests: map[string]memstore.Digest{}, Texts: map[string]bool{}},
		here: map[memstore.Digest]*inspected{},
	}
	for i, f := range s.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.look(ctx, f); err != nil {
			return nil, err
		}
		if s.Progress != nil {
			s.Progress(i+1, len(s.Files))
		}
	}
	for _, one := range w.seen {
		w.own(one)
	}
	w.oddNames()
	for _, check := range []func(context.Context) error{w.named, w.claimed, w.alike, w.listed} { // alike and listed need what named learns
		if err := check(ctx); err != nil {
			return nil, err
		}
	}
	sortFindings(w.report.Findings)
	return w.report, nil
}

func (w *checking) add(list ...Finding) { w.report.Findings = append(w.report.Findings, list...) }

// look inspects the content of a file, unless it is known.
func (w *checking) look(ctx context.Context, f File) error {
	content := w.here[f.Digest]
	if content == nil && f.Digest != (memstore.Digest{}) {
		content = w.checker.get(f.Digest)
	}
	if content == nil {
		data, size, err := w.source.Read(ctx, f, MaxBytes)
		switch {
		case errors.Is(err, memstore.ErrNotExist), errors.Is(err, fs.ErrNotExist):
			return nil
		case errors.Is(err, memstore.ErrUnavailable), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return err
		case err != nil:
			w.report.Unread = append(w.report.Unread, f.Path)
			return nil
		}
		cut := size > int64(len(data))
		content = inspect(data, cut)
		if !cut {
			f.Digest = content.Digest // what was read now counts
		}
		w.checker.put(f.Digest, content)
	}
	if f.Digest != (memstore.Digest{}) {
		w.here[f.Digest] = content
		w.report.Digests[f.Path] = f.Digest
	}
	w.report.Texts[f.Path] = !content.Binary
	w.seen = append(w.seen, seen{f, content})
	return nil
}

// own reports what is wrong with a file by its own content.
func (w *checking) own(s seen) {
	for _, f := range s.content.findings {
		f.Path, f.Content = s.file.Path, s.file.Digest
		w.add(f)
	}
	if s.content.Encoding != "" {
		w.add(Finding{
			Path: s.file.Path, Rule: Encoding, Severity: Warning, Count: 1, Content: s.file.Digest,
			Reason: "in " + s.content.Encoding + ", so the agent can't view it: save it as UTF-8",
		})
	}
	if s.content.Cut {
		w.report.Cut = append(w.report.Cut, s.file.Path)
	}
}
