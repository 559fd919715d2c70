package stores

import (
	"fmt"

	"memcurator/memstore/overview"
	"memcurator/tui/kit"
)

// Elsewhere says how many other stores there are, for a store that is open; "" for none.
func (s *Screen) Elsewhere() string {
	others, stranded, missing := 0, 0, 0
	for _, r := range s.list.rows {
		switch {
		case r.Lost != nil:
			missing++
		case r.Real != s.Opened() && !s.list.isEmpty(r):
			others++
		}
		if r.Has(overview.Stranded) {
			stranded++
		}
	}
	if others+missing == 0 {
		return ""
	}
	said := kit.CountGrouped(others, "other store")
	if stranded > 0 {
		said += fmt.Sprintf(", %d stranded", stranded)
	}
	if missing > 0 {
		said += fmt.Sprintf(", %d missing", missing)
	}
	return said
}
