// Package plan has the panes of the Curate screen: the list of what rules propose and of what is suggested, the secrets that were
// found, the list of the rules, and the reason and text of what is under the cursor. It is given plans by the screen, and keeps the
// selection by path and bytes, so that a newer plan never moves or loses what was chosen; it answers with intents.
package plan

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// ShowAction is the intent to show the action under the cursor. A zero Path says that it is on none; Heading is
// then the section that it is on.
type ShowAction struct {
	Action  policy.Action
	Heading string
	Secret  string // the row of a secret
}

// OpenAction is the intent of enter on an action.
type OpenAction struct{ Action policy.Action }

// Pane is the list of proposals: the cursor in an outline, and a selection. Make it with [New].
type Pane struct {
	env       *ui.Env
	actions   *ui.Actions
	dialect   memstore.Dialect
	w, h      int
	problem   string // why planning failed; empty if it did not
	looking   bool   // suggestions may follow: the notes have not been read yet
	list      ui.List
	search    *ui.RowSearch
	outline   outline
	selection *selection
	span      span
	shown     shown
	told      bool // the shell knows what is shown
	settled   bool // the cursor was put on the first action, or moved
}

// shown is what the shell was asked to show: an action, or a heading.
type shown struct {
	identity
	heading string
}

// New makes an empty list.
func New(env *ui.Env, d memstore.Dialect) *Pane {
	s := newSelection()
	p := &Pane{env: env, dialect: d, selection: s, outline: outline{selection: s, folded: [sections]bool{soon: true}}}
	p.search = ui.NewRowSearch(env, &p.list, p.rowText, func(row int) tea.Cmd {
		p.list.JumpTo(row)
		return p.moved("")
	})
	p.actions = ui.NewActions(env, append(p.search.Bindings(), p.bindings()...)...)
	return p
}

// SetDialect changes whose way of writing sizes is used.
func (p *Pane) SetDialect(d memstore.Dialect) { p.dialect = d }

// SetPlan takes a newer plan. The cursor stays on its action, or goes to the next one; the selection stays
// with what is proposed in the same way for the same bytes. looking: suggestions are still being worked out.
func (p *Pane) SetPlan(plan *policy.Plan, looking bool) {
	p.problem, p.looking, p.span = "", looking, span{}
	p.told = false // the same action may have another reason
	p.selection.keep(plan)
	p.rearrange(func() { p.outline.plan = plan })
	if !p.settled {
		p.settled = p.first()
	}
}

// SetValues lists secrets below what is proposed; all is how many there are, which may be more.
func (p *Pane) SetValues(list []Value, all int) {
	p.rearrange(func() { p.outline.secrets = secretList{list, all} })
}

// SetProblem explains why no plan can be made; the last one stays.
func (p *Pane) SetProblem(sentence string) { p.problem, p.looking = sentence, false }

// Plan is the plan that is shown, nil before the first one.
func (p *Pane) Plan() *policy.Plan { return p.outline.plan }

// Looking reports whether suggestions may follow.
func (p *Pane) Looking() bool { return p.looking }

// Lock keeps actions from being chosen while they are applied, and clears the selection of them.
func (p *Pane) Lock(actions []policy.Action) {
	p.selection.lock(actions)
	p.span = span{}
}

// Unlock ends what Lock began; applied actions leave the list immediately.
func (p *Pane) Unlock(done []policy.Action) {
	p.selection.unlock()
	gone := map[identity]bool{}
	for i := range done {
		gone[identityOf(&done[i])] = true
	}
	if p.Plan() == nil || len(gone) == 0 {
		return
	}
	left := *p.Plan()
	left.Actions = slices.DeleteFunc(slices.Clone(left.Actions), func(a policy.Action) bool { return gone[identityOf(&a)] })
	p.SetPlan(&left, p.looking)
}

// Locked reports whether actions are being applied.
func (p *Pane) Locked() bool { return len(p.selection.locked) > 0 }

// at is the row under the cursor, -1 in an empty list.
func (p *Pane) at() int {
	if i, ok := p.list.At(); ok {
		return i
	}
	return -1
}

// Current returns the action under the cursor; false: it is on a heading, or the list is empty.
func (p *Pane) Current() (policy.Action, bool) {
	if a := p.outline.action(p.at()); a != nil {
		return *a, true
	}
	return policy.Action{}, false
}

// Secret returns the id of the secret under the cursor; false: it is on something else.
func (p *Pane) Secret() (id string, ok bool) {
	if v := p.outline.secret(p.at()); v != nil {
		return v.ID, true
	}
	return "", false
}

