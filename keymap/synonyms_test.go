package keymap_test

import (
	"testing"

	"memcurator/keymap"
)

// People call actions by other words, too, which the prompt takes.
func TestNamedKnowsOtherWords(t *testing.T) {
	m := keymap.Default()
	for word, want := range map[string]keymap.ID{
		"exit": keymap.Quit, "bin": keymap.ScreenTrash, "mask": keymap.ScreenFindings, "prune": keymap.ScreenCurate, "save": keymap.Edit,
		"history": keymap.ScreenChanges, "put-back": keymap.PutBack, "mark-read": keymap.MarkRead,
	} {
		if a, ok := m.Named(word); !ok || a.ID != want {
			t.Errorf("%s is %q, want %q", word, a.ID, want)
		}
	}
	if _, ok := m.Named("frobnicate"); ok {
		t.Error("a word that means nothing is an action")
	}
}
