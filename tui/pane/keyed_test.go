package pane_test

import (
	"os"
	"regexp"
	"testing"

	"memcurator/keymap"
	"memcurator/tui/pane"
)

func TestKeyedNamesTheKeysOfNow(t *testing.T) {
	m, problems := keymap.Default().Remap([]keymap.Binding{{Scope: "tree", Action: "show-hidden", Keys: []string{"f2"}}, {Action: "follow"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	env := &pane.Env{Keys: m}
	for text, want := range map[string]string{
		pane.HiddenText(false):     "hidden names are left out; f2 shows them again",
		pane.TextNotFollowing:      "no longer following; :follow follows again",
		"{input/accept} and {x":    "enter and ",
		"{input/complete}{none/x}": "tab",
	} {
		if got := env.Keyed(text); got != want {
			t.Errorf("Keyed(%q) = %q, want %q", text, got, want)
		}
	}
}

// Every action that the catalogue names exists.
func TestTheCatalogueNamesRealActions(t *testing.T) {
	data, err := os.ReadFile("catalogue.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\{([a-z]+)/([a-z-]+)\}`).FindAllStringSubmatch(string(data), -1)
	if len(named) == 0 {
		t.Fatal("the catalogue names no key")
	}
	for _, n := range named {
		if keymap.Default().KeyFor(keymap.Scope(n[1]), keymap.ID(n[2])) == "" {
			t.Errorf("there is no action %s in the scope %s", n[2], n[1])
		}
	}
}
