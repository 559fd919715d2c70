package kit_test

import (
	"testing"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

func TestActionsAnswerWithTheReason(t *testing.T) {
	env := &kit.Env{}
	ran, why := 0, kit.Say{}
	actions := kit.NewActions(env, keymap.Global, kit.Action{ID: keymap.Undo, Run: kit.Do(func() { ran++ }), Why: func() kit.Say { return why }})
	for _, step := range []struct {
		id       keymap.ID
		why      kit.Say
		handled  bool
		ran, say int
	}{
		{keymap.Redo, kit.Say{}, false, 0, 0},
		{keymap.Undo, kit.Say{}, true, 1, 0},
		{keymap.Undo, kit.Say{Level: kit.Warn, Text: "there is no journal"}, true, 1, 1},
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
