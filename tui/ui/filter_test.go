package ui_test

import (
	"slices"
	"testing"

	"memcurator/tui/ui"
)

func TestTheLastWordOfAFilterIsCompleted(t *testing.T) {
	terms := []string{"is:main", "is:write", "command:"}
	for line, want := range map[string][]string{
		"":           nil,
		"notes ":     nil,
		"notes\tis:": {"notes\tis:main", "notes\tis:write"},
		"is:w":       {"is:write"},
		"is:write":   nil,
		"x":          nil,
	} {
		if got := ui.CompleteWord(line, terms); !slices.Equal(got, want) {
			t.Errorf("%q is completed by %q, want %q", line, got, want)
		}
	}
}