// OnSecrets reports whether the cursor is on the heading of the secrets.
func (p *Pane) OnSecrets() bool {
	r, ok := p.outline.row(p.at())
	return ok && r.kind == headingRow && r.section == secrets
}

// rearrange changes what is listed and keeps the cursor on the action or secret that it is on; false: it is on none, or that is not
// listed any more.
func (p *Pane) rearrange(change func()) (kept bool) {
	before := p.outline.key(p.at())
	change()
	p.outline.arrange()
	p.list.SetCount(len(p.outline.rows))
	kept = p.moveTo(func(i int) bool { return p.outline.key(i) == before }) && before.name != ""
	p.show()
	return kept
}

// moveTo puts the cursor on the first row that fits; false: none does, and it stays.
func (p *Pane) moveTo(fits func(i int) bool) bool {
	i := p.outline.place(fits)
	if i >= 0 {
		p.list.MoveTo(i)
		p.show()
	}
	return i >= 0
}

// first puts the cursor on the first action; false: there is none.
func (p *Pane) first() bool { return p.moveTo(func(i int) bool { return p.outline.action(i) != nil }) }

// Reveal puts the cursor on the first action that a rule proposes, if any.
func (p *Pane) Reveal(r config.Rule) {
	set := r.Keys.Explain()
	p.moveTo(func(i int) bool {
		a := p.outline.action(i)
		return a != nil && slices.ContainsFunc(set, func(s config.Setting) bool { return s.Key == a.Key && s.From.Line == a.Rule.Line })
	})
}

// NextUndecided goes to the next proposal that is neither selected nor being applied, or with -1 to the previous one, around the ends
// of the list. false: all are decided.
func (p *Pane) NextUndecided(by int) bool {
	n := len(p.outline.rows)
	for step := 1; step <= n; step++ {
		i := ((p.at()+by*step)%n + n) % n
		r := p.outline.rows[i]
		undecided := r.kind == secretRow || r.kind == restRow
		if a := p.outline.action(i); a != nil && r.section != soon {
			undecided = !p.selection.has(a) && !p.selection.locks(a)
		}
		if !undecided {
			continue
		}
		p.list.MoveTo(i)
		if r.kind == restRow {
			p.rearrange(func() { p.outline.unfolded = true })
		}
		p.show()
		return true
	}
	return false
}

// show has the shell show what is under the cursor, once.
func (p *Pane) show() {
	v := ShowAction{}
	if a := p.outline.action(p.at()); a != nil {
		v.Action = *a
	} else if r, any := p.outline.row(p.at()); any {
		v.Heading = r.section.String()
	}
	if secret := p.outline.secret(p.at()); secret != nil {
		v.Secret = secret.Text
	}
	now := shown{identityOf(&v.Action), v.Heading + v.Secret}
	if p.told && now == p.shown {
		return
	}
	p.shown, p.told = now, true
	p.env.Emit(v)
}

// ShowAgain refreshes the preview of the row under the cursor.
func (p *Pane) ShowAgain() {
	p.told = false
	p.show()
}

// SetFilter implements [ui.Filtered].
func (p *Pane) SetFilter(line string) (cmd tea.Cmd, problem string) {
	p.span = span{}
	if !p.rearrange(func() { p.outline.filter = parseFilter(line) }) {
		p.list.MoveTo(0)
		p.first()
	}
	return nil, p.outline.filter.problem
}

// CompleteFilter implements [ui.Filtered].
func (p *Pane) CompleteFilter(line string) []string { return completeFilter(line) }

// Filter returns what the user typed.
func (p *Pane) Filter() string { return p.outline.filter.text }

// NoMatch reports whether the filter leaves no row.
func (p *Pane) NoMatch() bool { return p.Filter() != "" && len(p.outline.rows) == 0 }

// Matches implements [ui.FilterCounter].
func (p *Pane) Matches() string {
	left, all := p.undecided()
	return fmt.Sprintf("%d of %d  ", left, all)
}

// undecided counts what waits for a decision: what the filter leaves of it, and all.
func (p *Pane) undecided() (left, all int) {
	for _, r := range p.outline.rows {
		if r.kind == secretRow || r.kind == proposalRow && r.section != soon {
			left++
		}
	}
	rules, suggestions, values := p.Counts()
	return left, rules + suggestions + values
}

