package tui

import (
	"context"
	"errors"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/lint"
	"memcurator/memstore/policy"
	"memcurator/memstore/watch"
	"memcurator/tui/ui"
)

const (
	// planSoon is how far ahead the plan lists what is going to expire.
	planSoon = 72 * time.Hour
	// planPause is the least time between a change of the store and the plan that takes it in: a
	// burst of changes makes one plan. A plan that takes long is made less often.
	planPause    = 150 * time.Millisecond
	planPauseMax = 3 * time.Second
	// The clock alone makes files expire: the plan is made anew when the next one does.
	planWaitMin = time.Second
	planWaitMax = time.Hour
)

// planMaker makes plans in jobs, one at a time, and remembers what it has read.
type planMaker struct {
	mu     sync.Mutex // a job that was cancelled may still be at work
	reader *policy.Reader
	lint   lint.Cache
	known  time.Time // the newest moment that the journal knew of when the program began
}

// planOrder is what one plan is to be made of.
type planOrder struct {
	backend  memstore.Backend
	journal  *journal.Journal
	snapshot *memstore.Snapshot
	rules    config.Settings
	inspect  bool // with what the lint finds
	pause    time.Duration
	now      func() time.Time
}

// planned is the outcome of planning.
type planned struct {
	plan *policy.Plan
	took time.Duration
	err  error // why there is no plan
}

// run makes a plan, after the pause. It does I/O.
func (k *planMaker) run(ctx context.Context, o planOrder, progress *ui.Progress) (any, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(o.pause):
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	began := time.Now()
	plan, err := k.plan(ctx, o, progress)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return planned{plan, time.Since(began), err}, nil
}

func (k *planMaker) plan(ctx context.Context, o planOrder, progress *ui.Progress) (*policy.Plan, error) {
	facts, err := policy.FactsOf(ctx, o.journal)
	if err != nil {
		return nil, err
	}
	if k.reader == nil {
		k.reader, k.known = policy.NewReader(o.backend), facts.Known
	}
	facts.Known = k.known
	if k.known.After(o.now()) {
		facts.Known = time.Time{} // the journal of another clock, told once at most
	}
	p := policy.New(o.rules)
	in := policy.Input{Snapshot: o.snapshot, Facts: facts, Now: o.now(), Soon: planSoon, UnderCap: true, Scores: true}
	if err := k.reader.Fill(ctx, p, &in); err != nil {
		return nil, err
	}
	if o.inspect {
		err := k.reader.Inspect(ctx, lint.Checker{Cache: &k.lint}, &in, func(done, all int) { progress.Set(int64(done), int64(all)) })
		if err != nil {
			return nil, err
		}
	}
	plan := p.Plan(in)
	return plan, k.reader.Hash(ctx, plan, nil)
}

// idleRules reports whether the configuration says nothing that could make a plan.
func idleRules(s config.Settings) bool {
	return len(s.Rules) == 0 && s.Limits.MaxFiles.Value == 0 && s.Limits.MaxBytes.Value == 0
}

const textNoPlan = "there is no plan while the memory directory is not available"

// replan has the plan made anew, soon, unless nobody could see one: without rules there is only
// what the lint finds, which is for the Curate screen.
func (m *Model) replan() tea.Cmd {
	c := m.curate
	if c == nil || !c.visited && idleRules(c.rules) || m.live.snapshot == nil || m.live.state == watch.Loading {
		return nil
	}
	if m.live.state == watch.Unavailable {
		c.list.SetProblem(textNoPlan)
		return nil
	}
	if c.planning {
		c.stale = true
		return nil
	}
	c.planning, c.stale = true, false
	o := planOrder{
		backend: m.options.Store.Backend(), journal: m.options.Journal, snapshot: m.live.snapshot,
		rules: c.rules, inspect: c.visited, now: m.env.Now,
	}
	if c.list.Plan() != nil {
		o.pause = min(max(planPause, 4*c.took), planPauseMax)
	}
	maker := c.maker
	return m.env.Jobs.Start(ownerPlan, "planning", func(ctx context.Context, progress *ui.Progress) (any, error) {
		return maker.run(ctx, o, progress)
	})
}

// planReceived shows a new plan, and marks in the tree what it is about.
func (m *Model) planReceived(done ui.Done) tea.Cmd {
	c := m.curate
	c.planning = false
	v, ok := done.Value.(planned)
	if !ok {
		return m.planAgain()
	}
	c.took = v.took
	if v.err != nil {
		m.options.Log.Error("plan", "error", v.err)
		c.list.SetProblem("the plan cannot be made: the journal or the directory cannot be read")
		if errors.Is(v.err, memstore.ErrUnavailable) {
			c.list.SetProblem(textNoPlan)
		}
		return m.planAgain()
	}
	c.list.SetPlan(v.plan)
	paths := map[string]bool{}
	c.due = 0
	for i := range v.plan.Actions {
		a := &v.plan.Actions[i]
		minor := a.Found != nil && a.Found.Severity < lint.Warning
		if a.Path != memstore.Root && !minor {
			paths[a.Path] = true
		}
		if a.Group != policy.Expiring && !minor {
			c.due++
		}
	}
	m.tree.SetDue(paths)
	for _, note := range v.plan.Notes {
		if !c.notes[note] {
			c.notes[note] = true
			m.tell(ui.Info, note)
		}
	}
	return tea.Batch(m.planAgain(), m.waitForDue(v.plan))
}

// planAgain makes the plan that was asked for while another one was made.
func (m *Model) planAgain() tea.Cmd {
	if m.curate.stale {
		return m.replan()
	}
	return nil
}

// planFailed forgets the job; the last plan stays.
func (m *Model) planFailed() { m.curate.planning = false }

// dueMsg says that the next file expires; wait names the plan that was waited for.
type dueMsg struct{ wait int }

// waitForDue makes a plan anew when the next file expires.
func (m *Model) waitForDue(p *policy.Plan) tea.Cmd {
	var next time.Time
	for i := range p.Actions {
		if a := &p.Actions[i]; a.Group == policy.Expiring && (next.IsZero() || a.Due.Before(next)) {
			next = a.Due
		}
	}
	m.curate.wait++
	if next.IsZero() {
		return nil
	}
	wait := m.curate.wait
	return tea.Tick(min(max(next.Sub(m.env.Now()), planWaitMin), planWaitMax), func(time.Time) tea.Msg { return dueMsg{wait} })
}

// isStopped reports whether an apply ended because the user stopped it.
func isStopped(err error) bool { return errors.Is(err, context.Canceled) }
