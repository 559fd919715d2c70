package keymap_test

import (
	"strings"
	"testing"

	"memcurator/keymap"
)

func TestTableLoadsAndIsComplete(t *testing.T) {
	m, err := keymap.New(keymap.Table())
	if err != nil {
		t.Fatal(err)
	}
	known := map[keymap.Scope]bool{}
	for _, s := range keymap.Scopes() {
		known[s] = true
		if s.Title() == "" {
			t.Errorf("scope %q has no title", s)
		}
	}
	for _, a := range m.Actions() {
		if a.Help == "" || !known[a.Scope] {
			t.Errorf("action %q: help %q, scope %q", a.ID, a.Help, a.Scope)
		}
		if len(a.Keys) == 0 && a.Name == "" {
			t.Errorf("action %q can be reached neither by key nor by name", a.ID)
		}
		for _, k := range a.Keys {
			// Plain tmux and many terminals cannot tell these from tab, enter and esc.
			if k == "ctrl+i" || k == "ctrl+m" || k == "shift+enter" || k == "ctrl+[" || k == " " {
				t.Errorf("action %q is bound to %q, which terminals do not report", a.ID, k)
			}
		}
	}
}

func TestNewRefusesDoubleBindings(t *testing.T) {
	_, err := keymap.New([]keymap.Action{
		{ID: "a", Scope: keymap.Tree, Keys: []string{"x"}, Help: "a"},
		{ID: "b", Scope: keymap.Tree, Keys: []string{"x"}, Help: "b"},
	})
	if err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("two actions on one key: error %v", err)
	}
	_, err = keymap.New([]keymap.Action{
		{ID: "a", Scope: keymap.Tree, Name: "go", Help: "a"},
		{ID: "b", Scope: keymap.View, Name: "go", Help: "b"},
	})
	if err == nil || !strings.Contains(err.Error(), `"go"`) {
		t.Errorf("two actions with one name: error %v", err)
	}
}

func TestLookupAsksTheInnerScopeFirst(t *testing.T) {
	m := keymap.Default()
	for _, c := range []struct {
		scopes []keymap.Scope
		key    string
		want   keymap.ID
	}{
		{[]keymap.Scope{keymap.Tree, keymap.Motion, keymap.Global}, "l", keymap.Right},
		{[]keymap.Scope{keymap.Tree, keymap.Motion, keymap.Global}, "f", keymap.Filter},
		{[]keymap.Scope{keymap.View, keymap.Motion, keymap.Global}, "l", keymap.Right},
		{[]keymap.Scope{keymap.View, keymap.Motion, keymap.Global}, "n", keymap.SearchNext},
		{[]keymap.Scope{keymap.Diff, keymap.Motion, keymap.Global}, "n", keymap.SearchNext},
		{[]keymap.Scope{keymap.Diff, keymap.Motion, keymap.Global}, "?", keymap.Help},
	} {
		got, ok := m.Lookup(c.scopes, c.key)
		if !ok || got.ID != c.want {
			t.Errorf("%v %q = %q, want %q", c.scopes, c.key, got.ID, c.want)
		}
	}
	if _, ok := m.Lookup([]keymap.Scope{keymap.Tree}, "ctrl+q"); ok {
		t.Error("an unbound key was found")
	}
}

// A hint begins with a key, and the user may have unbound it.
func TestHintsHaveAKey(t *testing.T) {
	m, problems := keymap.Default().Remap([]keymap.Binding{{Scope: "tree", Action: "open"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, a := range m.Hints([]keymap.Scope{keymap.Tree}) {
		if len(a.Keys) == 0 {
			t.Errorf("%s is hinted at without a key", a.ID)
		}
	}
}
