package chain

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Many chains read a file of settings once, until it changes. A link is read each time: what it leads to may change.
func TestSettingsAreReadOnce(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "settings.json"), filepath.Join(folder, "link.json")
	at := time.Now().Add(-time.Hour)
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	m := Machine{Settings: &Settings{}}
	for _, c := range []struct {
		text string
		at   time.Time
		want string
	}{{"one", at, "one"}, {"two", at, "one"}, {"two", at.Add(time.Second), "two"}, {"three", at.Add(time.Second), "three"}} {
		write(c.text, c.at)
		if got := string(m.settings(folder, "settings.json")); got != c.want {
			t.Errorf("%s: read %q, want %q", c.text, got, c.want)
		}
		if got := string(Machine{}.settings(folder, "settings.json")); got != c.text {
			t.Errorf("%s: without what was read before: %q", c.text, got)
		}
	}
	if err := os.Symlink("settings.json", link); err != nil {
		t.Skip("no links here: ", err)
	}
	for _, text := range []string{"four", "five"} {
		write(text, at)
		if got := string(m.settings(folder, "link.json")); got != text {
			t.Errorf("by the link: %q, want %q", got, text)
		}
	}
}
