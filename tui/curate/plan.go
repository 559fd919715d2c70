package curate

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/lint"
	"memcurator/memstore/policy"
	"memcurator/memstore/watch"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

const (
	// planSoon is how far ahead the plan lists what is going to expire.
	planSoon = 72 * time.Hour
	// planPause is the least time between a change of the store and the plan that takes it in: a
	// burst of changes makes one plan. A plan that takes long is made less often.
	planPause    = 150 * time.Millisecond
	planPauseMax = 3 * time.Second
	// The clock alone makes files expire: the plan is made again when the next one does.
	planWaitMin = time.Second
	planWaitMax = time.Hour
)

// planMaker makes plans in jobs, one at a time, and remembers what it has read.
type planMaker struct {
	mu     sync.Mutex // a job that was canceled may still be at work
	reader *policy.Reader
	lint   lint.Cache
	known  time.Time // the newest moment that the journal knew of when the program began
}

// planOrder is what one plan is to be made of.
type planOrder struct {
	backend memstore.Backend
	rules   config.Settings
	pause   time.Duration
	now     func() time.Time
	in      policy.Input // without what the journal and the notes say
}

// planned is the outcome of planning.
type planned struct {
	plan      *policy.Plan
	pinned    map[string]bool
	took      time.Duration
	inspected bool  // the notes were read
	err       error // why planning failed
}

