package secrets

import (
	"strings"

	"memcurator/memstore/findings"
	"memcurator/tui/ui"
)

// filterTerms are the terms of a filter beside its words.
var filterTerms = []string{"is:open", "is:selected", "is:dismissed", "is:past"}

// completeFilter completes the last word of a filter.
func completeFilter(line string) []string { return ui.CompleteWord(line, filterTerms) }

// filter leaves the values that fit every word of a line: part of the class, the severity, the path of a place or what the mask
// leaves, or one of filterTerms.
type filter struct {
	line     string
	choices  *choices
	selected *selection
	texts    map[string]string // by id, what words are looked for in
}

func (f *filter) fits(g *findings.Group) bool {
	for _, w := range strings.Fields(strings.ToLower(f.line)) {
		if is, ok := strings.CutPrefix(w, "is:"); ok {
			if !f.is(g, is) {
				return false
			}
			continue
		}
		if !strings.Contains(f.text(g), w) && !strings.Contains(f.choices.class[g.ID], w) {
			return false
		}
	}
	return true
}

// text is what words are looked for in, made once for a survey: there may be many thousand values.
func (f *filter) text(g *findings.Group) string {
	if t, ok := f.texts[g.ID]; ok {
		return t
	}
	if f.texts == nil {
		f.texts = map[string]string{}
	}
	var t strings.Builder
	t.WriteString(g.Class + "\n" + f.choices.titleOf(g.Class) + "\n" + g.Severity.String() + "\n" + g.Masked())
	last := ""
	for i := range g.Places {
		if path := g.Places[i].Path; path != last {
			t.WriteString("\n" + path)
			last = path
		}
	}
	f.texts[g.ID] = strings.ToLower(t.String())
	return f.texts[g.ID]
}

// is reports whether a value is in a state, by the word behind is: in a filter.
func (f *filter) is(g *findings.Group, state string) bool {
	switch state {
	case "open":
		return !g.Dismissed && !f.selected.has(g)
	case "selected":
		return f.selected.has(g)
	case "dismissed":
		return g.Dismissed || len(g.Exempt) > 0
	case "past":
		return g.Live == 0
	}
	return false
}
