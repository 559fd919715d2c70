package keymap_test

import (
	"slices"
	"testing"

	"memcurator/keymap"
)

// People call actions by other words, too, which the prompt takes.
func TestNamedKnowsOtherWords(t *testing.T) {
	m := keymap.Default()
	for word, want := range map[string]keymap.ID{
		"exit": keymap.Quit, "bin": keymap.ScreenTrash, "mask": keymap.ScreenFindings, "prune": keymap.ScreenCurate, "save": keymap.Edit,
		"history": keymap.ScreenChanges, "put-back": keymap.PutBack, "mark-read": keymap.MarkRead,
		"redact": keymap.FindingRedact, "redact-findings": keymap.FindingRedact, "purge": keymap.FindingPurge, "dismiss": keymap.FindingAllow,
	} {
		if a, ok := m.Named(word); !ok || a.ID != want {
			t.Errorf("%s is %q, want %q", word, a.ID, want)
		}
	}
	for word, want := range map[string][]string{
		"settings": {"curate", "dialect", "mouse", "theme"}, "secret": {"dismiss", "findings", "purge", "redact"}, "frobnicate": nil,
	} {
		if got := m.Called(word); !slices.Equal(got, want) {
			t.Errorf("%s may mean %q, want %q", word, got, want)
		}
	}
	if _, ok := m.Named("frobnicate"); ok {
		t.Error("a word that means nothing is an action")
	}
}
