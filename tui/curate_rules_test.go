package tui

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestRulesAreWrittenFromTheirActions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key, rules, want, lacks string
		contents                      map[string]string
	}{
		{"never", "D", oldRules, "match = [\"old/a.md\"]\nttl = \"none\"\n", "old/a.md", threeOld()},
		{"never lint", "D", "# none\n", "match = [\"[[]x].md\"]\nsuggest = false\n", "[x].md", map[string]string{"[x].md": "a\u200bb\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := curated(t, c.contents, c.rules, setup{})
			d.press("g", "j", c.key)
			d.sees("config.toml, line")
			d.sees("u undoes.")
			file := d.m.options.Config.File
			before, _ := os.ReadFile(file)
			d.press("y")
			d.sees("at config.toml:")
			after, err := os.ReadFile(file)
			if err != nil || string(before) != c.rules || !strings.HasPrefix(string(after), c.rules) || !strings.HasSuffix(string(after), c.want) {
				t.Errorf("the file holds %q, %v", after, err)
			}
			d.press("g")
			d.until("it is no longer proposed", func() bool {
				for _, a := range d.proposals().Plan().Actions {
					if strings.Contains(a.Path+"  "+a.Reason, c.lacks) {
						return false
					}
				}
				return true
			})
		})
	}
}

// A rule is typed: a question says what it would do and which lines it adds, and one key undoes it. The editor opens on its line.
func TestARuleIsMadeOnTheScreen(t *testing.T) {
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "vi")
	d := curated(t, threeOld(), "# none\n", setup{})
	d.press("c")
	d.sees("files, limit, action")
	d.types("** unused 60d warn")
	d.press("enter")
	d.sees("nothing is due now")
	d.press("n", "c")
	d.types("old/* unchanged 2x warn")
	d.press("enter")
	d.sees(`"2x" is wrong: use a time, as 30m, 24h, 60d or 8w`)
	for typed, says := range map[string]string{
		"foo odler 2w warn": `"odler" is wrong: use unused, unchanged, older, larger or longer`,
		"foo older 2w move": `"move" is wrong: after older use delete, archive or warn`,
		"foo":               "Add a limit: unused, unchanged, older, larger or longer",
		"older 2w warn":     "Begin with the files",
		"foo older":         "older takes a limit",
		"foo older 2w":      "Add an action: delete, archive or warn",
		"old/* unused 60d warnold/* larger 1k warn": "One limit a rule",
	} {
		d.press("ctrl+u")
		d.types(typed)
		d.press("enter")
		d.sees(says)
	}
	d.press("ctrl+u")
	d.types("foo unchanged 2w warn")
	d.press("enter")
	d.sees("No file of 4 matches")
	d.press("n", "c")
	d.types("old/*")
	d.sees("Add a limit")
	d.types(" unchanged 2w warn")
	d.sees("3 of 4 files match, due now: 3 files")
	d.press("enter")
	d.sees("Make a rule for old/*?")
	d.sees("3 of 4 files match, due now: 3 files")
	d.press("y")
	d.sees("Made a rule for old/* at config.toml:3, 3 files due. u undoes")
	file := d.m.options.Config.File
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(string(data), "match = [\"old/*\"]\nttl = \"2w\"\nexpire = \"warn\"\n") {
		t.Errorf("the file holds %q, %v", data, err)
	}
	d.sees("unchanged for 30 days, limit 2w")
	var edited []string
	d.m.editor.Exec = func(c *exec.Cmd, then tea.ExecCallback) tea.Cmd {
		edited = c.Args
		return func() tea.Msg { return then(nil) }
	}
	d.press("e")
	if n := len(edited); n < 3 || edited[n-2] != "+8" || edited[n-1] != file {
		t.Errorf("the editor is started as %q", edited)
	}
	d.press("u")
	d.sees("Undone in config.toml: Made a rule for old/*")
	if data, err := os.ReadFile(file); err != nil || string(data) != "# none\n" {
		t.Errorf("undone, the file holds %q, %v", data, err)
	}
	d.press("ctrl+r")
	d.sees("Made a rule for old/* at config.toml:3")
	d.press("c")
	d.types("old/* unchanged 9w archive")
	d.sees("nothing is due now, no longer to warn: 3 files")
	d.press("esc")
	if again, err := os.ReadFile(file); err != nil || string(again) != string(data) {
		t.Errorf("redone, the file holds %q, %v", again, err)
	}
}

// Undo reaches a rule from every screen, in its order among the edits of notes.
func TestUndoFollowsTheOrderOfRulesAndEdits(t *testing.T) {
	t.Parallel()
	d := curated(t, threeOld(), oldRules, setup{})
	file := d.m.options.Config.File
	rules := func() string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	write := func() {
		t.Helper()
		d.press("3", "c")
		d.types("old/** unused 60d delete")
		d.press("enter")
		d.sees("Make a rule for old/**")
		d.press("y")
		d.sees("Made a rule for")
	}
	before := rules()
	write()
	d.press("1", "u")
	d.sees("Undone in config.toml")
	if rules() != before {
		t.Errorf("undone, the file holds %q", rules())
	}
	d.press("3", "a", "y")
	d.until("a note is deleted", func() bool { return d.gone("old/a.md") || d.gone("old/b.md") || d.gone("old/c.md") })
	d.sees("Deleted old/")
	write()
	d.press("1", "u")
	d.until("the rule is undone", func() bool { return rules() == before })
	if !d.gone("old/a.md") && !d.gone("old/b.md") && !d.gone("old/c.md") {
		t.Error("the deletion is undone with the rule")
	}
	d.press("u")
	back := func() bool { return !d.gone("old/a.md") && !d.gone("old/b.md") && !d.gone("old/c.md") }
	d.until("the note is back", back)
	d.press("ctrl+r")
	d.until("the note is deleted again", func() bool { return !back() })
	if rules() != before {
		t.Error("the rule is redone before the deletion")
	}
	d.press("ctrl+r")
	d.until("the rule is made again", func() bool { return rules() != before })
	d.press("u")
	d.until("the rule is undone again", func() bool { return rules() == before })
	d.press("u")
	d.until("the note is back again", back)
	write()
	d.press("j", "a", "y")
	d.sees("Deleted old/")
	d.press("1", "u")
	d.until("the later deletion is undone", func() bool { return !d.gone("old/a.md") && !d.gone("old/b.md") && !d.gone("old/c.md") })
	if rules() == before {
		t.Error("the rule is undone before the later deletion")
	}
	d.press("u")
	d.until("the rule is undone last", func() bool { return rules() == before })
}
