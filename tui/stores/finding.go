package stores

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/overview"
)

// The owners of the jobs that find the stores, and that watch them.
const (
	ownerList  = "stores"
	ownerWatch = "stores.watch"
)

// look lists the stores, unless that is under way.
func (s *Screen) look(parts overview.Part) tea.Cmd {
	if s.env.Jobs.Running(ownerList) {
		return nil
	}
	s.env.Jobs.Cancel(ownerWatch)
	find, seen := s.Source.List, map[string]bool{}
	return reports[Row]{
		owner: ownerList, label: "finding stores",
		work: func(ctx context.Context, report func(Row)) error { return find(ctx, parts, report) },
		show: func(rows []Row) tea.Cmd {
			for _, r := range rows {
				seen[r.Path] = true
			}
			return s.take(rows)
		},
		done: func() tea.Cmd {
			if s.known = true; parts == overview.Everything {
				s.read = s.env.Now()
			}
			s.list.keep(func(r Row) bool { return seen[r.Path] })
			s.wanted = ""
			if s.acted {
				return tea.Batch(s.detail.refresh(), s.Acted())
			}
			return tea.Batch(s.detail.refresh(), s.follow(), s.watch())
		},
		failed: func() { s.known = true },
	}.start(s.env.Jobs)
}

// take lists rows that were found or that changed.
func (s *Screen) take(rows []Row) tea.Cmd {
	s.known = true
	s.list.take(rows)
	if s.list.goTo(s.wanted) {
		s.wanted = ""
	}
	return tea.Batch(s.detail.refresh(), s.follow())
}

// Acted lists the stores again after an act that may have changed one: an index that is in step or not shows at once, while what reads all
// files waits for the watch.
func (s *Screen) Acted() tea.Cmd {
	s.acted = s.env.Jobs.Running(ownerList) // it may have read that store before
	return s.look(overview.Everything &^ overview.SecretsPart)
}

// Reread lists the stores again, with the cursor on the one at path if it is among them.
func (s *Screen) Reread(path string) tea.Cmd {
	s.wanted = path
	s.env.Jobs.Cancel(ownerList)
	return s.look(overview.Everything)
}

// watch keeps the rows up to date until they are listed again.
func (s *Screen) watch() tea.Cmd {
	watch, rows := s.Source.Watch, slices.Clone(s.list.rows)
	return reports[Row]{
		owner: ownerWatch, label: "watching stores", show: s.take, done: func() tea.Cmd { return nil },
		work: func(ctx context.Context, report func(Row)) error {
			watch(ctx, rows, report)
			return ctx.Err()
		},
	}.start(s.env.Jobs)
}
