package lint

import (
	"context"
	"slices"
)

// DeadImport reports an import that gives the agent nothing when a session starts: its file is missing, or the agent refuses it.
const DeadImport Rule = "dead-import"

// Import is an import in a file, and why it gives nothing, as a clause.
type Import struct {
	Place
	Path   string // agent path of the file that imports
	Reason string
}

var imports = check{rules: []Rule{DeadImport}, store: func(_ context.Context, w *checking) error { w.imports(); return nil }}

func (w *checking) imports() {
	for _, s := range w.seen {
		var places []Place
		reason := ""
		for _, i := range w.source.Imports {
			if i.Path != s.file.Path {
				continue
			}
			if places = append(places, i.Place); reason == "" {
				reason = i.Reason
			}
		}
		if len(places) > 0 {
			w.add(Finding{
				Path: s.file.Path, Rule: DeadImport, Severity: warning, Content: s.file.Digest, Reason: reason, Place: places[0], Count: len(places),
				Places: slices.Clip(places[:min(len(places), maxPlaces)]),
			})
		}
	}
}
