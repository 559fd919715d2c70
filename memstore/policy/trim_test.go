package policy_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/policy"
	"memcurator/render/loadlimit"
)

// indexOf lists notes.
func indexOf(entries int) string {
	var b strings.Builder
	b.WriteString("# Index\n\n")
	for i := range entries {
		fmt.Fprintf(&b, "- [Note %d](n%d.md): what was learned\n", i, i)
	}
	return b.String()
}

// An index past its load limit is trimmed as one undoable group: its oldest entries go to a second index, which it lists.
func TestAnIndexIsTrimmedToItsLoadLimit(t *testing.T) {
	const claude = "preset = \"claude-code\"\n"
	for _, rules := range []string{claude, "", "[[rule]]\nmatch = \"MEMORY.md\"\nload_tokens = 1500\n"} {
		d := newDesk(t, func(d *desk) {
			d.write("MEMORY.md", indexOf(230))
			for i := range 230 {
				d.write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("Note %d.\n", i))
			}
		})
		before := d.tree(false)
		var trim []policy.Action
		for _, a := range d.suggested(rules).Actions {
			if a.Do == policy.Split {
				trim = append(trim, a)
			}
		}
		if len(trim) != 1 || trim[0].Path != "/memories/MEMORY.md" {
			t.Fatalf("%q: %+v", rules, trim)
		}
		out, err := d.apply().Run(context.Background(), trim)
		if err != nil || len(out.Done) != 1 || len(out.Skipped) > 0 {
			t.Fatalf("%v, %+v", err, out)
		}
		read := func(name string) string {
			data, _ := os.ReadFile(filepath.Join(d.dir, name))
			return string(data)
		}
		memory, more := read("MEMORY.md"), read("MEMORY-more.md")
		if e := loadlimit.Measure([]byte(memory)); e.Lines >= 160 || e.Tokens > 1500 && strings.Contains(rules, "tokens") {
			t.Errorf("%q: %+v after the trim", rules, e)
		}
		if n := strings.Count(memory, "](n") + strings.Count(more, "](n"); n != 230 || !strings.Contains(memory, "](MEMORY-more.md)") {
			t.Errorf("%q: %d entries after the trim", rules, n)
		}
		d.undo()
		if got := d.tree(false); got != before {
			t.Errorf("%q: undone:\n%s\nwant:\n%s", rules, got, before)
		}
	}
}

// A file that nears its load limit is named before a part of it is cut, and only among suggestions.
func TestAFileNearItsLoadLimitIsSuggested(t *testing.T) {
	for _, c := range []struct {
		entries     int
		rules, want string
	}{
		{150, "", ""},
		{160, "", "162 of 200 lines, 81% of what Claude Code loads at start"},
		{160, "preset = \"claude-code\"\n", "162 of 200 lines, 81% of what a session loads at start"},
		{15, "[[rule]]\nmatch = \"*.md\"\nload_lines = 20\n", "17 of 20 lines, 85% of what a session loads at start"},
		{160, "[[rule]]\nmatch = \"*.md\"\nsuggest = false\n", ""},
		{230, "preset = \"claude-code\"\n", ""},
	} {
		d := newDesk(t, func(d *desk) { d.write("MEMORY.md", indexOf(c.entries)) })
		got := ""
		for _, a := range d.suggested(c.rules).Actions {
			if a.Kind == policy.PastLoad && a.Do == policy.Review {
				got = a.Reason
				if a.Group != policy.Suggested {
					t.Errorf("%s: group %s", a.Reason, a.Group)
				}
			}
		}
		if got != c.want {
			t.Errorf("%d entries, %q: %q, want %q", c.entries, c.rules, got, c.want)
		}
	}
}
