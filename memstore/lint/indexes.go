package lint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/index"
	"memcurator/render/text"
)

// The rules of an index: the file that lists the notes, as package index recognizes it.
const (
	Orphan    Rule = "orphan-note" // a note that no index lists
	DeadEntry Rule = "dead-entry"  // an entry of a note that doesn't exist, and of which it is not known what it became
)

// indexes compares the indexes of a store with its notes. What leads nowhere is the affair of [references].
var indexes = check{
	rules: []Rule{Orphan, DeadEntry},
	content: func(in *inspection) fact {
		if o := outlineOf(in.data); o != nil {
			return o
		}
		return nil
	},
	store: func(ctx context.Context, w *checking) error { return w.listed(ctx) },
}

const (
	// maxIndex is how large a text may be to be read as an index, in bytes.
	maxIndex = 1 << 20
	// maxNamedOrphans is how many notes one reason names.
	maxNamedOrphans = 3
)

// outline holds what the checks of an index need from a note: its name, and how many entries it has if it may be an index.
type outline struct {
	name    string
	entries int
}

func (*outline) places(func(*Place)) {}

// outlineOf reads a text; nil: it says nothing of itself and lists nothing.
func outlineOf(data []byte) *outline {
	o := &outline{name: index.NameIn(data[:min(len(data), index.HeadBytes)])}
	if len(data) <= maxIndex && (bytes.Contains(data, []byte("](")) || bytes.Contains(data, []byte("[[")) ||
		bytes.Contains(data, []byte(".md")) || bytes.Contains(data, root)) {
		o.entries = len(index.Parse(data).Entries)
	}
	if *o == (outline{}) {
		return nil
	}
	return o
}

// names are the notes that links can lead to, made once for all checks.
func (w *checking) names() *index.Names {
	if w.targets != nil {
		return w.targets
	}
	var paths []string
	for _, f := range w.source.Files {
		paths = append(paths, f.Path)
	}
	w.targets = index.NewNames(paths)
	for _, s := range w.seen {
		if o := factOf[*outline](s.content); o != nil && o.name != "" {
			w.targets.Call(s.file.Path, o.name)
		}
	}
	return w.targets
}

// listed reports how the indexes differ from the notes.
func (w *checking) listed(ctx context.Context) error {
	s := &index.Store{Names: w.names(), Loaded: w.source.Loaded}
	var list []*index.File
	bySeen := map[string]seen{}
	for _, one := range w.seen {
		s.Files = append(s.Files, one.file.Path)
		bySeen[one.file.Path] = one
		if o := factOf[*outline](one.content); one.file.Path != s.Loaded && (o == nil || o.entries == 0) || one.content.Cut {
			continue
		}
		data, err := w.reread(ctx, one)
		if err != nil {
			return err
		}
		if f := (&index.File{Path: one.file.Path, Index: index.Parse(data)}); data != nil && s.Recognize(f) {
			list = append(list, f)
		}
	}
	unfit := map[string]bool{} // notes that the agent should not be led to
	for i := range w.report.Findings {
		if f := &w.report.Findings[i]; f.Steers() {
			unfit[f.Path] = true
		}
	}
	for p, one := range bySeen {
		if e := factOf[*Extent](one.content); e != nil && e.Blank {
			unfit[p] = true
		}
	}
	orphans := s.Orphans(list)
	for _, f := range list {
		w.report.Indexes = append(w.report.Indexes, f.Path)
		w.dead(bySeen[f.Path], s, f)
		w.orphans(bySeen[f.Path], f, slices.DeleteFunc(orphans[f.Path], func(p string) bool { return w.meant[p] || unfit[p] }))
	}
	return nil
}

// reread returns the text of a file again; nil: it is gone or has changed since.
func (w *checking) reread(ctx context.Context, s seen) ([]byte, error) {
	data, size, err := w.source.Read(ctx, s.file, maxIndex)
	switch {
	case errors.Is(err, memstore.ErrNotExist), errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, memstore.ErrUnavailable), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case err != nil, size > int64(len(data)), memstore.Sum(data) != s.file.Digest:
		return nil, nil
	}
	return data, nil
}

