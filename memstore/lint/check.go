package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"memcurator/memstore"
)

// Source is what a [Checker] is given of a store.
type Source struct {
	// Files are the regular files of the store in the order of their paths.
	Files []File
	// There reports whether an agent path exists, a folder too. It must be cheap.
	There func(agentPath string) bool
	// Read returns the first most bytes of a file, and its size. What is gone by now is
	// [fs.ErrNotExist] or [memstore.ErrNotExist], and passed over.
	Read func(ctx context.Context, f File, most int) (data []byte, size int64, err error)
	// Progress, where it is not nil, is told how many files are done.
	Progress func(done, all int)
}

// Checker checks stores, one after the other, and remembers the contents that it has seen.
type Checker struct{ Cache *Cache }

// seen is a file with its content.
type seen struct {
	file    File
	content *Content
}

// checking is one run.
type checking struct {
	source Source
	cache  *Cache
	report *Report
	seen   []seen
	here   map[memstore.Digest]*Content // of this run, whatever the cache lets go
}

// Check checks a store. The error is that of ctx, or the first of Read that is about the whole
// store ([memstore.ErrUnavailable]).
func (c Checker) Check(ctx context.Context, s Source) (*Report, error) {
	cache := c.Cache
	if cache == nil {
		cache = &Cache{}
	}
	w := &checking{source: s, cache: cache, report: &Report{Digests: map[string]memstore.Digest{}}, here: map[memstore.Digest]*Content{}}
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
	w.named()
	w.unproven()
	w.stale()
	if err := w.alike(ctx); err != nil {
		return nil, err
	}
	w.add(clashes(s.Files)...)
	w.add(hiddenNames(s.Files)...)
	sortFindings(w.report.Findings)
	return w.report, nil
}

func (w *checking) add(list ...Finding) { w.report.Findings = append(w.report.Findings, list...) }

// look inspects the content of a file, unless it is known.
func (w *checking) look(ctx context.Context, f File) error {
	content := w.here[f.Digest]
	if content == nil && f.Digest != (memstore.Digest{}) {
		content = w.cache.Get(f.Digest)
	}
	if content == nil {
		data, size, err := w.source.Read(ctx, f, MaxBytes)
		switch {
		case errors.Is(err, memstore.ErrNotExist), errors.Is(err, fs.ErrNotExist):
			return nil
		case errors.Is(err, memstore.ErrUnavailable), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return err
		case err != nil:
			w.add(Finding{Path: f.Path, Rule: NotChecked, Severity: Info, Count: 1, Reason: "it cannot be read, so nothing was checked"})
			return nil
		}
		w.report.Reads++
		w.report.Bytes += int64(len(data))
		cut := size > int64(len(data))
		content = Inspect(data, cut)
		if !cut {
			f.Digest = content.Digest // what was read now counts
		}
		w.cache.put(f.Digest, content)
	}
	if f.Digest != (memstore.Digest{}) {
		w.here[f.Digest] = content
		w.report.Digests[f.Path] = f.Digest
	}
	w.report.Files++
	w.seen = append(w.seen, seen{f, content})
	return nil
}

// own tells what the content of a file says by itself.
func (w *checking) own(s seen) {
	for _, f := range s.content.findings {
		f.Path, f.Content = s.file.Path, s.file.Digest
		if s.file.Hidden && f.Severity < Danger {
			continue
		}
		w.add(f)
	}
	if s.content.Cut {
		w.add(Finding{
			Path: s.file.Path, Rule: NotChecked, Severity: Info, Count: 1, Content: s.file.Digest,
			Reason: fmt.Sprintf("only its first %d MB were checked", MaxBytes>>20),
		})
	}
}

// named follows the names of other files: it tells of those that lead nowhere, and counts the others.
func (w *checking) named() {
	if w.source.There == nil {
		return
	}
	known := map[string]bool{}
	there := func(p string) bool {
		is, ok := known[p]
		if !ok {
			is = w.source.There(p)
			known[p] = is
		}
		return is
	}
	w.report.Links = map[string]int{}
	for _, s := range w.seen {
		if !s.file.Hidden {
			w.follow(s, there)
		}
	}
}

