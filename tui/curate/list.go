package curate

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// section is a part of the list.
type section uint8

// The sections, in the order of the list.
const (
	byRules   section = iota // what rules propose
	suggested                // what no rule proposes
	sections
)

func (s section) String() string {
	return [...]string{"Your rules", "Suggestions"}[s]
}

// sectionOf is where an action is listed.
func sectionOf(a *policy.Action) section {
	if a.Group == policy.Suggested {
		return suggested
	}
	return byRules
}

// row is a row of the list.
type row struct {
	section section
	action  *policy.Action // nil: it is the heading of the section
}

func (r row) heading() bool { return r.action == nil }

func (r row) key() string {
	if r.action == nil {
		return r.section.String()
	}
	return identityOf(r.action)
}

// identityOf names a proposal across plans: the file with these bytes, and what is done to it.
func identityOf(a *policy.Action) string {
	return a.Path + "\n" + string(a.Do) + " " + a.Key + " " + string(a.Hash[:])
}

// words are what a row is found by.
func (r row) words() string {
	a := r.action
	if a == nil {
		return strings.ToLower(r.section.String())
	}
	all := []string{r.section.String(), string(a.Do), a.Path, nameOf(a), string(a.Group), a.To, a.Reason}
	if a.Found != nil {
		all = append(all, string(a.Found.Rule))
	}
	return strings.ToLower(strings.Join(all, "\n"))
}

// path is the agent path of the action of a row, "" for none.
func (r row) path() string {
	if r.action == nil {
		return ""
	}
	return r.action.Path
}

// Pane is the list of proposals, in sections. Make it with [newList].
type Pane struct {
	*kit.Table[row]
	screen   *Screen
	env      *kit.Env
	dialect  memstore.Dialect
	problem  string       // why planning failed; empty if it did not
	looking  bool         // suggestions may follow: the notes have not been read yet
	plan     *policy.Plan // nil: none is made yet
	sections [sections][]row
	sums     [sections]string // what each holds
	settled  bool             // the cursor was put on the first action
}

// newList makes an empty list.
func newList(s *Screen) *Pane {
	env, shell := s.env, s.shell
	p := &Pane{screen: s, env: env, dialect: s.edits.Handlers.Dialect()}
	p.Table = kit.NewTable(env, kit.Spec[row]{
		Title: "proposals", Scope: keymap.Curate,
		Key: row.key, Words: row.words, Path: row.path,
		Below: func(r row) []row {
			if r.action != nil {
				return nil
			}
			return p.sections[r.section]
		},
		Heading:    row.heading,
		Selectable: func(r row) bool { return !r.heading() && r.action.Do.Changes() },
		Why: func(r row) string {
			why := s.edits.WhyNoRemoval().Text
			switch {
			case why != "":
				return why
			case r.action.Compares():
				return textCompares
			}
			return informs(*r.action)
		},
		Todo:   func(r row) bool { return !r.heading() && !p.Selected(r) },
		NoTodo: "All selected. {curate/apply} applies",
		Terms: []kit.Term[row]{
			{Key: "do", Fits: func(r row, do string) bool { return r.action != nil && strings.HasPrefix(string(r.action.Do), do) }},
		},
		Columns: []kit.Column[row]{
			{Most: 20, Text: func(r row) string { return string(r.action.Do) },
				Paint: func(r row, st *theme.Styles) theme.Paint { return doPaint(st, r.action.Do) }},
			{Most: 50, Text: func(r row) string { return nameOf(r.action) }, Fit: func(r row, cells int) string {
				return text.FitPath(nameOf(r.action), cells, env.Styles.Glyphs.Ellipsis)
			}},
			{Most: 20, Right: true, Text: func(r row) string {
				if r.action.Bytes == 0 && r.action.Do != policy.Delete {
					return ""
				}
				return memstore.FormatSize(p.dialect, r.action.Bytes)
			}},
			{From: 60, Text: reason, Paint: func(_ row, st *theme.Styles) theme.Paint { return st.Dim }},
		},
		Whole: p.headingText,
		Paint: func(r row, st *theme.Styles) theme.Paint {
			if r.heading() {
				return st.Heading
			}
			return st.Text
		},
		Empty: p.emptyText,
		Open: func(r row) tea.Cmd {
			if r.action != nil {
				return shell.FocusDetail()
			}
			p.Fold(r, !p.IsFolded(r))
			return nil
		},
		Moved: p.show,
	})
	return p
}

