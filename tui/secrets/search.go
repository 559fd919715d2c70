package secrets

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/tui/ui"
)

// Title implements [ui.Tab].
func (v *values) Title() string { return "secrets" }

// Place implements [ui.Tab].
func (v *values) Place() string { return "" }

// Query implements [ui.Searcher].
func (v *values) Query() string { return v.query }

// SetQuery implements [ui.Searcher]: the cursor goes to the first value that holds every word, from where it is.
func (v *values) SetQuery(query string) tea.Cmd {
	v.query = query
	if g := v.group(); query == "" || g != nil && v.matchesQuery(g) {
		return nil
	}
	if slices.ContainsFunc(v.listed(), v.matchesQuery) {
		v.step(1, v.matchesQuery)
	}
	return nil
}

// Jump implements [ui.Searcher]: the cursor is there already.
func (v *values) Jump() tea.Cmd { return nil }

// SearchState implements [ui.Searcher].
func (v *values) SearchState() string {
	if v.query == "" {
		return ""
	}
	at, all := 0, 0
	for _, g := range v.listed() {
		if v.matchesQuery(g) {
			if all++; g == v.group() {
				at = all
			}
		}
	}
	if all == 0 {
		return "no match"
	}
	return fmt.Sprintf("%d of %d", at, all)
}

func (v *values) matchesQuery(g *findings.Group) bool {
	return ui.HoldsWords(v.filter.text(g), v.query)
}

// stepMatch goes to the next match, or without a search to the next value.
func (v *values) stepMatch(by int) {
	if v.query != "" && !slices.ContainsFunc(v.listed(), v.matchesQuery) {
		v.env.Emit(ui.Say{Text: fmt.Sprintf("No match for %q", v.query)})
		return
	}
	v.step(by, v.matchesQuery)
}