func (w *checking) follow(s seen, there func(string) bool) {
	f := Finding{Path: s.file.Path, Rule: Dangling, Severity: Info, Content: s.file.Digest}
	named, missing := map[string]bool{}, 0
	for _, r := range s.content.references {
		if r.link && !markdown(s.file.Path) {
			continue
		}
		to, is := r.resolve(s.file.Path, there)
		switch {
		case to == "":
		case is:
			if !named[to] && to != s.file.Path {
				w.report.Links[to]++
			}
		default:
			f.Count++
			if len(f.Places) < MaxPlaces {
				f.Places = append(f.Places, r.place)
			}
			if !named[to] {
				if missing++; len(f.Others) < MaxPlaces {
					f.Others = append(f.Others, to)
				}
			}
		}
		named[to] = true
	}
	if f.Count == 0 {
		return
	}
	f.Place = f.Places[0]
	f.Reason = "names " + f.Others[0] + ", which is not there"
	if n := missing - 1; n > 0 {
		f.Reason += ", and " + counted(n, "more name") + " that lead nowhere"
	}
	w.add(f)
}

func markdown(agentPath string) bool {
	switch strings.ToLower(path.Ext(agentPath)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// unproven tells of work that is called done without a word, in the list or in any other file,
// of how it was tried.
func (w *checking) unproven() {
	proofs := w.proofs()
	for _, s := range w.seen {
		r := s.content.record
		if r == nil || s.file.Hidden || !r.list && !kept(s.file.Path) {
			continue
		}
		var f *Finding
		first := ""
		for _, it := range r.items {
			if proofs[it.name].elsewhere(s.file.Path) {
				continue
			}
			if f == nil {
				f = &Finding{Path: s.file.Path, Rule: Unproven, Severity: Info, Place: it.place, Content: s.file.Digest}
				first = it.text
			}
			if f.Count++; len(f.Places) < MaxPlaces && it.place != (Place{}) {
				f.Places = append(f.Places, it.place)
			}
		}
		if f == nil {
			continue
		}
		f.Reason = fmt.Sprintf("%d of %s done say nothing of how they were tried, the first is %s", f.Count, counted(r.done, "item"), quote(first))
		if f.Count == 1 {
			f.Reason = "calls " + quote(first) + " done and says nothing of how it was tried"
		}
		w.add(*f)
	}
}

// proof is where it is said how a piece of work was tried: one file, and whether there are more.
type proof struct {
	path string
	more bool
}

func (p proof) elsewhere(in string) bool { return p.more || p.path != "" && p.path != in }

// proofs are the pieces of work of which a file says how they were tried.
func (w *checking) proofs() map[string]proof {
	out := map[string]proof{}
	for _, s := range w.seen {
		for name, proven := range s.content.mentions {
			if p, ok := out[name]; proven && (!ok || p.path != s.file.Path) {
				out[name] = proof{s.file.Path, ok}
			}
		}
	}
	return out
}

// What leaves a log behind: this many other notes have changed since, the last of them this long after.
const (
	staleFiles = 3
	staleAfter = 24 * time.Hour
	// maxLogs is how many logs of a store are looked at: each is held against every file.
	maxLogs = 100
)

// stale tells of a log of progress that was not touched while others were.
func (w *checking) stale() {
	looked := 0
	for _, s := range w.seen {
		if looked == maxLogs || !logs(s.file.Path) || s.file.Hidden || s.file.Changed.IsZero() {
			continue
		}
		looked++
		n := 0
		var newest File
		for _, o := range w.seen {
			if o.file.Hidden || !sameProject(s.file.Path, o.file.Path) || !o.file.Changed.After(s.file.Changed) {
				continue
			}
			n++
			if o.file.Changed.After(newest.Changed) {
				newest = o.file
			}
		}
		late := newest.Changed.Sub(s.file.Changed)
		if n < staleFiles || late < staleAfter {
			continue
		}
		w.add(Finding{
			Path: s.file.Path, Rule: Stale, Severity: Info, Count: 1, Others: []string{newest.Path}, Content: s.file.Digest,
			Reason: fmt.Sprintf("was not touched while %s changed, the last %s later", counted(n, "other file"), days(late)),
		})
	}
}

// sameProject reports whether a log is about a file: it lies in the folder of the log or below.
func sameProject(log, other string) bool {
	return log != other && strings.HasPrefix(other, path.Dir(log)+"/")
}

func days(d time.Duration) string {
	return counted(int(d/(24*time.Hour)), "day")
}
