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
	keys := keymap.Default()
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
		{"dia", []string{"dialect "}},
		{"dialect ", []string{"dialect docs", "dialect typescript", "dialect python", "dialect vscode"}},
		{"dialect p", []string{"dialect python"}},
	} {
		if got := Complete(c.line, keys, children); !slices.Equal(got, c.want) {
			t.Errorf("%q completes to %q, want %q", c.line, got, c.want)
		}
	}
}

func TestTabExtendsAsFarAsAllAgree(t *testing.T) {
	var l Line
	l.Open(Command, "view /memories/p")
	l.Handle(keymap.Complete, func(s string) []string { return Complete(s, keymap.Default(), children) })
	if l.Value() != "view /memories/pr" || len(l.Choices()) != 2 {
		t.Errorf("value %q, choices %q", l.Value(), l.Choices())
	}
	l.Type(tea.KeyPressMsg{Code: 'e', Text: "e"})
	l.Handle(keymap.Complete, func(s string) []string { return Complete(s, keymap.Default(), children) })
	if l.Value() != "view /memories/prefs.md" || len(l.Choices()) != 0 {
		t.Errorf("value %q, choices %q", l.Value(), l.Choices())
	}
}

func TestHistoryComesBackAndKeepsWhatWasTyped(t *testing.T) {
	var l Line
	for _, line := range []string{"one", "two", "one"} {
		l.Open(Command, line)
		l.Close(true)
	}
	l.Open(Command, "typed")
	var seen []string
	for _, id := range []keymap.ID{keymap.HistoryOlder, keymap.HistoryOlder, keymap.HistoryOlder, keymap.HistoryNewer, keymap.HistoryNewer} {
		l.Handle(id, nil)
		seen = append(seen, l.Value())
	}
	if want := []string{"one", "two", "two", "one", "typed"}; !slices.Equal(seen, want) {
		t.Errorf("history gave %q, want %q", seen, want)
	}
}

func TestPasteIsOneLine(t *testing.T) {
	var l Line
	for _, c := range []struct {
		purpose            Purpose
		typed, paste, want string
	}{
		{Search, "", "first\nsecond\x1b[31m", "first second[31m"},
		{Command, "create /memories/a ", "\"one\r\ntwo\n\"\n", `create /memories/a "one\ntwo\n"`},
		{Command, "", "{\n\"command\": \"view\"\n}", `{ "command": "view" }`},
	} {
		l.Open(c.purpose, c.typed)
		l.Type(tea.PasteMsg{Content: c.paste})
		if got := l.Value(); got != c.want {
			t.Errorf("a paste became %q, want %q", got, c.want)
		}
	}
}

// TestCtrlUEmptiesTheLine as in a shell: what is before the cursor goes, and the history still has the lines of before.
func TestCtrlUEmptiesTheLine(t *testing.T) {
	var l Line
	l.Open(Command, "delete todo.md")
	l.Type(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	if !l.Active() || l.Value() != "" {
		t.Errorf("%v %q", l.Active(), l.Value())
	}
	l.Open(Command, "delete todo.md")
	for range len(" todo.md") {
		l.Type(tea.KeyPressMsg{Code: tea.KeyLeft})
	}
	l.Type(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	if l.Value() != " todo.md" {
		t.Errorf("%q", l.Value())
	}
}
