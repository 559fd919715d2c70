package lint

import (
	"context"
	"errors"

	"memcurator/memstore"
	"memcurator/memstore/index"
)

// Source is what a [Checker] is given of a store.
type Source struct {
	// Files are the regular files that the agent's listing shows, in the order of their paths.
	Files []File
	// There reports whether an agent path exists, a folder or one that the listing leaves out too. It must be cheap.
	There func(agentPath string) bool
	// Read returns the first most bytes of a file, which still has its digest. What is gone or has changed by now is
	// [memstore.ErrNotExist], and passed over.
	Read func(f File, most int) ([]byte, error)
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

// Checker checks stores, one at a time, and remembers what it has found of contents by their hash. It begins anew when it is full. The
// zero value is ready.
type Checker struct {
	known map[memstore.Digest]*inspected
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
	targets *index.Names    // see names
	links   map[string]int  // by agent path, how many other files name it
	meant   map[string]bool // notes that broken links mean
}

// Check checks a store. The error is that of ctx, or the first of Read that is about the whole
// store ([memstore.ErrUnavailable]).
func (c *Checker) Check(ctx context.Context, s Source) (*Report, error) {
	w := &checking{source: s, checker: c, report: &Report{Digests: map[string]memstore.Digest{}}}
	for i, f := range s.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.look(f); err != nil {
			return nil, err
		}
		if s.Progress != nil {
			s.Progress(i+1, len(s.Files))
		}
	}
	for _, one := range w.seen {
		w.own(one)
	}
	w.add(namesWithHidden(w.source.Files)...)
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
func (w *checking) look(f File) error {
	content := w.checker.known[f.Digest]
	if content == nil {
		data, err := w.source.Read(f, MaxBytes)
		switch {
		case errors.Is(err, memstore.ErrNotExist):
			return nil
		case errors.Is(err, memstore.ErrUnavailable):
			return err
		case err != nil:
			w.report.Unread = append(w.report.Unread, f.Path)
			return nil
		}
		content = inspect(data)
		if w.checker.known == nil || len(w.checker.known) == maxKept {
			w.checker.known = map[memstore.Digest]*inspected{}
		}
		w.checker.known[f.Digest] = content
	}
	w.report.Digests[f.Path] = f.Digest
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
	if s.file.Size > MaxBytes {
		w.report.Cut = append(w.report.Cut, s.file.Path)
	}
}
