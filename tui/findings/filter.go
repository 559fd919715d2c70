package findings

import (
	"fmt"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// SetFilter keeps the values that fit every word: part of the class, of how bad it is, of the path of a place or of
// what the mask leaves, or is:open, is:selected, is:kept, is:dismissed, is:past. What is out of sight keeps its decision.
func (b *Box) SetFilter(filter string) {
	b.filter = filter
	b.refilter()
}

// Filter is what SetFilter was given.
func (b *Box) Filter() string { return b.filter }

// refilter makes the list of what is shown; the cursor stays on its value where that is still there.
func (b *Box) refilter() {
	was := b.selected()
	words := strings.Fields(strings.ToLower(b.filter))
	b.groups = b.all
	if len(words) > 0 {
		b.groups = nil
		b.read()
		for i, g := range b.all {
			if b.fits(g, b.texts[i], words) {
				b.groups = append(b.groups, g)
			}
		}
	}
	b.list.SetCount(len(b.groups))
	b.find(was)
}

// read makes what the filter looks at, once for a survey: there may be many thousand values.
func (b *Box) read() {
	if b.texts != nil {
		return
	}
	b.texts = make([]string, len(b.all))
	var t strings.Builder
	for i, g := range b.all {
		t.Reset()
		t.WriteString(g.Class + "\n" + g.Severity.String() + "\n" + g.Masked())
		last := ""
		for k := range g.Places {
			if path := g.Places[k].Path; path != last {
				t.WriteString("\n" + path)
				last = path
			}
		}
		b.texts[i] = strings.ToLower(t.String())
	}
}

func (b *Box) fits(g *findings.Group, text string, words []string) bool {
	for _, w := range words {
		if is, ok := strings.CutPrefix(w, "is:"); ok {
			if !b.is(g, is) {
				return false
			}
			continue
		}
		if !strings.Contains(text, w) && !strings.Contains(b.class[g.ID], w) {
			return false
		}
	}
	return true
}

// is reports whether a value is in a state, by the word behind is: in a filter.
func (b *Box) is(g *findings.Group, state string) bool {
	switch state {
	case "open":
		return !g.Dismissed && b.decided[g.ID] == undecided
	case "selected", "accepted":
		return b.takes(g)
	case "kept", "rejected":
		return b.decided[g.ID] == rejected
	case "dismissed", "allowed":
		return g.Dismissed
	case "past":
		return g.Live == 0
	}
	return false
}

// filterText describes what the filter leaves, "" without one.
func (b *Box) filterText() string {
	if b.filter == "" {
		return ""
	}
	return fmt.Sprintf("/%s: %s of %s", text.Clean(b.filter), ui.Number(len(b.groups)), ui.CountGrouped(len(b.all), "value"))
}
