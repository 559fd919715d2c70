package tui

import (
	"strings"
	"testing"

	"memcurator/keymap"
)

func TestRemapReplacesKeys(t *testing.T) {
	m, problems := Keys().Remap([]keymap.Binding{
		{Action: "quit", Keys: []string{"Q"}},
		{Action: "listing", Keys: []string{"f6"}},
		{Scope: "tree", Action: "filter", Keys: []string{"q", "ctrl+g"}},
		{Action: "follow"},
		{Scope: "input", Action: "cancel", Keys: []string{"esc"}},
		{Scope: "text", Action: "wrap", Keys: []string{"é", "alt+w", "shift+tab", "ctrl+\\"}},
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	inTree := []keymap.Scope{keymap.Tree, keymap.Motion, keymap.Global}
	for _, c := range []struct {
		scopes []keymap.Scope
		key    string
		want   keymap.ID
	}{
		{[]keymap.Scope{keymap.Global}, "Q", keymap.Quit}, {[]keymap.Scope{keymap.Global}, "q", ""},
		{[]keymap.Scope{keymap.Global}, "f6", "listing"},
		{[]keymap.Scope{keymap.Global}, "F", ""}, {inTree, "q", keymap.Filter}, {inTree, "a", keymap.MarkRead}, {inTree, "ctrl+c",
			keymap.ForceQuit},
		{[]keymap.Scope{keymap.Input}, "ctrl+c", keymap.Cancel}, {[]keymap.Scope{keymap.View, keymap.Text}, "é", keymap.Wrap},
		{[]keymap.Scope{keymap.Stores}, "S", keymap.Find},
	} {
		if a, _ := m.Lookup(c.scopes, c.key); a.ID != c.want {
			t.Errorf("%v %q = %q, want %q", c.scopes, c.key, a.ID, c.want)
		}
	}
	if a, _ := Keys().Lookup(inTree, "f"); a.ID != keymap.Filter {
		t.Error("the built-in map has changed")
	}
	if !strings.Contains(m.Markdown(), "| `Q` | quit memcurator |") || strings.Contains(Keys().Markdown(), "`Q`") {
		t.Error("the tables do not follow the map")
	}
}

func TestRemapReportsEveryProblem(t *testing.T) {
	for _, c := range []struct {
		bind keymap.Binding
		part keymap.Part
		key  int
		want string
	}{
		{keymap.Binding{Action: "quit", Keys: []string{"a"}}, keymap.KeyPart, 0,
			"quit can't have a, the key of mark-read. Free it in [keys]: mark-read = []"},
		{keymap.Binding{Action: "quitt", Keys: []string{"Q"}}, keymap.ActionPart, 0, `no action "quitt" in [keys]`},
		{keymap.Binding{Action: "wrap", Keys: []string{"W"}}, keymap.ActionPart, 0, `"wrap" is an action of [keys.text]`},
		{keymap.Binding{Scope: "tre", Action: "filter", Keys: []string{"W"}}, keymap.ScopePart, 0, `no place "tre" for keys`},
		{keymap.Binding{Action: "quit", Keys: []string{"Q", "Q"}}, keymap.KeyPart, 1, "Q is listed twice"},
		{keymap.Binding{Action: "quit", Keys: []string{"ctrl+c"}}, keymap.KeyPart, 0, "ctrl+c quits or cancels and can't be another key"},
		{keymap.Binding{Action: "force-quit"}, keymap.ActionPart, 0, "force-quit must keep ctrl+c"},
		{keymap.Binding{Scope: "input", Action: "accept", Keys: []string{"x"}}, keymap.KeyPart, 0,
			"x types itself into the line and can't be a key there"},
		{keymap.Binding{Action: "quit", Keys: []string{"F13"}}, keymap.KeyPart, 0, `no key "F13"`},
		{keymap.Binding{Action: "quit", Keys: []string{"shift+q"}}, keymap.KeyPart, 0, "shift and a character is one key; write Q"},
		{keymap.Binding{Action: "quit", Keys: []string{"ctrl+Q"}}, keymap.KeyPart, 0,
			`terminals report ctrl only with a lowercase letter: "ctrl+Q"`},
		{keymap.Binding{Action: "quit", Keys: []string{"ctrl+i"}}, keymap.KeyPart, 0, `most terminals report "ctrl+i" as tab; write tab`},
		{keymap.Binding{Action: "quit", Keys: []string{"Escape"}}, keymap.KeyPart, 0, `most terminals report "Escape" as esc; write esc`},
		{keymap.Binding{Action: "quit", Keys: []string{" "}}, keymap.KeyPart, 0, `most terminals report " " as space; write space`},
	} {
		m, problems := Keys().Remap([]keymap.Binding{c.bind})
		if m != nil || len(problems) != 1 {
			t.Errorf("%v: %v", c.bind, problems)
			continue
		}
		if p := problems[0]; p.Text != c.want || p.Part != c.part || p.Key != c.key {
			t.Errorf("%v:\n got %d %d %s\nwant %d %d %s", c.bind, p.Part, p.Key, p.Text, c.part, c.key, c.want)
		}
	}
}

// Every built-in key has a name that Remap takes, and giving every action its own keys changes nothing.
func TestRemapTakesTheBuiltInKeys(t *testing.T) {
	var all []keymap.Binding
	for _, a := range Keys().Actions() {
		all = append(all, keymap.Binding{Scope: string(a.Scope), Action: string(a.ID), Keys: a.Keys})
	}
	m, problems := Keys().Remap(all)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if m.Markdown() != Keys().Markdown() {
		t.Error("the keys have changed")
	}
}

func FuzzRemap(f *testing.F) {
	f.Add("tree", "filter", "ctrl+g")
	f.Add("", "quit", "\xff")
	f.Fuzz(func(t *testing.T, scope, action, key string) {
		m, problems := Keys().Remap([]keymap.Binding{{Scope: scope, Action: action, Keys: []string{key}}})
		if (m == nil) == (len(problems) == 0) {
			t.Fatalf("%v %v", m, problems)
		}
		if m != nil {
			if a, _ := m.Lookup([]keymap.Scope{keymap.Global}, "ctrl+c"); a.ID != keymap.ForceQuit {
				t.Fatal("ctrl+c no longer leaves")
			}
		}
	})
}
