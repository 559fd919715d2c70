package keymap_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
)

// On the screens a key means one thing: it may be absent, but it is never another thing.
func TestAKeyHasOneVerb(t *testing.T) {
	known := map[string]bool{}
	for _, v := range keymap.Verbs {
		known[v.Verb] = false
	}
	verb := map[string]keymap.Row{}
	for _, r := range keymap.Default().Rows() {
		if first := strings.TrimRight(strings.Fields(r.Help)[0], ":,"); r.Verb != first {
			t.Errorf("%s %s: the help begins with %q, the verb is %q", r.Scope, r.Action, first, r.Verb)
		}
		_, listed := known[r.Verb]
		if listed {
			known[r.Verb] = true
		}
		if slices.Contains([]string{"dialog", "menu", "input"}, r.Scope) {
			continue
		}
		if !listed {
			t.Errorf("%s %s: %q is not in the list of verbs", r.Scope, r.Action, r.Verb)
		}
		if before, ok := verb[r.Key]; ok && before.Verb != r.Verb && !strings.HasPrefix(r.Key, ":") {
			t.Errorf("%s means %s in %s and %s in %s", r.Key, before.Verb, before.Scope, r.Verb, r.Scope)
		}
		verb[r.Key] = r
	}
	for v, used := range known {
		if !used {
			t.Errorf("no action has the verb %s", v)
		}
	}
	if !slices.IsSortedFunc(keymap.Verbs, func(a, b struct{ Verb, Does string }) int { return strings.Compare(a.Verb, b.Verb) }) {
		t.Error("the verbs are not sorted")
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

// TestWordsPageShowsTheVerbs fails when the verbs of docs/words.md are not those of the program.
func TestWordsPageShowsTheVerbs(t *testing.T) {
	generated(t, filepath.Join("..", "docs", "words.md"), "verbs", "\n"+keymap.Default().VerbsMarkdown()+"\n")
}