// orphans reports the notes that an index should list, as one finding with the entries for all of them.
func (w *checking) orphans(at seen, f *index.File, paths []string) {
	if len(paths) == 0 {
		return
	}
	var named []string
	for _, p := range paths[:min(len(paths), maxNamedOrphans)] {
		named = append(named, inStore(p))
	}
	reason := text.Count(len(paths), "file") + " not listed: " + strings.Join(named, ", ")
	if more := len(paths) - len(named); more > 0 {
		reason += fmt.Sprintf(" and %d more", more)
	}
	found := w.inIndex(at, Orphan, reason, len(paths))
	found.Others = paths
	edit := f.Add(f.Path, paths)
	found.Repairs = []Repair{{Start: int64(edit.Start), End: int64(edit.End), Text: edit.Text}}
	found.place(f, int64(edit.Start))
	w.add(found)
}

// dead reports entries whose note doesn't exist, unless it is clear what they mean: then they are repaired as links are. It never removes
// one: its text may be all that is left of the note. A wikilink may be of a note that is yet to be written.
func (w *checking) dead(at seen, s *index.Store, f *index.File) {
	known := map[int64]bool{} // places that a finding about links has a repair for
	i := slices.IndexFunc(w.report.Findings, func(one Finding) bool {
		return one.Path == f.Path && one.Rule == Dangling && len(one.Repairs) == 0
	})
	for _, one := range w.report.Findings {
		if one.Path == f.Path && one.Rule == Dangling {
			for _, r := range one.Repairs {
				known[r.Start] = true
			}
		}
	}
	found := w.inIndex(at, DeadEntry, "", 0)
	var names []string
	var entries []index.Span
	for _, e := range s.Dangling(f) {
		to, _ := w.names().Resolve(f.Path, e.Form, f.String(e.Target))
		start := int64(e.Target.Start)
		if e.Form == index.Wiki || known[start] || found.Count >= maxReferences {
			continue
		}
		if w.nearby != nil && (!index.NoteEnding(to) && !w.nearby.plausible(to) || e.Form == index.Path && w.nearby.meant(to) != "") {
			continue
		}
		if found.Count == 0 {
			found.place(f, int64(e.Item.Start))
		}
		found.Count++
		names = append(names, inStore(to))
		found.Others = append(found.Others, to)
		entries = append(entries, e.All)
	}
	if found.Count == 0 {
		return
	}
	found.Reason = text.Count(found.Count, "entry of a missing file") + ": " + strings.Join(names[:min(len(names), maxNamedOrphans)], ", ")
	if found.Count > 1 {
		found.Reason = fmt.Sprintf("%d entries of missing files: ", found.Count) + strings.Join(names[:min(len(names), maxNamedOrphans)], ", ")
	}
	if more := len(names) - maxNamedOrphans; more > 0 {
		found.Reason += fmt.Sprintf(" and %d more", more)
	}
	if i >= 0 { // one finding says it
		w.withoutPlaces(i, entries, &found)
	}
	w.add(found)
}

// withoutPlaces removes from a finding about links the places in entries that another finding is about.
func (w *checking) withoutPlaces(i int, entries []index.Span, gone *Finding) {
	one := &w.report.Findings[i]
	in := func(at int64) bool {
		return slices.ContainsFunc(entries, func(e index.Span) bool { return int64(e.Start) <= at && at < int64(e.End) })
	}
	places := slices.DeleteFunc(slices.Clone(one.Places), func(p Place) bool { return in(p.Start) })
	if len(places) == 0 {
		w.report.Findings = slices.Delete(w.report.Findings, i, i+1)
		return
	}
	names := slices.DeleteFunc(slices.Clone(one.Others), func(p string) bool { return slices.Contains(gone.Others, p) })
	if len(names) == 0 {
		names = one.Others
	}
	one.Count -= len(one.Places) - len(places)
	one.Places, one.Place, one.Others = places, places[0], names
	one.Reason = inStore(names[0]) + " not found"
	if n := len(names) - 1; n > 0 {
		one.Reason += ", " + text.Count(n, "more broken link")
	}
}

// inIndex is a finding about an index.
func (w *checking) inIndex(at seen, rule Rule, reason string, count int) Finding {
	return Finding{Path: at.file.Path, Rule: rule, Severity: info, Reason: reason, Count: count, Content: at.file.Digest}
}

// place says where a finding begins.
func (f *Finding) place(x *index.File, start int64) {
	line := lineWalk{data: x.Bytes()}
	f.Place = Place{Start: start, End: start}
	f.Line, f.Column = line.at(start)
	f.Places = []Place{f.Place}
}
