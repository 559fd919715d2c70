package plan

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/tui/kit"
)

// Rules is the list of what the configuration says for the store, a row for each key of a rule, with what it proposes now.
type Rules struct {
	*kit.Table[RuleRow]
	env *kit.Env
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

// NewRules makes an empty list.
func NewRules(env *kit.Env) *Rules {
	p := &Rules{env: env}
	p.Table = kit.NewTable(env, kit.Spec[RuleRow]{
		Title: "rules",
		Scope: keymap.Curate,
		Key:   func(r RuleRow) string { return fmt.Sprint(r.At, " ", r.Key) },
		Words: func(r RuleRow) string { return strings.ToLower(r.Key + " " + r.Value + " " + r.Match) },
		Columns: []kit.Column[RuleRow]{
			{Most: 40, Text: func(r RuleRow) string { return r.Key + " = " + r.Value }},
			{Text: func(r RuleRow) string { return r.Match }},
			{Most: 15, Right: true, Text: nowText},
			{Most: 30, From: 60, Text: placeText},
		},
		Empty: func() string { return env.Keyed("No rules yet. {curate/new-rule} makes one") },
		Line:  func(r RuleRow) string { return r.Key + " = " + r.Value },
		Open: func(r RuleRow) tea.Cmd {
			env.Emit(EditRule{r})
			return nil
		},
		Moved: func() tea.Cmd {
			p.ShowAgain()
			return nil
		},
	})
	return p
}

// nowText is how much a rule proposes now.
func nowText(r RuleRow) string {
	if r.Now == 0 {
		return ""
	}
	return kit.Number(r.Now) + " now"
}

// placeText is where a rule is written.
func placeText(r RuleRow) string {
	if r.From.Preset != "" {
		return "preset " + r.From.Preset
	}
	return fmt.Sprintf("%s:%d", filepath.Base(r.From.File), r.From.Line)
}

// ShowAgain refreshes the explanation of the rule under the cursor.
func (p *Rules) ShowAgain() {
	row, _ := p.Current()
	p.env.Emit(ShowRule{row})
}

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
	var rows []RuleRow
	for i, r := range s.Rules {
		for _, k := range r.Keys.Explain() {
			rows = append(rows, RuleRow{i, k.Key, k.Value, strings.Join(r.Match, ", "), now[k.From], k.From})
		}
	}
	p.Set(rows)
}

// Place is how many settings there are.
func (p *Rules) Place() string { return kit.Count(len(p.Items()), "setting") }
