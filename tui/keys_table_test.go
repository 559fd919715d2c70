package tui

import (
	"slices"
	"testing"

	"memcurator/keymap"
)

// On the screens a key means one thing: it may be absent, but it is never another thing.
func TestAKeyHasOneVerb(t *testing.T) {
	first := map[string]keymap.Action{}
	for _, a := range Keys().Actions() {
		if !a.Scope.OnScreen() || slices.Contains([]keymap.Scope{keymap.Copy, keymap.ActionMenu, keymap.Input}, a.Scope) {
			continue
		}
		for _, key := range a.Keys {
			if before, ok := first[key]; ok && before.Verb() != a.Verb() {
				t.Errorf("%s means %s in %s and %s in %s", key, before.Verb(), before.Scope, a.Verb(), a.Scope)
			}
			first[key] = a
		}
	}
}

// A hint begins with a key, and the user may have unbound it.
func TestHintsHaveAKey(t *testing.T) {
	m, problems := Keys().Remap([]keymap.Binding{{Scope: "tree", Action: "open"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, a := range m.Hints([]keymap.Scope{keymap.Tree}) {
		if len(a.Keys) == 0 {
			t.Errorf("%s is hinted at without a key", a.ID)
		}
	}
}
