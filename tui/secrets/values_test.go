package secrets

import (
	"context"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// testValues is a list of values, without an engine.
func testValues(groups ...*findings.Group) *valueList {
	env := &ui.Env{Styles: theme.New(theme.Options{}), Keys: keymap.Default(), Jobs: ui.NewJobs(context.Background())}
	var v *valueList
	c := newChoices(env, &Options{}, func() *scrub.Engine { return nil }, func() { v.arrange() })
	v = newValues(env, c, notices{func() string { return "" }, func() string { return "" }}, func() {})
	for _, g := range groups {
		if g.Places == nil {
			g.Places = []findings.Place{{Path: "/memories/" + g.ID + ".md", Line: 1}}
		}
	}
	v.setSurvey(&findings.Survey{Groups: groups})
	return v
}
