package secrets

import "memcurator/tui/ui"

// Title implements [ui.Tab].
func (v *valueList) Title() string { return "secrets" }

// Place implements [ui.Tab].
func (v *valueList) Place() string { return "" }

// Search implements [ui.searchable].
func (v *valueList) Search() ui.Searcher { return v.search }

// rowText is what a row is found by: its value as shown, class and places; a place is found by its value.
func (v *valueList) rowText(row int) string {
	if r := v.rows[row]; r.group != nil && r.place == 0 {
		return v.filter.text(r.group)
	}
	return ""
}