// Peel takes the innermost layer off: the range, then the filter, then the selection.
func (p *Pane) Peel() (tea.Cmd, bool) {
	switch {
	case p.span.on:
		p.span = span{}
	case p.Filter() != "":
		p.SetFilter("")
	case len(p.selection.on) > 0:
		p.env.Emit(ui.Say{Text: "Cleared the selection of " + ui.Count(len(p.selection.on), "proposal")})
		p.selection.clear()
	default:
		return nil, false
	}
	return nil, true
}

// Chosen lists the selected actions in the order of the plan, those that a filter or a fold hides too; without a selection the one
// under the cursor. What is being applied is never chosen.
func (p *Pane) Chosen() []policy.Action {
	if p.Plan() == nil {
		return nil
	}
	out := p.selection.of(p.Plan())
	if a, ok := p.Current(); ok && out == nil && !p.selection.locks(&a) {
		out = append(out, a)
	}
	return out
}

// Section lists the actions of the section whose heading is under the cursor, nil elsewhere.
func (p *Pane) Section() (out []policy.Action) {
	if r, ok := p.outline.row(p.at()); ok && r.kind == headingRow {
		for _, a := range p.outline.under(r) {
			out = append(out, *a)
		}
	}
	return out
}

// Shown lists the actions in sight: what the filter leaves and no fold hides.
func (p *Pane) Shown() (out []policy.Action) {
	for _, r := range p.outline.rows {
		if r.kind == proposalRow {
			for _, a := range p.outline.under(r) {
				out = append(out, *a)
			}
		}
	}
	return out
}

// Selection counts the selected actions and the bytes of their files.
func (p *Pane) Selection() (count int, bytes int64) {
	for _, s := range p.outline.totals() {
		count += s.selected
		bytes += s.selectedBytes
	}
	return count, bytes
}

// Counts are how many proposals of rules, suggestions and secrets there are, whatever the filter leaves.
func (p *Pane) Counts() (rules, suggestions, values int) { return p.outline.counts() }

// Ranging reports whether a range is being chosen.
func (p *Pane) Ranging() bool { return p.span.on }

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	all := func() []*policy.Action { return p.outline.between(0, len(p.outline.rows)) }
	return append(p.list.Bindings(p.moved),
		ui.On(keymap.Open, p.enter),
		ui.On(keymap.Right, p.right),
		ui.On(keymap.Left, p.left),
		ui.On(keymap.HunkNext, func() { p.jump(1) }),
		ui.On(keymap.HunkPrev, func() { p.jump(-1) }),
		ui.On(keymap.ExpandAll, func() { p.rearrange(p.outline.unfoldAll) }),
		ui.On(keymap.CollapseAll, func() { p.fold(p.outline.foldAll) }),
		ui.On(keymap.Sort, func() {
			p.rearrange(func() { p.outline.order = (p.outline.order + 1) % orders })
			p.env.Emit(ui.Say{Text: "Ordered by " + p.outline.order.String()})
		}),
		ui.On(keymap.Mark, p.selectRow),
		ui.On(keymap.MarkRange, p.rangeKey),
		ui.On(keymap.MarkAll, func() { p.selection.toggle(all()) }),
		ui.On(keymap.MarkInvert, func() { p.selection.invert(all()) }),
		ui.On(keymap.MarkNone, p.selection.clear),
	)
}

// Search implements [ui.searchable].
func (p *Pane) Search() ui.Searcher { return p.search }

// rowText is what a row is found by: the words of a proposal, or the text of a secret.
func (p *Pane) rowText(row int) string {
	switch a, v := p.outline.action(row), p.outline.secret(row); {
	case a != nil:
		return wordsOf(a)
	case v != nil:
		return v.Text
	}
	return ""
}

func (p *Pane) moved(keymap.ID) tea.Cmd {
	p.settled = true
	p.show()
	return nil
}

// enter goes one step in: to the reason and text of the action, to the secret, or into what is folded.
func (p *Pane) enter() {
	r, ok := p.outline.row(p.at())
	switch {
	case !ok:
	case p.outline.action(p.at()) != nil:
		p.env.Emit(OpenAction{*p.outline.action(p.at())})
	case r.kind == secretRow:
		p.env.Emit(OpenValue{ID: p.outline.secret(p.at()).ID})
	case r.kind == restRow:
		p.rearrange(func() { p.outline.unfolded = true })
	default:
		p.rearrange(func() { p.outline.folded[r.section] = !p.outline.folded[r.section] })
	}
}

