package tui

import (
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
)

// On the screens a key means one thing: it may be absent, but it is never another thing.
func TestAKeyHasOneVerb(t *testing.T) {
	verb := map[string]keymap.Row{}
	for _, r := range Keys().Rows() {
		if slices.Contains([]string{"dialog", "menu", "input"}, r.Scope) {
			continue
		}
		if before, ok := verb[r.Key]; ok && before.Verb != r.Verb && !strings.HasPrefix(r.Key, ":") {
			t.Errorf("%s means %s in %s and %s in %s", r.Key, before.Verb, before.Scope, r.Verb, r.Scope)
		}
		verb[r.Key] = r
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
