package curate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// ShowAction is the intent to show the action under the cursor. A zero Path says that it is on none; Heading is
// then the section that it is on.
type ShowAction struct {
	Action  policy.Action
	Heading string
}

// Pane is the list of proposals, in sections. Make it with [newList].
type Pane struct {
	*kit.Table[row]
	env      *kit.Env
	shell    act.Shell
	dialect  memstore.Dialect
	problem  string       // why planning failed; empty if it did not
	looking  bool         // suggestions may follow: the notes have not been read yet
	plan     *policy.Plan // nil: none is made yet
	sections [sections][]row
	settled  bool  // the cursor was put on the first action
	told     shown // what the shell was asked to show last
}

// shown is what the shell was asked to show: an action, or a heading.
type shown struct {
	identity
	reason  string
	heading string
}

// identity names a proposal across plans: the file with these bytes, and what is done to it.
type identity struct {
	path string
	do   policy.Do
	key  string
	hash memstore.Digest
}

func identityOf(a *policy.Action) identity { return identity{a.Path, a.Do, a.Key, a.Hash} }

// newList makes an empty list.
func newList(env *kit.Env, shell act.Shell, d memstore.Dialect) *Pane {
	p := &Pane{env: env, shell: shell, dialect: d}
	both := func(compare func(a, b *policy.Action) int) func(a, b row) int {
		return func(a, b row) int {
			if a.action == nil || b.action == nil {
				return 0
			}
			return compare(a.action, b.action)
		}
	}
	p.Table = kit.NewTable(env, kit.Spec[row]{
		Title:      "proposals",
		Scope:      keymap.Curate,
		Key:        row.key,
		Words:      words,
		Below:      p.below,
		Folded:     func(r row) bool { return r.heading() && r.section == soon },
		Heading:    row.heading,
		Selectable: func(r row) bool { return !r.heading() && r.section != soon },
		Why:        func(row) string { return "Not due yet. {curate/pin} pins the file" },
		Todo:       func(r row) bool { return !r.heading() && r.section != soon && !p.Selected(r) },
		NoTodo:     "All selected. {curate/apply} applies",
		Terms: []kit.Term[row]{
			{Key: "do", Fits: func(r row, do string) bool { return r.action != nil && strings.HasPrefix(string(r.action.Do), do) }},
			{Key: "group", Fits: func(r row, group string) bool {
				return r.action != nil && strings.HasPrefix(strings.ReplaceAll(string(r.action.Group), " ", "-"), group)
			}},
			{Key: "is", Values: []string{"selected"}, Fits: func(r row, _ string) bool { return p.Selected(r) }},
		},
		Orders: []kit.Order[row]{
			{Name: "group"},
			{Name: "path", Compare: both(func(a, b *policy.Action) int { return strings.Compare(a.Path, b.Path) })},
			{Name: "size", Compare: both(func(a, b *policy.Action) int { return cmp.Compare(b.Bytes, a.Bytes) })},
		},
		Columns: p.columns(),
		Whole:   p.whole,
		Paint:   p.paint,
		Empty:   p.emptyText,
		Path:    row.path,
		Line:    row.line,
		Open:    p.open,
		Moved:   func() tea.Cmd { p.show(); return nil },
	})
	return p
}

// SetPlan takes a newer plan. The cursor stays on its action, or goes to the next one; the selection stays
// with what is proposed in the same way for the same bytes. looking: suggestions are still being worked out.
func (p *Pane) SetPlan(plan *policy.Plan, looking bool) {
	p.problem, p.looking, p.plan = "", looking, plan
	p.arrange()
	if !p.settled {
		p.settled = p.goTo(func(row) bool { return true })
	}
}

// SetProblem explains why no plan can be made; the last one stays.
func (p *Pane) SetProblem(sentence string) { p.problem, p.looking = sentence, false }

// Plan is the plan that is shown, nil before the first one.
func (p *Pane) Plan() *policy.Plan { return p.plan }

// Looking reports whether suggestions may follow.
func (p *Pane) Looking() bool { return p.looking }

// Action returns the action under the cursor; false: it is on a heading, or the list is empty.
func (p *Pane) Action() (policy.Action, bool) {
	if r, ok := p.Current(); ok && r.action != nil {
		return *r.action, true
	}
	return policy.Action{}, false
}

// goTo puts the cursor on the first row that fits; false: none does, and it stays.
func (p *Pane) goTo(fits func(row) bool) bool {
	for _, list := range p.sections {
		if i := slices.IndexFunc(list, fits); i >= 0 && p.GoTo(list[i].key()) {
			p.show()
			return true
		}
	}
	return false
}

// Reveal puts the cursor on the first action that a rule proposes, if any.
func (p *Pane) Reveal(r config.Rule) {
	set := r.Keys.Explain()
	p.goTo(func(r row) bool {
		return r.action != nil && slices.ContainsFunc(set, func(s config.Setting) bool {
			return s.Key == r.action.Key && s.From.Line == r.action.Rule.Line
		})
	})
}

// show has the shell show what is under the cursor, once.
func (p *Pane) show() {
	v := ShowAction{}
	switch r, ok := p.Current(); {
	case !ok:
	case r.action != nil:
		v.Action = *r.action
	default:
		v.Heading = r.section.String()
	}
	now := shown{identityOf(&v.Action), v.Action.Reason, v.Heading}
	if now != p.told {
		p.told = now
		p.env.Emit(v)
	}
}

// Chosen lists the selected actions, else the one under the cursor, or on a heading those of its section.
func (p *Pane) Chosen() []policy.Action {
	chosen := p.Selection()
	if r, ok := p.Current(); ok && len(chosen) == 0 {
		chosen = p.Under(r)
	}
	return actionsOf(chosen)
}

// Shown lists the actions that the filter leaves.
func (p *Pane) Shown() []policy.Action { return actionsOf(p.Listed()) }

func actionsOf(rows []row) (list []policy.Action) {
	for _, r := range rows {
		list = append(list, *r.action)
	}
	return list
}

// Counts are how many proposals of rules and suggestions there are, whatever the filter leaves.
func (p *Pane) Counts() (rules, suggestions int) {
	return len(p.sections[byRules]), len(p.sections[suggested])
}

// open goes one step in: to the reason and text of the action, or into what is folded.
func (p *Pane) open(r row) tea.Cmd {
	if r.action != nil {
		return p.shell.FocusDetail()
	}
	p.Fold(r, !p.IsFolded(r))
	p.show()
	return nil
}

// Place is what is selected.
func (p *Pane) Place() string {
	if p.plan == nil {
		return ""
	}
	rules, suggestions := p.Counts()
	all := rules + suggestions
	place := kit.Number(all)
	switch list := p.Selection(); {
	case len(list) > 0:
		_, bytes := sumOf(list)
		return fmt.Sprintf("%s selected of %s, %s", kit.Number(len(list)), place, memstore.FormatSize(p.dialect, bytes))
	case all == 0:
		return ""
	case p.Filter() != "":
		return strings.TrimSpace(p.Matches())
	}
	return place + " to decide"
}
