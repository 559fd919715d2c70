package plan

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// Chosen lists the selected actions in the order of the plan, those that a filter or a fold hides too; without a selection the one
// under the cursor. What is being applied is never chosen.
func (p *Pane) Chosen() []policy.Action {
	if p.plan == nil {
		return nil
	}
	var out []policy.Action
	for i := range p.plan.Actions {
		if p.ticks[tickOf(&p.plan.Actions[i])] {
			out = append(out, p.plan.Actions[i])
		}
	}
	if a, ok := p.Selected(); ok && out == nil && !p.busy[tickOf(&a)] {
		out = append(out, a)
	}
	return out
}

// Shown lists the actions in sight: what the filter leaves and no fold hides.
func (p *Pane) Shown() []policy.Action {
	var out []policy.Action
	for _, r := range p.rows {
		if r.action >= 0 && r.section != soon && !p.busy[tickOf(&p.plan.Actions[r.action])] {
			out = append(out, p.plan.Actions[r.action])
		}
	}
	return out
}

// Ticks counts the selected actions and the bytes of their files.
func (p *Pane) Ticks() (count int, bytes int64) {
	sums := p.counted()
	for i := range sums {
		count += sums[i].ticked
		bytes += sums[i].tickedBytes
	}
	return count, bytes
}

// Counts are how many proposals of rules, suggestions and secrets there are, whatever the filter leaves.
func (p *Pane) Counts() (rules, suggestions, values int) {
	if p.plan == nil {
		return 0, 0, p.allValues
	}
	for i := range p.plan.Actions {
		switch a := &p.plan.Actions[i]; {
		case p.busy[tickOf(a)]:
		case sectionOf(a) == byRules:
			rules++
		case sectionOf(a) == suggested:
			suggestions++
		}
	}
	return rules, suggestions, p.allValues
}

// sum is what a section holds. count and bytes are of what the filter leaves, the others of all.
type sum struct {
	count       int
	bytes       int64
	ticked      int
	tickedBytes int64
}

// counted counts the sections once for each change of plan, filter or selection: a frame draws several sums
// of ten thousand actions.
func (p *Pane) counted() *[sections]sum {
	if p.sums != nil {
		return p.sums
	}
	p.sums = &[sections]sum{}
	if p.plan == nil {
		return p.sums
	}
	for i := range p.plan.Actions {
		a := &p.plan.Actions[i]
		s := &p.sums[sectionOf(a)]
		if len(p.ticks) > 0 && p.ticks[tickOf(a)] {
			s.ticked++
			s.tickedBytes += a.Bytes
		}
		if p.filter.fits(a, p.ticks) {
			s.count++
			if a.Path != memoriesPath { // it holds the others
				s.bytes += a.Bytes
			}
		}
	}
	return p.sums
}

// Ranging reports whether a range is being chosen.
func (p *Pane) Ranging() bool { return p.span.on }

// tickBindings are the actions that change the selection.
func (p *Pane) tickBindings() []ui.Action {
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
		{ID: keymap.MarkInvert, Run: func() tea.Cmd {
			p.each(0, len(p.rows)-1, p.flip)
			return nil
		}},
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

// mark selects or clears the row under the cursor and goes down, or sets a range.
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

// each visits what can be selected of a range of rows: of a folded section all of it, of the row that stands for suggestions those.
func (p *Pane) each(from, to int, visit func(tick)) {
	for i := max(from, 0); i <= to && i < len(p.rows); i++ {
		switch r := p.rows[i]; {
		case r.action >= 0:
			p.visit(r.action, visit)
		case r.rest:
			p.eachRest(visit)
		case r.heading() && p.folded[r.section] && p.filter.text == "" && r.section != soon:
			p.eachOf(r.section, visit)
		}
	}
}

func (p *Pane) visit(i int, visit func(tick)) {
	a := &p.plan.Actions[i]
	if t := tickOf(a); !p.busy[t] && sectionOf(a) != soon {
		visit(t)
	}
}

func (p *Pane) eachRest(visit func(tick)) {
	for _, i := range p.rest {
		p.visit(i, visit)
	}
}

// eachOf visits what can be selected of a section, as far as the filter leaves it.
func (p *Pane) eachOf(s section, visit func(tick)) {
	for i := range p.plan.Actions {
		if a := &p.plan.Actions[i]; sectionOf(a) == s && p.filter.fits(a, p.ticks) {
			p.visit(i, visit)
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
	textNotDue  = "Not due yet. {curate/pin} pins the file"
	textSecrets = "{curate/open-change} opens the secret: it is redacted or dismissed there"
	textLocked  = "Applying this now"
)

// toggle selects or clears a row; a heading stands for its whole section.
func (p *Pane) toggle(i int) {
	r := p.rows[i]
	say := func(text string) { p.env.Emit(ui.Say{Text: p.env.Keyed(text)}) }
	visit := func(f func(tick)) { p.eachOf(r.section, f) }
	switch {
	case r.section == soon:
		say(textNotDue)
		return
	case r.section == secrets:
		say(textSecrets)
		return
	case r.action >= 0:
		if p.busy[tickOf(&p.plan.Actions[r.action])] {
			say(textLocked)
		}
		p.visit(r.action, p.flip)
		return
	case r.rest:
		visit = p.eachRest
	}
	all := true
	visit(func(t tick) { all = all && p.ticks[t] })
	visit(func(t tick) {
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

// setRange selects what the range covers.
func (p *Pane) setRange() {
	at, _ := p.list.At()
	p.span.on = false
	p.each(min(p.span.from, at), max(p.span.from, at), func(t tick) { p.ticks[t] = true })
}
