package ui_test

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

func TestActionsAnswerWithTheReason(t *testing.T) {
	env := &ui.Env{}
	ran, why := 0, ui.Say{}
	actions := ui.NewActions(env, ui.Action{ID: keymap.Undo, Run: ui.Do(func() { ran++ }), Why: func() ui.Say { return why }})
	for _, step := range []struct {
		id       keymap.ID
		why      ui.Say
		handled  bool
		ran, say int
	}{
		{keymap.Redo, ui.Say{}, false, 0, 0},
		{keymap.Undo, ui.Say{}, true, 1, 0},
		{keymap.Undo, ui.Say{Level: ui.Warn, Text: "there is no journal"}, true, 1, 1},
	} {
		why = step.why
		_, handled := actions.Perform(step.id)
		said := env.Drain()
		if handled != step.handled || ran != step.ran || len(said) != step.say {
			t.Errorf("%s with %+v: handled %v, ran %d times, said %v", step.id, step.why, handled, ran, said)
		}
		if len(said) == 1 && said[0] != any(step.why) {
			t.Errorf("%s says %v, want %v", step.id, said[0], step.why)
		}
		if actions.Has(step.id) != step.handled {
			t.Errorf("%s: known %v", step.id, !step.handled)
		}
	}
}

func TestActionsFallBackOnAnotherOwner(t *testing.T) {
	var ran []string
	run := func(by string) func(keymap.ID) tea.Cmd {
		return func(id keymap.ID) tea.Cmd {
			ran = append(ran, by+" "+string(id))
			return nil
		}
	}
	env := &ui.Env{}
	list := ui.NewActions(env, ui.BindMotions(run("list"))...)
	prepared := 0
	page := ui.NewActions(env, ui.Before(func(keymap.ID) { prepared++ }, ui.Bind(run("page"), keymap.Up, keymap.Left))...)
	both := page.Or(list)
	for _, id := range []keymap.ID{keymap.Up, keymap.Down, keymap.Left} {
		if _, ok := both.Perform(id); !ok {
			t.Errorf("%s is not bound", id)
		}
	}
	if want := []string{"page up", "list down", "page left"}; !slices.Equal(ran, want) || prepared != 2 {
		t.Errorf("ran %q after %d preparations, want %q after 2", ran, prepared, want)
	}
	if page.Has(keymap.Down) || list.Has(keymap.Left) {
		t.Error("the table of one owner holds an action of the other")
	}
}
