package curate

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/memstore/watch"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

const (
	// planPause is waited before a plan, unless the user waits for the first one: a burst of changes makes one, and the first keys go
	// before it.
	planPause = 150 * time.Millisecond
	// Suggestions read every note. Up to this size of a store they are worked out before the screen is opened.
	earlyFiles = 20_000
)

// planned is the outcome of planning.
type planned struct {
	plan      *policy.Plan
	pinned    map[string]bool
	inspected bool  // the notes were read
	err       error // why planning failed
}

const textNoPlan = "No proposals while the store is unavailable"

// Replan has the plan made again, soon, unless no plan is visible: without rules there are only suggestions.
func (s *Screen) Replan() tea.Cmd {
	snapshot, rules := s.edits.Loaded(), s.edits.Rules
	if snapshot == nil || snapshot.Root == nil {
		return nil
	}
	suggest := s.visited || s.Early && snapshot.Root.Files <= earlyFiles
	switch {
	case !suggest && len(rules.Rules) == 0 && !rules.Limits.Caps():
		return nil
	case s.edits.Watched == watch.Unavailable:
		s.list.SetProblem(textNoPlan)
		return nil
	case s.edits.Busy(): // half of an act is no ground for proposals; act.Changed follows it
		return nil
	case s.planning: // it is not cut short: a store that changes all the time would have none
		s.stale = true
		return nil
	}
	s.planning, s.stale = true, false
	in := s.Options.Plan
	in.Snapshot, in.Journal, in.Suggest = snapshot, s.edits.Journal, suggest
	reader, now, awaited := s.reader, s.env.Now, s.visited && !s.planned()
	return kit.Start(s.env.Jobs, kit.Job[planned]{
		Owner: ownerPlan, Label: "Looking for proposals", Done: s.planReceived, Failed: func() { s.planning = false }, // the last plan stays
		Work: func(ctx context.Context, progress *kit.Progress) (planned, error) {
			if !awaited {
				if err := kit.Debounce(ctx, planPause); err != nil {
					return planned{}, err
				}
			}
			p := policy.New(rules)
			in.Now = now()
			plan, err := reader.Propose(ctx, p, in, func(done, all int) { progress.Set(int64(done), int64(all)) })
			if ctx.Err() != nil {
				return planned{}, ctx.Err()
			}
			return planned{plan, p.Pinned(snapshot), suggest, err}, nil
		},
	})
}

// planReceived shows a new plan, and marks in the tree what it is about.
func (s *Screen) planReceived(v planned) tea.Cmd {
	s.planning = false
	if s.edits.Busy() && s.planned() {
		return nil
	}
	var again tea.Cmd
	if s.passed = s.stale && !s.passed; s.stale {
		again = s.Replan()
	}
	if s.passed && s.planned() {
		return again
	}
	if v.err != nil {
		problem := "Can't make a plan: the journal or the store can't be read"
		if errors.Is(v.err, memstore.ErrUnavailable) {
			problem = textNoPlan
		}
		s.list.SetProblem(problem)
		return again
	}
	s.list.SetPlan(v.plan, !v.inspected)
	if s.newRule > 0 && again == nil {
		s.list.showRule(s.newRule)
		s.newRule = 0
	}
	marks := act.Planned{Due: map[string]bool{}, Pinned: v.pinned}
	for i := range v.plan.Actions {
		a := &v.plan.Actions[i]
		if a.Path != memstore.Root && a.Group != policy.Suggested {
			marks.Due[a.Path] = true
		}
	}
	s.env.Emit(marks)
	for _, note := range v.plan.Notes {
		if !s.notes[note] {
			s.notes[note] = true
			s.shell.Report(kit.Info, note)
		}
	}
	return tea.Batch(again, s.list.show())
}
