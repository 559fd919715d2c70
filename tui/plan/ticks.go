package plan

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// Ticked lists the actions that the user has chosen, in the order of the plan; those that a
// filter or a fold hides count.
func (p *Pane) Ticked() []policy.Action {
	var out []policy.Action
	if p.plan == nil || len(p.ticks) == 0 {
		return nil
	}
	for i := range p.plan.Actions {
		if p.ticks[tickOf(&p.plan.Actions[i])] {
			out = append(out, p.plan.Actions[i])
		}
	}
	return out
}

// Ticks counts the chosen actions and the bytes of their files.
func (p *Pane) Ticks() (count int, bytes int64) {
	for _, s := range p.counted() {
		count += s.ticked
		bytes += s.tickedBytes
	}
	return count, bytes
}

// sum is what a group holds. count and bytes are of what the filter leaves, the others of all.
type sum struct {
	count, shown int // shown: ticked and left by the filter
	bytes        int64
	ticked       int
	tickedBytes  int64
}

// counted counts the groups once for each change of plan, filter or ticks: a frame draws several sums
// of ten thousand actions.
func (p *Pane) counted() map[policy.Group]*sum {
	if p.sums != nil || p.plan == nil {
		return p.sums
	}
	p.sums = map[policy.Group]*sum{}
	for i := range p.plan.Actions {
		a := &p.plan.Actions[i]
		s := p.sums[a.Group]
		if s == nil {
			s = &sum{}
			p.sums[a.Group] = s
		}
		ticked := len(p.ticks) > 0 && p.ticks[tickOf(a)]
		if ticked {
			s.ticked++
			s.tickedBytes += a.Bytes
		}
		if p.filter.fits(a, p.ticks) {
			s.count++
			s.bytes += a.Bytes
			if ticked {
				s.shown++
			}
		}
	}
	return p.sums
}

// Ranging reports whether a range is being chosen.
func (p *Pane) Ranging() bool { return p.span.on }

// tickBindings are the actions that change ticks.
func (p *Pane) tickBindings() []ui.Action {
	all := func(visit func(tick)) func() tea.Cmd {
		return ui.Do(func() { p.each(0, len(p.rows)-1, visit) })
	}
	return ui.Before(func(keymap.ID) { p.sums = nil }, []ui.Action{
		ui.On(keymap.Mark, p.mark),
		ui.On(keymap.MarkRange, func() {
			if p.span.on {
				p.setRange()
				return
			}
			at, ok := p.list.At()
			p.span = span{on: ok, from: at}
		}),
		ui.On(keymap.MarkAll, p.markAll),
		{ID: keymap.MarkInvert, Run: all(p.flip)},
		ui.On(keymap.MarkNone, func() { clear(p.ticks) }),
	})
}

// markAll selects every row, or clears those that are all selected.
func (p *Pane) markAll() {
	all := true
	p.each(0, len(p.rows)-1, func(t tick) {
		all = all && p.ticks[t]
		p.ticks[t] = true
	})
	if all {
		p.each(0, len(p.rows)-1, func(t tick) { delete(p.ticks, t) })
	}
}

// mark ticks or unticks the row under the cursor and goes down, or sets a range.
func (p *Pane) mark() {
	at, ok := p.list.At()
	switch {
	case !ok:
	case p.span.on:
		p.setRange()
	default:
		p.toggle(at)
		p.list.MoveTo(at + 1)
		p.show()
	}
}

// each visits what can be ticked of a range of rows; of a folded group's heading all of the group.
func (p *Pane) each(from, to int, visit func(tick)) {
	for i := max(from, 0); i <= to && i < len(p.rows); i++ {
		r := p.rows[i]
		if r.action >= 0 {
			if a := &p.plan.Actions[r.action]; a.Do.Changes() {
				visit(tickOf(a))
			}
			continue
		}
		if p.folded[r.group] && p.filter.text == "" {
			p.eachOf(r.group, visit)
		}
	}
}

// eachOf visits what can be ticked of a group, as far as the filter leaves it.
func (p *Pane) eachOf(g policy.Group, visit func(tick)) {
	for i := range p.plan.Actions {
		if a := &p.plan.Actions[i]; a.Group == g && a.Do.Changes() && p.filter.fits(a, p.ticks) {
			visit(tickOf(a))
		}
	}
}

func (p *Pane) flip(t tick) {
	if p.ticks[t] {
		delete(p.ticks, t)
	} else {
		p.ticks[t] = true
	}
}

const (
	textOnlyTold = "this is only told: nothing is ticked; {curate/edit-proposal} edits a proposal, " +
		"{curate/delete-file} deletes the file, {curate/never} tells it no more"
	textValuesElsewhere = "Sensitive values are accepted and taken out in their own box: {global/findings} opens it."
)

// toggle ticks or unticks a row; a heading stands for its whole group.
func (p *Pane) toggle(i int) {
	r := p.rows[i]
	if r.action >= 0 {
		a := &p.plan.Actions[r.action]
		if !a.Do.Changes() {
			p.env.Emit(ui.Say{Text: p.env.Keyed(textOnlyTold)})
			return
		}
		p.flip(tickOf(a))
		return
	}
	if r.group == sensitive {
		p.env.Emit(ui.Say{Text: p.env.Keyed(textValuesElsewhere)})
		return
	}
	all, some := true, false
	p.eachOf(r.group, func(t tick) { all, some = all && p.ticks[t], true })
	if !some {
		p.env.Emit(ui.Say{Text: p.env.Keyed(textOnlyTold)})
	}
	p.eachOf(r.group, func(t tick) {
		if all {
			delete(p.ticks, t)
		} else {
			p.ticks[t] = true
		}
	})
}

// inRange reports whether a row is in the range that is being chosen.
func (p *Pane) inRange(i int) bool {
	at, _ := p.list.At()
	return p.span.on && i >= min(p.span.from, at) && i <= max(p.span.from, at)
}

// setRange ticks what the range covers.
func (p *Pane) setRange() {
	at, _ := p.list.At()
	p.span.on = false
	p.each(min(p.span.from, at), max(p.span.from, at), func(t tick) { p.ticks[t] = true })
}
