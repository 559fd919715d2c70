package stores

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/overview"
	"memcurator/tui/ui"
)

// counts are how many stores there are.
type counts struct {
	of       string // where the open store is
	others   int    // beside that
	stranded int
	missing  int   // of which only the journal remains
	at       int64 // when they were counted, in seconds since 1970
}

// countedFor is how long counts are good for the next starts: to count, all projects of this machine are looked at.
const countedFor = 24 * time.Hour

// count counts the stores that are listed.
func (s *Screen) count() {
	c := counts{of: s.Opened(), at: s.counted.at}
	for _, r := range s.list.rows {
		if r.Real != c.of && !s.list.isEmpty(r) && r.Lost == nil {
			c.others++
		}
		if r.Has(overview.Stranded) {
			c.stranded++
		}
		if r.Lost != nil {
			c.missing++
		}
	}
	if now := s.env.Now(); c != s.counted || now.Sub(time.Unix(c.at, 0)) > countedFor/2 {
		c.at = now.Unix()
	}
	s.counted = c
}

// countsAreGood reports whether the stores need not be counted again for the open store.
func (s *Screen) countsAreGood() bool {
	age := s.env.Now().Sub(time.Unix(s.counted.at, 0))
	return s.counted.of == s.Opened() && age >= 0 && age < countedFor
}

// Elsewhere says how many other stores there are, for a store that is open; it begins with a word for their key. Until they are listed,
// it goes by what was counted last.
func (s *Screen) Elsewhere() string {
	if len(s.list.rows) > 0 && !s.env.Jobs.Running(ownerList) {
		s.count()
	}
	if s.counted.others+s.counted.missing == 0 || !s.countsAreGood() {
		return "all stores"
	}
	if s.counted.others == 0 {
		return "shows " + ui.CountGrouped(s.counted.missing, "missing store")
	}
	said := "shows " + ui.CountGrouped(s.counted.others, "other store")
	if s.counted.stranded > 0 {
		said += fmt.Sprintf(", %d stranded", s.counted.stranded)
	}
	if s.counted.missing > 0 {
		said += fmt.Sprintf(", %d missing", s.counted.missing)
	}
	return said
}

// countAfter is how many times the wait of a cursor at rest passes before the stores are counted: the open store comes first.
const countAfter = 5

// Count finds the stores for [Screen.Elsewhere], without reading them, unless they were counted lately.
func (s *Screen) Count() tea.Cmd {
	if s.known || len(s.list.rows) > 0 || s.countsAreGood() {
		return nil
	}
	find, wait := s.Options.List, countAfter*s.env.Debounce
	return ui.Start(s.env.Jobs, ui.Job[[]Row]{
		Owner: ownerCount, Label: "counting stores",
		Work: func(ctx context.Context, _ *ui.Progress) (rows []Row, err error) {
			if err := ui.Debounce(ctx, wait); err != nil {
				return nil, err
			}
			var mu sync.Mutex
			_ = find(ctx, 0, func(r Row) { // the list itself says why it fails
				mu.Lock()
				rows = append(rows, r)
				mu.Unlock()
			})
			return rows, ctx.Err()
		},
		Done: func(rows []Row) tea.Cmd {
			if !s.env.Jobs.Running(ownerList) && !s.known {
				s.list.take(rows)
				s.count()
			}
			return nil
		},
	})
}

// ownerCount is the owner of the job that counts them.
const ownerCount = "stores.count"
