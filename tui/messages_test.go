package tui

import (
	"strings"
	"testing"

	"memcurator/tui/kit"
)

// What happens meanwhile does not take the place of an answer; it follows at the next key, the worst first, and the log has all.
func TestAnAnswerStaysUntilTheNextKey(t *testing.T) {
	var s messages
	bar := func() string { m, _ := s.current(); return m.text }
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { s.report(kit.Info, "found") }, "found"},
		{func() { s.report(kit.Info, "found more") }, "found more"},
		{func() { s.tell(kit.Info, "Purged 2 values") }, "Purged 2 values"},
		{func() { s.report(kit.Warn, "the agent wrote a key") }, "Purged 2 values"},
		{func() { s.report(kit.Info, "The folder is back") }, "Purged 2 values"},
		{func() { s.tell(kit.Info, "Deleted a.md") }, "Deleted a.md"},
		{s.hide, "the agent wrote a key"},
		{func() { s.report(kit.Info, "found") }, "found"},
		{s.hide, ""},
	} {
		step.do()
		if got := bar(); got != step.want {
			t.Fatalf("the bar has %q, want %q", got, step.want)
		}
	}
	if got := strings.Count(s.logText(), "\n"); got != 6 {
		t.Errorf("the log holds %q", s.logText())
	}
	s.tell(kit.Info, "a name")
	if s.forget(); bar() != "" || s.logText() != "No messages yet" { // after a purge
		t.Errorf("the log still holds %q", s.logText())
	}
}

// A click on a tab shows the screen.
func TestTabsAreClickable(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 100, h: 30, theme: dark, journal: t.TempDir()})
	at := func(row int, word string) int {
		line := strings.Split(d.screen(), "\n")[row]
		before, _, ok := strings.Cut(line, word)
		if !ok {
			t.Fatalf("row %d lacks %q: %q", row, word, line)
		}
		return len([]rune(before))
	}
	d.clicks(at(1, "Trash"), 1)
	d.sees("[5 Trash]")
	d.clicks(at(1, "Browse"), 1)
	d.sees("[1 Browse]")
}
