package ui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

func TestRowsAreFound(t *testing.T) {
	rows := strings.Fields("notes/waitlist.md a.md notes/deploy.md log/waiting.md")
	env := &ui.Env{Keys: keymap.Default()}
	var list ui.List
	list.Resize(10)
	list.SetCount(len(rows))
	s := ui.NewRowSearch(env, &list, func(i int) string { return rows[i] }, func(i int) tea.Cmd {
		list.MoveTo(i)
		return nil
	})
	actions := ui.NewActions(env, s.Bindings()...)
	press := func(id keymap.ID) func() { return func() { actions.Perform(id) } }
	for i, step := range []struct {
		do    func()
		at    int
		state string
		said  string
	}{
		{do: press(keymap.SearchNext), said: "No search yet. / starts one"},
		{do: func() { list.MoveTo(1) }, at: 1},
		{do: func() { s.SetQuery("WAIT") }, at: 1, state: `"WAIT": 2 matches`},
		{do: func() { s.Jump() }, at: 3, state: `"WAIT": match 2 of 2`},
		{do: press(keymap.SearchNext), at: 0, state: `"WAIT": match 1 of 2`, said: "search went on from the start"},
		{do: func() { s.Jump() }, at: 0, state: `"WAIT": match 1 of 2`},
		{do: press(keymap.SearchPrev), at: 3, state: `"WAIT": match 2 of 2`, said: "search went on from the end"},
		{do: func() { s.SetQuery("md notes") }, at: 3, state: `"md notes": 2 matches`},
		{do: func() { s.SetQuery("waitlst") }, at: 3, state: `"waitlst": 0 matches`},
		{do: func() { s.Jump() }, at: 3, said: `No match for "waitlst". Closest: waitlist`},
		{do: func() { s.SetQuery("") }, at: 3},
	} {
		step.do()
		at, _ := list.At()
		said := ""
		for _, intent := range env.Drain() {
			said = intent.(ui.Say).Text
		}
		if at != step.at || s.SearchState() != step.state || said != step.said {
			t.Errorf("step %d: row %d, %q, said %q; want row %d, %q, %q", i, at, s.SearchState(), said, step.at, step.state, step.said)
		}
	}
}
