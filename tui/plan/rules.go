package plan

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Rules is the list of what the configuration says for the store, a row for each key of a rule, with what it proposes now.
type Rules struct {
	env     *ui.Env
	actions *ui.Actions
	w, h    int
	rows    []RuleRow
	list    ui.List
	search  *ui.RowSearch
}

// RuleRow is a key of a rule.
type RuleRow struct {
	At    int // the rule, among those of the store
	Key   string
	Value string
	Match string
	Now   int // how many proposals it makes
	From  config.Origin
}

// EditRule is the intent of enter on a rule.
type EditRule struct{ Row RuleRow }

// ShowRule is the intent to explain the rule under the cursor.
type ShowRule struct{ Row RuleRow }

// ShowAgain refreshes the explanation of the rule under the cursor.
func (p *Rules) ShowAgain() {
	row, _ := p.Selected()
	p.env.Emit(ShowRule{row})
}

// NewRules makes an empty list.
func NewRules(env *ui.Env) *Rules {
	p := &Rules{env: env}
	p.search = ui.NewRowSearch(env, &p.list, func(i int) string {
		r := &p.rows[i]
		return r.Key + " " + r.Value + " " + r.Match
	}, func(i int) tea.Cmd {
		p.list.JumpTo(i)
		p.ShowAgain()
		return nil
	})
	p.actions = ui.NewActions(env, append(append(p.search.Bindings(), p.list.Bindings(func(keymap.ID) tea.Cmd {
		p.ShowAgain()
		return nil
	})...),
		ui.On(keymap.Open, func() {
			if row, ok := p.Selected(); ok {
				env.Emit(EditRule{row})
			}
		}),
		ui.Ignore(keymap.Left), ui.Ignore(keymap.Right), ui.Ignore(keymap.Mark))...)
	return p
}

// Search implements [ui.searchable].
func (p *Rules) Search() ui.Searcher { return p.search }

// SetRules lists rules, with what of the plan each of them proposes; plan may be nil.
func (p *Rules) SetRules(s config.Settings, plan *policy.Plan) {
	now := map[config.Origin]int{}
	if plan != nil {
		for i := range plan.Actions {
			if a := &plan.Actions[i]; a.Group != policy.Expiring {
				now[a.Rule]++
			}
		}
	}
	p.rows = p.rows[:0]
	for i, r := range s.Rules {
		for _, k := range r.Keys.Explain() {
			p.rows = append(p.rows, RuleRow{i, k.Key, k.Value, strings.Join(r.Match, ", "), now[k.From], k.From})
		}
	}
	p.list.SetCount(len(p.rows))
}

// Selected is the row under the cursor; false: there is none.
func (p *Rules) Selected() (RuleRow, bool) {
	i, ok := p.list.At()
	if !ok || i >= len(p.rows) {
		return RuleRow{}, false
	}
	return p.rows[i], true
}

// Place is how many rows there are.
func (p *Rules) Place() string { return ui.Count(len(p.rows), "setting") }

// Rows implements [ui.Pane].
func (p *Rules) Rows(focused bool) []string {
	st := p.env.Styles
	none := func() []string {
		return ui.Notice(p.env, p.env.Keyed("No rules yet. {curate/new-rule} makes one"), p.w)
	}
	return p.list.Draw(nil, p.w, p.h, none, func(i int) string {
		r := p.rows[i]
		now := ""
		if r.Now > 0 {
			now = ui.Number(r.Now) + " now"
		}
		from := fmt.Sprintf("%s:%d", filepath.Base(r.From.File), r.From.Line)
		if r.From.Preset != "" {
			from = "preset " + r.From.Preset
		}
		set := text.Pad(r.Key+" = "+r.Value, 28)
		match := max(10, min(40, p.w-28-10-24-4))
		line := " " + text.Clean(set) + text.Pad(text.Truncate(text.Clean(r.Match), match, st.Glyphs.Ellipsis), match) +
			text.PadLeft(now, 9) + "  " + text.Clean(from)
		paint, lead := st.Text, " "
		if at, _ := p.list.At(); at == i {
			paint, lead = st.SelectedBlur, st.Glyphs.Cursor
			if focused {
				paint = st.Selected
			}
		}
		return paint.Apply(text.Pad(lead+text.Truncate(line, max(0, p.w-1), st.Glyphs.Ellipsis), p.w))
	})
}

// Actions implements [ui.Pane].
func (p *Rules) Actions() *ui.Actions { return p.actions }

// Receive implements [ui.Pane]: the list starts no jobs.
func (p *Rules) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (p *Rules) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [ui.Pane].
func (p *Rules) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Curate} }

// Cursor implements [ui.Pane].
func (p *Rules) Cursor() (ui.Point, bool) { return p.list.Point() }

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Rules) Click(row int) (again bool) {
	_, again = p.list.Click(row)
	return again
}