// run makes a plan, after the pause. It does I/O. A panic is an outcome too: one note that trips the checks must not cost the others.
func (k *planMaker) run(ctx context.Context, o planOrder, progress *kit.Progress) (made planned, err error) {
	defer func() {
		if r := recover(); r != nil {
			made, err = planned{err: &kit.PanicError{Value: r, Stack: debug.Stack()}}, nil
		}
	}()
	select {
	case <-ctx.Done():
		return planned{}, ctx.Err()
	case <-time.After(o.pause):
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	began := time.Now()
	made, err = k.plan(ctx, o, progress)
	if ctx.Err() != nil {
		return planned{}, ctx.Err()
	}
	made.pinned, made.took, made.inspected, made.err = policy.New(o.rules).Pinned(o.in.Snapshot), time.Since(began), o.in.Suggest, err
	return made, nil
}

func (k *planMaker) plan(ctx context.Context, o planOrder, progress *kit.Progress) (made planned, err error) {
	facts, err := policy.FactsOf(ctx, o.in.Journal)
	if err != nil {
		return made, err
	}
	if k.reader == nil {
		k.reader, k.known = policy.NewReader(o.backend), facts.Known
	}
	facts.Known = k.known
	if k.known.After(o.now()) {
		facts.Known = time.Time{} // the journal of another clock, reported once at most
	}
	p := policy.New(o.rules)
	in := o.in
	in.Facts, in.Now = facts, o.now()
	if err := k.reader.Fill(ctx, p, &in); err != nil {
		return made, err
	}
	if in.Suggest {
		err := k.reader.Inspect(ctx, lint.Checker{Cache: &k.lint}, &in, func(done, all int) { progress.Set(int64(done), int64(all)) })
		if err != nil {
			return made, err
		}
	}
	plan := p.Plan(in)
	made.plan = plan
	return made, k.reader.Hash(ctx, plan, nil)
}

// idleRules reports whether the configuration says nothing that could make a plan.
func idleRules(s config.Settings) bool {
	return len(s.Rules) == 0 && !s.Limits.Caps()
}

const (
	textNoPlan    = "No proposals while the store is unavailable"
	textPlanCrash = "Can't make a plan: internal error"
)

// Suggestions read every note. Up to this size of a store they are worked out before the screen is opened.
const (
	earlyFiles = 20_000
	earlyBytes = 256 << 20
)

// inspects reports whether the next plan reads the notes.
func (s *Screen) inspects(snapshot *memstore.Snapshot) bool {
	return s.visited || s.Early && snapshot.Root.Files <= earlyFiles && snapshot.Root.Bytes <= earlyBytes
}

// Replan has the plan made again, soon, unless no plan is visible: without rules there are only suggestions.
func (s *Screen) Replan() tea.Cmd {
	snapshot := s.edits.Loaded()
	if snapshot == nil || snapshot.Root == nil || idleRules(s.edits.Rules) && !s.inspects(snapshot) {
		return nil
	}
	if s.edits.Watched == watch.Unavailable {
		s.list.SetProblem(textNoPlan)
		return nil
	}
	if s.planning {
		s.stale = true
		return nil
	}
	s.planning, s.stale = true, false
	o := planOrder{
		backend: s.edits.Handlers.Backend(), rules: s.edits.Rules, now: s.env.Now,
		in: policy.Input{Snapshot: snapshot, Journal: s.edits.Lasting, Soon: planSoon, UnderCap: true, Lint: true,
			Load: s.edits.Load, Project: s.Project, Secrets: s.Secrets},
	}
	if s.list.Plan() != nil {
		o.pause = min(max(planPause, 4*s.took), planPauseMax)
		o.in.Suggest = s.inspects(snapshot)
	} else { // what the rules propose comes first: suggestions read every note
		s.stale = s.inspects(snapshot)
	}
	maker := s.maker
	return kit.Start(s.env.Jobs, kit.Job[planned]{
		Owner: ownerPlan, Label: "Looking for proposals", Done: s.planReceived, Failed: func() { s.planning = false }, // the last plan stays
		Work: func(ctx context.Context, progress *kit.Progress) (planned, error) { return maker.run(ctx, o, progress) },
	})
}

// planReceived shows a new plan, and marks in the tree what it is about.
func (s *Screen) planReceived(v planned) tea.Cmd {
	s.planning = false
	s.took = v.took
	if v.err != nil {
		s.edits.Log.Error("plan", "error", v.err)
		problem := "Can't make a plan: the journal or the store can't be read"
		var crash *kit.PanicError
		switch {
		case errors.Is(v.err, memstore.ErrUnavailable):
			problem = textNoPlan
		case errors.As(v.err, &crash):
			s.edits.Log.Error("panic in a job", "stack", string(crash.Stack))
			problem = textPlanCrash
			if !s.notes[problem] { // the last plan stays on the screen
				s.notes[problem] = true
				s.shell.Tell(kit.Fail, problem)
			}
		}
		s.list.SetProblem(problem)
		return s.planAgain()
	}
	s.list.SetPlan(v.plan, !v.inspected)
	if r := s.reveal; r != nil && !s.stale {
		s.reveal = nil
		s.list.Reveal(*r)
	}
	paths, expiring := map[string]bool{}, map[string]time.Time{}
	for i := range v.plan.Actions {
		a := &v.plan.Actions[i]
		if a.Path != memstore.Root && a.Group != policy.Suggested && a.Found == nil && !a.Rule.BuiltIn() {
			paths[a.Path] = true
		}
		if a.Group == policy.Expiring {
			expiring[a.Path] = a.Due
		}
	}
	s.env.Emit(act.Planned{Due: paths, Pinned: v.pinned, Expiring: expiring})
	for _, note := range v.plan.Notes {
		if !s.notes[note] {
			s.notes[note] = true
			s.shell.Report(kit.Info, note)
		}
	}
	return tea.Batch(s.planAgain(), s.waitForDue(v.plan))
}

// planAgain makes the plan that was asked for while another one was made.
func (s *Screen) planAgain() tea.Cmd {
	if s.stale {
		return s.Replan()
	}
	return nil
}

// waitForDue makes a plan again when the next file expires.
func (s *Screen) waitForDue(p *policy.Plan) tea.Cmd {
	var next time.Time
	for i := range p.Actions {
		if a := &p.Actions[i]; a.Group == policy.Expiring && (next.IsZero() || a.Due.Before(next)) {
			next = a.Due
		}
	}
	s.wait++
	if next.IsZero() {
		return nil
	}
	wait := s.wait
	return tea.Tick(min(max(next.Sub(s.env.Now()), planWaitMin), planWaitMax), func(time.Time) tea.Msg {
		return kit.Call(func() tea.Cmd {
			if wait != s.wait {
				return nil
			}
			return s.Replan()
		})
	})
}

// isStopped reports whether an apply ended because the user stopped it.
func isStopped(err error) bool { return errors.Is(err, context.Canceled) }