// right unfolds the section under the cursor; elsewhere it opens what is there.
func (p *Pane) right() {
	if r, ok := p.outline.row(p.at()); ok && r.kind == headingRow && !p.outline.folded[r.section] {
		return
	}
	p.enter()
}

// left folds the section of the cursor's row and goes to its heading.
func (p *Pane) left() {
	if r, ok := p.outline.row(p.at()); ok {
		p.fold(func() { p.outline.fold(r.section) })
	}
}

// fold folds sections; the cursor goes to the heading of the one that it is in.
func (p *Pane) fold(fold func()) {
	r, ok := p.outline.row(p.at())
	if !ok || p.outline.order != byGroup {
		return
	}
	p.rearrange(fold)
	if i := p.outline.heading(r.section); i >= 0 {
		p.list.MoveTo(i)
	}
	p.show()
}

// jump goes to the heading of the next section, or the previous one.
func (p *Pane) jump(by int) {
	for i := p.at() + by; i >= 0 && i < len(p.outline.rows); i += by {
		if p.outline.rows[i].kind == headingRow {
			p.list.MoveTo(i)
			p.show()
			return
		}
	}
}

const (
	textNotDue  = "Not due yet. {curate/pin} pins the file"
	textSecrets = "{curate/open} opens the secret to redact or dismiss it"
	textLocked  = "Applying this now"
)

// selectRow selects or clears the row under the cursor and goes down, or ends a range. A heading counts as its whole section.
func (p *Pane) selectRow() {
	r, ok := p.outline.row(p.at())
	if !ok || p.span.on {
		p.endRange()
		return
	}
	why := ""
	switch a := p.outline.action(p.at()); {
	case r.section == soon:
		why = textNotDue
	case r.section == secrets:
		why = textSecrets
	case a != nil && p.selection.locks(a):
		why = textLocked
	default:
		p.selection.toggle(p.outline.under(r))
	}
	if why != "" {
		p.env.Emit(ui.Say{Text: p.env.Keyed(why)})
	}
	p.list.MoveTo(p.at() + 1)
	p.show()
}

// rangeKey begins a range at the cursor, or selects the one that was begun.
func (p *Pane) rangeKey() {
	if p.span.on {
		p.endRange()
		return
	}
	p.span = span{on: p.at() >= 0, from: p.at()}
}

// endRange selects what the range covers.
func (p *Pane) endRange() {
	if p.span.on {
		p.selection.set(p.outline.between(p.span.from, p.at()), true)
	}
	p.span = span{}
}

// Receive implements [ui.Pane]: the list starts no jobs.
func (p *Pane) Receive(ui.Done) tea.Cmd { return nil }

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	hit, again := p.list.Click(row)
	if hit {
		p.settled = true
		p.show()
	}
	return again
}

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "proposals" }

// Path is the agent path of the action under the cursor.
func (p *Pane) Path() string {
	if a := p.outline.action(p.at()); a != nil {
		return a.Path
	}
	return ""
}

// Place is what is selected, and how the list is ordered where that is not by group.
func (p *Pane) Place() string {
	if p.Plan() == nil {
		return ""
	}
	left, all := p.undecided()
	place := ui.Number(all)
	switch {
	case all == 0:
		place = ""
	case p.Filter() != "":
		place = ui.Number(left) + " of " + place
	}
	if n, bytes := p.Selection(); n > 0 {
		place = fmt.Sprintf("%s selected of %s, %s", ui.Number(n), place, memstore.FormatSize(p.dialect, bytes))
	} else if p.Filter() == "" && all > 0 {
		place += " to decide"
	}
	if p.outline.order != byGroup {
		place = strings.TrimSuffix("by "+p.outline.order.String()+", "+place, ", ")
	}
	return place
}

// LineReader implements [ui.Tab]: the row in words.
func (p *Pane) LineReader(limit int) func() (string, error) {
	if v := p.outline.secret(p.at()); v != nil {
		return ui.LineOf(v.Text, limit)
	}
	a := p.outline.action(p.at())
	if a == nil {
		return nil
	}
	return ui.LineOf(string(a.Do)+"  "+a.Path+"  "+a.Reason, limit)
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Curate} }

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) { return p.list.Point() }

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	d := &painter{env: p.env, dialect: p.dialect, outline: &p.outline, width: p.w, cursor: p.at(), span: p.span, looking: p.looking,
		focused: focused}
	return p.list.Draw(nil, p.w, p.h, func() []string { return ui.Notice(p.env, d.empty(p.problem), p.w) }, d.row)
}
