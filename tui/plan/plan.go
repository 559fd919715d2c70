// Package plan is the Curate screen: the list of everything that the policy and the lint propose,
// in groups, with a tick for what the user wants done, and the reason and the text of the one
// under the cursor. It is given plans by the root and keeps ticks by path and hash, so that a
// newer plan never moves or loses what was chosen; it answers with intents. What is done to
// the store and to the configuration is the root's.
package plan

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// ShowAction is the intent to show the action under the cursor. A zero Path says that it is on none; Group is
// then that of the heading it is on.
type ShowAction struct{ Action policy.Action }

// OpenAction is the intent of enter on an action.
type OpenAction struct{ Action policy.Action }

// order is how the list is sorted.
type order uint8

const (
	byGroup order = iota
	byPath
	bySize
	byDue
	orders
)

func (o order) String() string {
	return [...]string{"group", "path", "size", "due"}[o]
}

// tick names an action across plans: the file with these bytes, and what is done to it.
type tick struct {
	path string
	do   policy.Do
	hash memstore.Digest
}

func tickOf(a *policy.Action) tick { return tick{a.Path, a.Do, a.Hash} }

// row is a row of the list: an action, a sensitive value, or the heading of a group.
type row struct {
	action int // index in the plan, -1: none
	group  policy.Group
	value  int // place among the values, from 1; 0: none
}

// Pane is the list. Make it with [New].
type Pane struct {
	env     *ui.Env
	actions *ui.Actions
	dialect memstore.Dialect
	w, h    int
	plan    *policy.Plan // nil: none is made yet
	problem string       // why there is none
	rows    []row
	list    ui.List
	ticks   map[tick]bool
	folded  map[policy.Group]bool
	filter  filter
	order   order
	span    span
	longest int // cells of the longest path of the rows
	shown   shown
	told    bool                  // shown was told to the root
	settled bool                  // the cursor was put on the first action
	sums    map[policy.Group]*sum // counted when first drawn; nil: to be counted again
	// values are the sensitive ones that are listed, of allValues that there are.
	values    []Value
	allValues int
}

// shown is what the root was told of: an action, or a group.
type shown struct {
	tick
	key   string
	group policy.Group
}

// span is a range that is being chosen, from the row where it began to the cursor.
type span struct {
	on   bool
	from int
}

// New makes an empty list.
func New(env *ui.Env, d memstore.Dialect) *Pane {
	p := &Pane{env: env, dialect: d, ticks: map[tick]bool{}, folded: map[policy.Group]bool{policy.Expiring: true, sensitive: true}}
	p.actions = ui.NewActions(env, append(p.bindings(), p.tickBindings()...)...)
	return p
}

// SetDialect changes whose way of writing sizes is used.
func (p *Pane) SetDialect(d memstore.Dialect) { p.dialect = d }

// SetPlan takes a newer plan. The cursor stays on its action, or goes to the next one; ticks stay
// with what is proposed in the same way for the same bytes.
func (p *Pane) SetPlan(plan *policy.Plan) {
	before, had := p.Selected()
	p.plan, p.problem = plan, ""
	p.span.on = false
	still := map[tick]bool{}
	for i := range plan.Actions {
		if t := tickOf(&plan.Actions[i]); p.ticks[t] {
			still[t] = true
		}
	}
	p.ticks = still
	p.arrange()
	if had {
		p.find(before)
	} else if !p.settled {
		p.Next()
	}
	p.settled = p.settled || len(p.rows) > 0
	p.told = false // the same action may have another reason
	p.show()
}

// SetProblem explains why no plan can be made; the last one stays.
func (p *Pane) SetProblem(sentence string) { p.problem = sentence }

// Plan is the plan that is shown, nil before the first one.
func (p *Pane) Plan() *policy.Plan { return p.plan }

// find puts the cursor on the action of a file, or leaves it where it is.
func (p *Pane) find(a policy.Action) {
	for i, r := range p.rows {
		if r.action >= 0 && p.plan.Actions[r.action].Path == a.Path && p.plan.Actions[r.action].Key == a.Key {
			p.list.MoveTo(i)
			return
		}
	}
}

// Next goes to the next action below the cursor that changes a file, or to the first action.
func (p *Pane) Next() {
	at, _ := p.list.At()
	for i := at; i < len(p.rows); i++ {
		if p.rows[i].action >= 0 {
			p.list.MoveTo(i)
			return
		}
	}
}

// arrange works out the rows.
func (p *Pane) arrange() {
	p.sums = nil
	p.rows, p.longest = p.rows[:0], 0
	if p.plan == nil {
		return
	}
	var left []int
	for i := range p.plan.Actions {
		if p.filter.fits(&p.plan.Actions[i], p.ticks) {
			left = append(left, i)
		}
	}
	p.sort(left)
	group := policy.Group("")
	for _, i := range left {
		a := &p.plan.Actions[i]
		if p.order == byGroup && a.Group != group {
			group = a.Group
			p.rows = append(p.rows, row{action: -1, group: group})
		}
		if p.order != byGroup || !p.folded[a.Group] || p.filter.text != "" {
			p.rows = append(p.rows, row{action: i, group: a.Group})
			p.longest = max(p.longest, len(a.Path))
		}
	}
	p.arrangeValues()
	p.list.SetCount(len(p.rows))
}

// sort orders actions; those of one group come from the plan in a good order.
func (p *Pane) sort(left []int) {
	a := p.plan.Actions
	var less func(x, y *policy.Action) int
	switch p.order {
	case byPath:
		less = func(x, y *policy.Action) int { return strings.Compare(x.Path, y.Path) }
	case bySize:
		less = func(x, y *policy.Action) int { return int(min(max(y.Bytes-x.Bytes, -1), 1)) }
	case byDue:
		less = func(x, y *policy.Action) int {
			if x.Due.IsZero() != y.Due.IsZero() {
				return map[bool]int{true: 1, false: -1}[x.Due.IsZero()]
			}
			return x.Due.Compare(y.Due)
		}
	default:
		return
	}
	slices.SortStableFunc(left, func(x, y int) int { return less(&a[x], &a[y]) })
}

