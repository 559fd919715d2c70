package keymap_test

import (
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
)

// On the screens a key means one thing: it may be absent, but it is never another thing.
func TestAKeyHasOneVerb(t *testing.T) {
	verb := map[string]keymap.Row{}
	for _, r := range keymap.Default().Rows() {
		if slices.Contains([]string{"dialog", "menu", "input"}, r.Scope) {
			continue
		}
		if before, ok := verb[r.Key]; ok && before.Verb != r.Verb && !strings.HasPrefix(r.Key, ":") {
			t.Errorf("%s means %s in %s and %s in %s", r.Key, before.Verb, before.Scope, r.Verb, r.Scope)
		}
		verb[r.Key] = r
	}
}

// The keys that the design keeps free are the user's own.
func TestFreeKeysStayFree(t *testing.T) {
	for _, r := range keymap.Default().Rows() {
		if strings.Contains("B C E I O P Q U X Y Z", r.Key) && r.Scope != "dialog" && r.Scope != "menu" && r.Scope != "input" {
			t.Errorf("%s is %s in %s", r.Key, r.Action, r.Scope)
		}
	}
}
