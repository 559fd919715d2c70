package lint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/index"
	"memcurator/render/text"
)

// Orphan reports the notes beside the loaded index that no index lists; an index is a file that package index recognizes.
const Orphan Rule = "orphan-note"

const (
	// maxIndex is how large a text may be to be read as an index or for its links, in bytes.
	maxIndex = 1 << 20
	// maxNamedOrphans is how many notes one reason names.
	maxNamedOrphans = 3
)

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
		w.targets.Call(s.file.Path, s.content.name)
	}
	return w.targets
}

// listed reports which notes beside the loaded index no index lists. Those that the agent should not be led to need not be. What leads nowhere is the
// affair of named.
func (w *checking) listed(context.Context) error {
	s := &index.Store{Names: w.names(), Loaded: w.source.Loaded}
	bySeen, unfit := map[string]seen{}, map[string]bool{}
	for _, one := range w.seen {
		s.Files = append(s.Files, one.file.Path)
		bySeen[one.file.Path] = one
		if one.content.blank {
			unfit[one.file.Path] = true
		}
	}
	for i := range w.report.Findings {
		switch f := &w.report.Findings[i]; f.Rule {
		case Planted, HiddenText, Bidi, Control:
			unfit[f.Path] = true
		}
	}
	var failed error
	list := s.Find(func(agentPath string) ([]byte, error) {
		data, err := w.source.Read(bySeen[agentPath].file, maxIndex)
		if errors.Is(err, memstore.ErrUnavailable) {
			failed = err
		}
		return data, err
	})
	of, notes := s.Orphans(list)
	notes = slices.DeleteFunc(notes, func(p string) bool { return w.meant[p] || unfit[p] })
	if len(notes) > 0 {
		w.orphans(bySeen[of.Path], of, notes)
	}
	return failed
}

// orphans reports the notes that an index should list, as one finding with the entries for all of them.
func (w *checking) orphans(at seen, f *index.File, paths []string) {
	var named []string
	for _, p := range paths[:min(len(paths), maxNamedOrphans)] {
		named = append(named, inStore(p))
	}
	reason := text.Count(len(paths), "file") + " not listed: " + strings.Join(named, ", ")
	if more := len(paths) - len(named); more > 0 {
		reason += fmt.Sprintf(" and %d more", more)
	}
	edit := f.Add(f.Path, paths)
	before := f.Bytes()[:edit.Start]
	place := Place{edit.Span, int64(bytes.Count(before, []byte{'\n'})) + 1, int64(edit.Start - bytes.LastIndexByte(before, '\n'))}
	w.add(Finding{
		Path: at.file.Path, Rule: Orphan, Severity: info, Reason: reason, Count: len(paths), Content: at.file.Digest, Others: paths,
		Place: place, Places: []Place{place}, Repairs: []Repair{{Edit: edit}},
	})
}
