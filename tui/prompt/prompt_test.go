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

func TestComplete(t *testing.T) {
	keys, err := keymap.New([]keymap.Action{{ID: keymap.Theme, Scope: keymap.Global}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		want []string
	}{
		{"vie", []string{"view "}},
		{"str", []string{"str_replace "}},
		{"view ", []string{"view /memories/"}},
		{"view /mem", []string{"view /memories/"}},
		{"view /memories/p", []string{"view /memories/projects/", "view /memories/prefs.md"}},
		{"view /memories/projects/", []string{"view /memories/projects/alpha.md"}},
		{"view /memories/w", nil},
		{"view /elsewhere/x", nil},
		{"view nothing", nil},
		{"the", []string{"theme "}},
	} {
		if got := Complete(c.line, keys, func(name string) bool { return name == "theme" }, children); !slices.Equal(got, c.want) {
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
