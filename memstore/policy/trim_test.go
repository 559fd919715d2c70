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

// An index with dead entries is mended before it is trimmed, by a limit of the user or the one of Claude Code: the trim is proposed again
// if it is still needed, and two mends of one file count as one.
func TestAnIndexIsMendedBeforeItIsTrimmed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules       string
		notes, dead int
		wait, then  string // the reasons of the trim before and after the mend
	}{
		{"preset = \"claude-code\"\n", 150, 58, "210 lines, only the first 200 load at start; apply the mend first", ""},
		{"preset = \"claude-code\"\n", 205, 58, "265 lines, only the first 200 load at start; apply the mend first",
			"208 lines, only the first 200 load at start"},
		{"", 150, 58, "210 lines; Claude Code loads the first 200; apply the mend first", ""},
		{"", 205, 58, "265 lines; Claude Code loads the first 200; apply the mend first", "208 lines; Claude Code loads the first 200"},
	} {
		d := newDesk(t, func(d *desk) {
			d.write("MEMORY.md", indexOf(c.notes+c.dead))
			for i := range c.notes {
				d.write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("Note %d.\n", i))
			}
			d.write("new.md", "Not listed.\n")
		})
		before := d.tree(false)
		trims := func() (mends []policy.Action, split, wait string) {
			for _, a := range d.suggested(c.rules).Actions {
				switch {
				case a.Do == policy.Mend:
					mends = append(mends, a)
				case a.Do == policy.Split:
					split = a.Reason
				case strings.Contains(a.Reason, "first 200") && a.Do != policy.Delete:
					wait = a.Reason
				}
			}
			return mends, split, wait
		}
		mends, split, wait := trims()
		if n, _ := policy.FilesOf(mends, policy.Mend); len(mends) != 2 || n != 1 || split != "" || wait != c.wait {
			t.Fatalf("%q: %d mends of %d files, split %q, waits %q", c.rules, len(mends), n, split, wait)
		}
		out, err := d.apply().Run(context.Background(), mends)
		if err != nil || len(out.Done) != 2 || out.Bytes != mends[0].Bytes {
			t.Fatalf("%v, %+v", err, out)
		}
		if mends, split, _ := trims(); len(mends) > 0 || split != c.then {
			t.Errorf("%q after the mend: %d mends, split %q, want %q", c.rules, len(mends), split, c.then)
		}
		d.undo()
		if got := d.tree(false); got != before {
			t.Errorf("undone:\n%s\nwant:\n%s", got, before)
		}
	}
}
