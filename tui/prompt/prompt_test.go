package prompt

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

func children(path string) []string {
	return map[string][]string{
		"/memories":          {"notes.md", "projects/", "prefs.md", "with space.md"},
		"/memories/projects": {"alpha.md"},
	}[path]
}

func TestCompletePath(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"open ", []string{"open /memories/"}},
		{"open /mem", []string{"open /memories/"}},
		{"open /memories/p", []string{"open /memories/projects/", "open /memories/prefs.md"}},
		{"open /memories/projects/", []string{"open /memories/projects/alpha.md"}},
		{"open /memories/w", nil},
		{"open /elsewhere/x", nil},
		{"open nothing", nil},
	} {
		if got := CompletePath(c.line, children); !slices.Equal(got, c.want) {
			t.Errorf("%q completes to %q, want %q", c.line, got, c.want)
		}
	}
}

func TestHistoryComesBackAndKeepsWhatWasTyped(t *testing.T) {
	var l Line
	spec := Spec{Lead: ":", Accept: func(string) (tea.Cmd, error) { return nil, nil }}
	for _, line := range []string{"one", "two", "one"} {
		l.Open(spec, line)
		l.Take(nil, keymap.Accept)
	}
	l.Open(spec, "typed")
	var seen []string
	for _, id := range []keymap.ID{keymap.HistoryOlder, keymap.HistoryOlder, keymap.HistoryOlder, keymap.HistoryNewer, keymap.HistoryNewer} {
		l.Take(nil, id)
		seen = append(seen, l.Value())
	}
	if want := []string{"one", "two", "two", "one", "typed"}; !slices.Equal(seen, want) {
		t.Errorf("history gave %q, want %q", seen, want)
	}
}