// SetPlan takes a newer plan. The cursor stays on its action, or goes to the next one; the selection stays
// with what is proposed in the same way for the same bytes. looking: suggestions are still being worked out.
func (p *Pane) SetPlan(plan *policy.Plan, looking bool) {
	p.problem, p.looking, p.plan = "", looking, plan
	p.sections = [sections][]row{}
	for i := range plan.Actions {
		s := sectionOf(&plan.Actions[i])
		p.sections[s] = append(p.sections[s], row{s, &plan.Actions[i]})
	}
	var headings []row
	for s, list := range p.sections {
		if len(list) > 0 {
			headings = append(headings, row{section: section(s)})
			p.sums[s] = kit.CountGrouped(len(list), "proposal") + ", " + p.size(actionsOf(list))
		}
	}
	p.Set(headings)
	if !p.settled && len(headings) > 0 {
		p.settled = p.GoTo(p.sections[headings[0].section][0].key())
	}
}

// showRule puts the cursor on the first action of the rules from a line of the configuration on.
func (p *Pane) showRule(line int) {
	due := p.sections[byRules]
	if i := slices.IndexFunc(due, func(r row) bool { return r.action.Rule.Line >= line }); i >= 0 {
		p.Reveal(due[i].key())
	}
}

// SetProblem explains why no plan can be made; the last one stays.
func (p *Pane) SetProblem(sentence string) { p.problem, p.looking = sentence, false }

// Plan is the plan that is shown, nil before the first one.
func (p *Pane) Plan() *policy.Plan { return p.plan }

// Action returns the action under the cursor; false: it is on a heading, or the list is empty.
func (p *Pane) Action() (policy.Action, bool) {
	if r, ok := p.Current(); ok && r.action != nil {
		return *r.action, true
	}
	return policy.Action{}, false
}

// show has the screen show what is under the cursor.
func (p *Pane) show() tea.Cmd {
	if r, ok := p.Current(); ok && r.heading() {
		return p.screen.showSection(r)
	}
	a, _ := p.Action()
	return p.screen.showAction(a)
}

// Chosen lists the selected actions, else the one under the cursor, or on a heading those of its section.
func (p *Pane) Chosen() []policy.Action {
	chosen := p.Selection()
	switch r, ok := p.Current(); {
	case !ok || len(chosen) > 0:
	case !r.heading(): // also what only informs
		chosen = []row{r}
	default:
		chosen = p.Under(r)
	}
	return actionsOf(chosen)
}

func actionsOf(rows []row) (list []policy.Action) {
	for _, r := range rows {
		list = append(list, *r.action)
	}
	return list
}

// Waiting is how many proposals and suggestions there are, whatever the filter leaves.
func (p *Pane) Waiting() int { return len(p.sections[byRules]) + len(p.sections[suggested]) }

// Place is what is selected.
func (p *Pane) Place() string {
	all := kit.Number(p.Waiting())
	switch list := p.Selection(); {
	case len(list) > 0:
		return fmt.Sprintf("%s selected of %s, %s", kit.Number(len(list)), all, p.size(actionsOf(list)))
	case p.Waiting() == 0:
		return ""
	case p.Filter() != "":
		return p.Matches()
	}
	return all + " to decide"
}

// size is that of the files of actions, each counted once.
func (p *Pane) size(actions []policy.Action) string {
	bytes, counted := int64(0), map[string]bool{memstore.Root: true} // it holds the others
	for _, a := range actions {
		if !counted[a.Path] {
			bytes, counted[a.Path] = bytes+a.Bytes, true
		}
	}
	return memstore.FormatSize(p.dialect, bytes)
}

// reason is why something is proposed: without the clock and the new place, which the preview names.
func reason(r row) string {
	why, _, _ := strings.Cut(r.action.Reason, " (by ")
	return why
}

// headingText is a heading with what its section holds.
func (p *Pane) headingText(r row) string {
	if r.action != nil {
		return ""
	}
	out := r.section.String() + "  " + p.sums[r.section]
	if r.section == suggested && p.plan.Unchecked != "" {
		out += "  " + p.plan.Unchecked
	}
	return out
}

// emptyText explains why the list is empty.
func (p *Pane) emptyText() string {
	switch {
	case p.problem != "":
		return p.problem
	case p.plan == nil, p.looking:
		return "Looking for proposals..."
	}
	none := "Nothing to decide"
	if p.screen.edits.WhyNoWrite().Text == "" {
		none += p.env.Keyed(". {curate/new-rule} creates a rule")
	}
	if p.plan.Unchecked != "" {
		none += ". " + text.Clean(p.plan.Unchecked)
	}
	return none
}

// nameOf is the path of an action relative to the store, with the line that it is about.
func nameOf(a *policy.Action) string {
	name := inStore(a.Path)
	switch {
	case a.Found != nil && a.Found.Line > 0:
		return fmt.Sprintf("%s:%d", name, a.Found.Line)
	}
	return name
}

// doPaint is the paint of what is done: it only repeats what the word says.
func doPaint(st *theme.Styles, do policy.Do) theme.Paint {
	switch {
	case do == policy.Delete:
		return st.Removed
	case do.Changes():
		return st.Accent
	}
	return st.Dim
}