// Selected returns the action under the cursor; false: it is on a heading, or the list is empty.
func (p *Pane) Selected() (policy.Action, bool) {
	i, ok := p.list.At()
	if !ok || i >= len(p.rows) || p.rows[i].action < 0 {
		return policy.Action{}, false
	}
	return p.plan.Actions[p.rows[i].action], true
}

// show tells the root which action is under the cursor, once.
func (p *Pane) show() {
	a, ok := p.Selected()
	if i, any := p.list.At(); !ok && any && i < len(p.rows) {
		a.Group = p.rows[i].group
	}
	now := shown{tickOf(&a), a.Key, a.Group}
	if p.told && now == p.shown {
		return
	}
	p.shown, p.told = now, true
	p.env.Emit(ShowAction{a})
}

// SetFilter narrows the list to what the user typed.
func (p *Pane) SetFilter(line string) {
	before, had := p.Selected()
	p.filter = parseFilter(line)
	p.span.on = false
	p.arrange()
	p.list.MoveTo(0)
	if had {
		p.find(before)
	}
	if _, ok := p.Selected(); !ok {
		p.Next()
	}
	p.show()
}

// Filter returns what the user typed.
func (p *Pane) Filter() string { return p.filter.text }

// FilterProblem describes what of the filter means nothing; "": all of it is understood.
func (p *Pane) FilterProblem() string { return p.filter.problem }

// Matches counts the actions that the filter leaves and all of them.
func (p *Pane) Matches() (left, all int) {
	for _, r := range p.rows {
		if r.action >= 0 {
			left++
		}
	}
	if p.plan != nil {
		all = len(p.plan.Actions)
	}
	return left, all
}

// Peel takes the innermost layer off: the range, then the filter, then the ticks.
func (p *Pane) Peel() (tea.Cmd, bool) {
	switch {
	case p.span.on:
		p.span.on = false
	case p.filter.text != "":
		p.SetFilter("")
	case len(p.ticks) > 0:
		p.env.Emit(ui.Say{Text: "Cleared the selection of " + ui.Count(len(p.ticks), "proposal")})
		clear(p.ticks)
		p.sums = nil
	default:
		return nil, false
	}
	return nil, true
}

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	return append(p.list.Bindings(p.moved),
		ui.On(keymap.OpenChange, p.open),
		ui.On(keymap.Right, p.right),
		ui.On(keymap.HunkNext, func() { p.jump(1) }),
		ui.On(keymap.HunkPrev, func() { p.jump(-1) }),
		ui.On(keymap.Left, p.fold),
		ui.On(keymap.ExpandAll, func() {
			clear(p.folded)
			p.again()
		}),
		ui.On(keymap.CollapseAll, p.collapse),
		ui.On(keymap.Sort, func() {
			p.order = (p.order + 1) % orders
			p.again()
			p.env.Emit(ui.Say{Text: "sorted by " + p.order.String()})
		}),
	)
}

func (p *Pane) moved(keymap.ID) tea.Cmd {
	p.show()
	return nil
}

// again works out the rows once more; the cursor stays on its action.
func (p *Pane) again() {
	before, had := p.Selected()
	p.arrange()
	if had {
		p.find(before)
	}
	p.show()
}

// open opens the action under the cursor, or folds and unfolds its group.
func (p *Pane) open() {
	if a, ok := p.Selected(); ok {
		p.env.Emit(OpenAction{a})
		return
	}
	if id := p.value(); id != "" {
		p.env.Emit(OpenValue{id})
		return
	}
	if i, ok := p.list.At(); ok {
		g := p.rows[i].group
		p.folded[g] = !p.folded[g]
		p.arrange()
	}
}

// right unfolds the group under the cursor; elsewhere it opens what is there.
func (p *Pane) right() {
	i, ok := p.list.At()
	if _, action := p.Selected(); ok && !action && p.value() == "" && !p.folded[p.rows[i].group] {
		return
	}
	p.open()
}

// jump goes to the heading of the next group, or the previous one.
func (p *Pane) jump(by int) {
	at, _ := p.list.At()
	for i := at + by; i >= 0 && i < len(p.rows); i += by {
		if r := p.rows[i]; r.action < 0 && r.value == 0 {
			p.list.MoveTo(i)
			p.show()
			return
		}
	}
}

// fold folds the group of the cursor's row and goes to its heading.
func (p *Pane) fold() {
	i, ok := p.list.At()
	if !ok || p.order != byGroup {
		return
	}
	g := p.rows[i].group
	p.folded[g] = true
	p.arrange()
	p.toHeading(g)
}

func (p *Pane) toHeading(g policy.Group) {
	if i := slices.Index(p.rows, row{action: -1, group: g}); i >= 0 {
		p.list.MoveTo(i)
	}
	p.show()
}

func (p *Pane) collapse() {
	i, ok := p.list.At()
	if !ok || p.order != byGroup {
		return
	}
	g := p.rows[i].group
	for j := range p.plan.Actions {
		p.folded[p.plan.Actions[j].Group] = true
	}
	p.folded[sensitive] = true
	p.arrange()
	p.toHeading(g)
}

// Receive implements [ui.Pane]: the list starts no jobs.
func (p *Pane) Receive(ui.Done) tea.Cmd { return nil }

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	hit, again := p.list.Click(row)
	if hit {
		p.show()
	}
	return again
}
