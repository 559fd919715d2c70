// Package plan has the panes of the Curate screen: the list of what rules propose and of what is suggested, the secrets that were
// found, the list of the rules, and the reason and text of what is under the cursor. It is given plans by the screen, and keeps the
// selection by path and bytes, so that a newer plan never moves or loses what was chosen; it answers with intents.
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

// ShowAction is the intent to show the action under the cursor. A zero Path says that it is on none; Heading is
// then the section that it is on.
type ShowAction struct {
	Action  policy.Action
	Heading string
}

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
	return [...]string{"group", "path", "size", "due date"}[o]
}

// tick names an action across plans: the file with these bytes, and what is done to it.
type tick struct {
	path string
	do   policy.Do
	key  string
	hash memstore.Digest
}

func tickOf(a *policy.Action) tick { return tick{a.Path, a.Do, a.Key, a.Hash} }

// row is a row of the list: an action, a secret, the heading of a section, or the suggestions that are folded.
type row struct {
	action  int // index in the plan, -1: none
	section section
	value   int // place among the values, from 1; 0: none
	rest    bool
}

func (r row) heading() bool { return r.action < 0 && r.value == 0 && !r.rest }

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
	busy    map[tick]bool // what is being applied
	folded  map[section]bool
	open    map[section]bool // all of its rows are listed
	rest    []int            // the suggestions that are not
	filter  filter
	order   order
	span    span
	longest int // cells of the longest path of the rows
	shown   shown
	told    bool           // shown was told to the root
	settled bool           // the cursor was put on the first action
	sums    *[sections]sum // counted when first drawn; nil: to be counted again
	values  []Value        // the secrets that are listed, of allValues that there are
	// Waiting for the first look at all notes, suggestions may follow.
	looking   bool
	allValues int
}

// shown is what the root was told of: an action, or a heading.
type shown struct {
	tick
	heading string
}

// span is a range that is being chosen, from the row where it began to the cursor.
type span struct {
	on   bool
	from int
}

// New makes an empty list.
func New(env *ui.Env, d memstore.Dialect) *Pane {
	p := &Pane{env: env, dialect: d, ticks: map[tick]bool{}, busy: map[tick]bool{}, folded: map[section]bool{soon: true},
		open: map[section]bool{}}
	p.actions = ui.NewActions(env, append(p.bindings(), p.tickBindings()...)...)
	return p
}

// SetDialect changes whose way of writing sizes is used.
func (p *Pane) SetDialect(d memstore.Dialect) { p.dialect = d }

// SetPlan takes a newer plan. The cursor stays on its action, or goes to the next one; the selection stays
// with what is proposed in the same way for the same bytes. looking: suggestions are still being worked out.
func (p *Pane) SetPlan(plan *policy.Plan, looking bool) {
	before, had := p.Selected()
	p.plan, p.problem, p.looking = plan, "", looking
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
		p.Next(0)
	}
	p.settled = p.settled || len(p.rows) > 0
	p.told = false // the same action may have another reason
	p.show()
}

// SetProblem explains why no plan can be made; the last one stays.
func (p *Pane) SetProblem(sentence string) { p.problem = sentence }

// Plan is the plan that is shown, nil before the first one.
func (p *Pane) Plan() *policy.Plan { return p.plan }

// Lock keeps actions from being chosen while they are applied, and clears the selection of them.
func (p *Pane) Lock(actions []policy.Action) {
	for i := range actions {
		t := tickOf(&actions[i])
		p.busy[t] = true
		delete(p.ticks, t)
	}
	p.span.on, p.sums = false, nil
}

// Unlock ends what Lock began; what was done leaves the list at once.
func (p *Pane) Unlock(done []policy.Action) {
	clear(p.busy)
	gone := map[tick]bool{}
	for i := range done {
		gone[tickOf(&done[i])] = true
	}
	if p.plan == nil || len(gone) == 0 {
		return
	}
	left := *p.plan
	left.Actions = slices.DeleteFunc(slices.Clone(left.Actions), func(a policy.Action) bool { return gone[tickOf(&a)] })
	p.SetPlan(&left, p.looking)
}

// Locked reports whether actions are being applied.
func (p *Pane) Locked() bool { return len(p.busy) > 0 }

// find puts the cursor on the action of a file, or leaves it where it is.
func (p *Pane) find(a policy.Action) {
	for i, r := range p.rows {
		if r.action >= 0 && p.plan.Actions[r.action].Path == a.Path && p.plan.Actions[r.action].Key == a.Key {
			p.list.MoveTo(i)
			return
		}
	}
}

// Next goes to the first action from a row on; false: there is none.
func (p *Pane) Next(from int) bool {
	for i := max(from, 0); i < len(p.rows); i++ {
		if p.rows[i].action >= 0 {
			p.list.MoveTo(i)
			return true
		}
	}
	return false
}

// NextUndecided goes to the next proposal that is neither selected nor being applied, or with -1 to the previous one, around the ends
// of the list. false: all are decided.
func (p *Pane) NextUndecided(by int) bool {
	at, _ := p.list.At()
	n := len(p.rows)
	for step := 1; step <= n; step++ {
		i := ((at+by*step)%n + n) % n
		r := p.rows[i]
		undecided := r.value > 0 || r.rest
		if r.action >= 0 && r.section != soon {
			t := tickOf(&p.plan.Actions[r.action])
			undecided = !p.ticks[t] && !p.busy[t]
		}
		if !undecided {
			continue
		}
		if r.rest {
			p.open[r.section] = true
			p.arrange()
		}
		p.list.MoveTo(i)
		p.show()
		return true
	}
	return false
}

