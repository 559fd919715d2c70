package secrets

import (
	"strings"

	"memcurator/memstore/findings"
	"memcurator/tui/ui"
)

// filterTerms are the terms of a filter beside its words.
var filterTerms = []string{"is:open", "is:selected", "is:dismissed", "is:past"}

// setFilter keeps the values that fit every word: part of the class, the severity, the path of a place or what the mask leaves, or
// one of filterTerms. A value that is hidden stays selected.
func (v *values) setFilter(filter string) {
	v.filter = filter
	v.arrange()
}

// fits reports whether the filter leaves a value.
func (v *values) fits(g *findings.Group) bool {
	words := strings.Fields(strings.ToLower(v.filter))
	if len(words) == 0 {
		return true
	}
	text := v.text(g)
	for _, w := range words {
		if is, ok := strings.CutPrefix(w, "is:"); ok {
			if !v.is(g, is) {
				return false
			}
			continue
		}
		if !strings.Contains(text, w) && !strings.Contains(v.class[g.ID], w) {
			return false
		}
	}
	return true
}

// text is what the filter looks at, made once for a survey: there may be many thousand values.
func (v *values) text(g *findings.Group) string {
	if t, ok := v.texts[g.ID]; ok {
		return t
	}
	if v.texts == nil {
		v.texts = map[string]string{}
	}
	var t strings.Builder
	t.WriteString(g.Class + "\n" + v.words.class(g.Class) + "\n" + g.Severity.String() + "\n" + g.Masked())
	last := ""
	for i := range g.Places {
		if path := g.Places[i].Path; path != last {
			t.WriteString("\n" + path)
			last = path
		}
	}
	v.texts[g.ID] = strings.ToLower(t.String())
	return v.texts[g.ID]
}

// is reports whether a value is in a state, by the word behind is: in a filter.
func (v *values) is(g *findings.Group, state string) bool {
	switch state {
	case "open":
		return v.undecided(g)
	case "selected":
		return v.selected[g.ID]
	case "dismissed":
		return g.Dismissed || len(g.Exempt) > 0
	case "past":
		return g.Live == 0
	}
	return false
}

// matches is how many values the filter leaves, and of how many.
func (v *values) matches() (left, all int) {
	for _, r := range v.rows {
		if r.group != nil && r.place == 0 {
			left++
		}
	}
	if v.survey != nil {
		all = len(v.survey.Groups)
	}
	return left, all
}

// completeFilter completes the last word of a filter.
func completeFilter(line string) []string { return ui.CompleteWord(line, filterTerms) }