// arrange works out the rows.
func (p *Pane) arrange() {
	p.sums, p.rest = nil, nil
	p.rows, p.longest = p.rows[:0], 0
	if p.plan == nil {
		p.list.SetCount(0)
		return
	}
	if p.order != byGroup {
		p.arrangeFlat()
	} else {
		var of [sections][]int
		for i := range p.plan.Actions {
			if a := &p.plan.Actions[i]; p.filter.fits(a, p.ticks) {
				of[sectionOf(a)] = append(of[sectionOf(a)], i)
			}
		}
		for s := range sections {
			p.arrangeSection(s, of[s])
		}
	}
	p.list.SetCount(len(p.rows))
}

func (p *Pane) arrangeSection(s section, all []int) {
	if s == secrets {
		p.arrangeValues()
		return
	}
	if len(all) == 0 {
		return
	}
	p.rows = append(p.rows, row{action: -1, section: s})
	if p.folded[s] && p.filter.text == "" {
		return
	}
	listed, rest := all, []int(nil)
	if s == suggested {
		listed, rest = p.folding(all)
	}
	for _, i := range listed {
		p.add(i, s)
	}
	if len(rest) > 0 {
		p.rest = rest
		p.rows = append(p.rows, row{action: -1, section: s, rest: true})
	}
}

func (p *Pane) add(i int, s section) {
	p.rows = append(p.rows, row{action: i, section: s})
	p.longest = max(p.longest, len(p.nameOf(&p.plan.Actions[i])))
}

// arrangeFlat lists actions in an order of their own, without sections.
func (p *Pane) arrangeFlat() {
	var left []int
	for i := range p.plan.Actions {
		if p.filter.fits(&p.plan.Actions[i], p.ticks) {
			left = append(left, i)
		}
	}
	a := p.plan.Actions
	less := func(x, y *policy.Action) int { return strings.Compare(x.Path, y.Path) }
	switch p.order {
	case bySize:
		less = func(x, y *policy.Action) int { return int(min(max(y.Bytes-x.Bytes, -1), 1)) }
	case byDue:
		less = func(x, y *policy.Action) int {
			if x.Due.IsZero() != y.Due.IsZero() {
				return map[bool]int{true: 1, false: -1}[x.Due.IsZero()]
			}
			return x.Due.Compare(y.Due)
		}
	}
	slices.SortStableFunc(left, func(x, y int) int { return less(&a[x], &a[y]) })
	for _, i := range left {
		p.add(i, sectionOf(&a[i]))
	}
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
	heading := ""
	if i, any := p.list.At(); !ok && any && i < len(p.rows) {
		heading = p.rows[i].section.String()
	}
	now := shown{tickOf(&a), heading}
	if p.told && now == p.shown {
		return
	}
	p.shown, p.told = now, true
	p.env.Emit(ShowAction{a, heading})
}

// ShowAgain has the row under the cursor shown anew.
func (p *Pane) ShowAgain() {
	p.told = false
	p.show()
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
		p.Next(0)
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

// Peel takes the innermost layer off: the range, then the filter, then the selection.
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
		ui.On(keymap.OpenChange, p.enter),
		ui.On(keymap.Right, p.right),
		ui.On(keymap.HunkNext, func() { p.jump(1) }),
		ui.On(keymap.HunkPrev, func() { p.jump(-1) }),
		ui.On(keymap.Left, p.fold),
		ui.On(keymap.ExpandAll, func() {
			clear(p.folded)
			p.open[suggested] = true
			p.again()
		}),
		ui.On(keymap.CollapseAll, p.collapse),
		ui.On(keymap.Sort, func() {
			p.order = (p.order + 1) % orders
			p.again()
			p.env.Emit(ui.Say{Text: "Ordered by " + p.order.String()})
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

// enter goes one step in: to the reason and text of the action, to the secret, or into what is folded.
func (p *Pane) enter() {
	if a, ok := p.Selected(); ok {
		p.env.Emit(OpenAction{a})
		return
	}
	if id := p.value(); id != "" {
		p.env.Emit(OpenValue{id})
		return
	}
	i, ok := p.list.At()
	switch {
	case !ok:
	case p.rows[i].rest:
		p.open[p.rows[i].section] = true
		p.arrange()
		p.show()
	default:
		s := p.rows[i].section
		p.folded[s] = !p.folded[s]
		p.arrange()
	}
}

// right unfolds the section under the cursor; elsewhere it opens what is there.
func (p *Pane) right() {
	if i, ok := p.list.At(); ok && p.rows[i].heading() && !p.folded[p.rows[i].section] {
		return
	}
	p.enter()
}

// jump goes to the heading of the next section, or the previous one.
func (p *Pane) jump(by int) {
	at, _ := p.list.At()
	for i := at + by; i >= 0 && i < len(p.rows); i += by {
		if p.rows[i].heading() {
			p.list.MoveTo(i)
			p.show()
			return
		}
	}
}

// fold folds the section of the cursor's row and goes to its heading.
func (p *Pane) fold() {
	i, ok := p.list.At()
	if !ok || p.order != byGroup {
		return
	}
	s := p.rows[i].section
	p.folded[s] = true
	p.open[s] = false
	p.arrange()
	p.toHeading(s)
}

func (p *Pane) toHeading(s section) {
	if i := slices.Index(p.rows, row{action: -1, section: s}); i >= 0 {
		p.list.MoveTo(i)
	}
	p.show()
}

func (p *Pane) collapse() {
	i, ok := p.list.At()
	if !ok || p.order != byGroup {
		return
	}
	s := p.rows[i].section
	for each := range sections {
		p.folded[each] = true
	}
	clear(p.open)
	p.arrange()
	p.toHeading(s)
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
