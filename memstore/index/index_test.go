package index_test

import (
	"strings"
	"testing"

	"memcurator/memstore/index"
)

const at = "/memories/MEMORY.md"

const claude = `# Memory Index

## User
- [User role](user_role.md) — writes Go, prefers short answers

## Feedback
- [No mocks](feedback_no_mocks.md) — integration tests hit the database
- [Terse](feedback_terse.md) — no summaries at the end
  - since the long review of May

## Links
See [[deploy-checklist|the checklist]] and https://example.org/x.md.
<!-- - [Not yet](later.md) -->
` + "```\n- [Code](code.md)\n```\n"

func TestEntries(t *testing.T) {
	t.Parallel()
	x := index.Parse([]byte(claude))
	var got []string
	for _, e := range x.Entries {
		got = append(got, x.String(e.Text)+"|"+x.String(e.Target))
	}
	want := []string{
		"User role|user_role.md",
		"No mocks|feedback_no_mocks.md",
		"Terse|feedback_terse.md",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("entries:\n%s", strings.Join(got, "\n"))
	}
	if e := x.Entries[2]; x.String(e.Item) != "- [Terse](feedback_terse.md) — no summaries at the end\n  - since the long review of May\n" {
		t.Errorf("item %q", x.String(e.Item))
	}
	var links []string
	for _, l := range x.Links {
		links = append(links, x.String(l.Target))
	}
	if got := strings.Join(links, " "); got != "user_role.md feedback_no_mocks.md feedback_terse.md deploy-checklist" {
		t.Errorf("links %s", got)
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, form, text2, target string }{
		{"- [A](a.md)", "link", "A", "a.md"},
		{"* **[A](./a.md)**: what it is", "link", "A", "./a.md"},
		{"1. [A b](<a b.md>) - x", "link", "A b", "a b.md"},
		{"- [x] [A](a.md#top) – x", "link", "A", "a.md"},
		{"- [A (1)](a%20(1).md \"title\") x", "link", "A (1)", "a%20(1).md"},
		{"- [[a]] — x", "wiki", "a", "a"},
		{"- [[a#Part|Title]]", "wiki", "Title", "a"},
		{"- `debugging.md` — x", "path", "debugging.md", "debugging.md"},
		{"- /memories/notes/a.json - x", "path", "/memories/notes/a.json", "/memories/notes/a.json"},
		{"- 味噌: [仕込み](日本語/味噌の仕込み.md)", "link", "仕込み", "日本語/味噌の仕込み.md"},
		{"| n | t |\n|---|---|\n| [A](a.md) | x |", "link", "A", "a.md"},
		{"- see debugging.md for x", "", "", ""},
		{"- [A](https://example.org/a.md)", "", "", ""},
		{"- [A](<path>/a.md)", "", "", ""},
		{"- ![A](a.png)", "", "", ""},
		{"- `go test ./...` runs all", "", "", ""},
		{"- main.go: x", "", "", ""},
		{"- a [b] c (d.e)", "", "", ""},
		{"- [Decision]: use Postgres", "", "", ""},
		{"- [^1]: see below", "", "", ""},
		{"* * *", "", "", ""},
		{"| [A](a.md) | the head |\n|---|---|", "", "", ""},
	} {
		x := index.Parse([]byte(c.text))
		got := [3]string{}
		if len(x.Entries) > 0 {
			e := x.Entries[len(x.Entries)-1]
			form := map[index.Form]string{index.Markdown: "link", index.Wiki: "wiki", index.Path: "path"}[e.Form]
			got = [3]string{form, x.String(e.Text), x.String(e.Target)}
		}
		if got != [3]string{c.form, c.text2, c.target} {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", "- [b](notes/b.md)\n- [a \\[1\\]](a%20[1].md)\n"},
		{"# I\r\n\r\n- [A](a.md)", "# I\r\n\r\n- [A](a.md)\r\n- [b](notes/b.md)\r\n- [a \\[1\\]](a%20[1].md)\r\n"},
	} {
		got := index.Apply([]byte(c.text), []index.Edit{index.Parse([]byte(c.text)).Add(at, []string{"/memories/notes/b.md", "/memories/a [1].md"})})
		if string(got) != c.want {
			t.Errorf("to %q: %q", c.text, got)
		}
		x := index.Parse(got)
		names := index.NewNames([]string{"/memories/a [1].md"})
		last := x.Entries[len(x.Entries)-1]
		if to, is := names.Resolve(at, last.Form, x.String(last.Target)); !is {
			t.Errorf("it leads to %s", to)
		}
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"- [A](a.md)\n- [B](b.md)\n", "- [B](b.md)\n"},
		{"- [B](b.md)\r\n- [A](a.md)", "- [B](b.md)\r\n"},
		{"- [A](a.md)\n  more of it\n  - detail\n- [B](b.md)\n", "- [B](b.md)\n"},
		{"- [A](a.md)\n  - [B](b.md)\n", "  - [B](b.md)\n"},
		{"- [A](a.md), [B](b.md): both\n", "- A, [B](b.md): both\n"},
		{"- [B](b.md) and [A](a.md)\n", "- [B](b.md) and [A](a.md)\n"},
		// What isn't said of the note alone stays.
		{"- [C](c.md)\n- [A](a.md) x\n| name | file |\n|---|---|\n| B | [b](b.md) |\n", "- [C](c.md)\n| name | file |\n|---|---|\n| B | [b](b.md) |\n"},
		{"- [A](a.md) x\nImportant rule: never deploy on Friday.\n", "Important rule: never deploy on Friday.\n"},
		{"- Always read [A](a.md) before a deploy, never on Friday\n", "- Always read A before a deploy, never on Friday\n"},
		{"- Deploys: [A](a.md)\n- [B](b.md)\n", "- [B](b.md)\n"},
		{"  - [A](a.md)\n    more\n  lazy\n", "  lazy\n"},
		{"- [A](a.md)\n\n  second paragraph\n\nText\n", "\nText\n"},
		{"|x|\n|-|\n| [A](a.md) |\n| [B](b.md) |\n", "|x|\n|-|\n| [B](b.md) |\n"},
	} {
		x := index.Parse([]byte(c.text))
		got := c.text
		for i := range x.Entries {
			if x.String(x.Entries[i].Target) == "a.md" {
				got = string(index.Apply([]byte(c.text), []index.Edit{x.Remove(&x.Entries[i])}))
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestRetarget(t *testing.T) {
	t.Parallel()
	names := index.NewNames([]string{"/memories/a.md", "/memories/notes/b c.md", "/memories/MEMORY.md", "/memories/notes/x.md"})
	for _, c := range []struct{ from, text, was, to, want string }{
		{at, "- [A](a.md) — x, see `a.md`, /memories/a.md and [[a|A]]", "/memories/a.md", "/memories/z/n.md",
			"- [A](z/n.md) — x, see `z/n.md`, /memories/z/n.md and [[n|A]]"},
		{at, "See [B] there.\n\n[B]: notes/b%20c.md \"title\"\n[a]: <a.md>\n", "/memories/notes/b c.md", "/memories/notes/older name.md",
			"See [B] there.\n\n[B]: notes/older%20name.md \"title\"\n[a]: <a.md>\n"},
		{at, "[a](a.md#x) [a.md](./a.md) [other](b.md)", "/memories/a.md", "/memories/n.md", "[a](n.md#x) [a.md](./n.md) [other](b.md)"},
		{at, "[B](notes/b%20c.md) [B](<notes/b c.md>) [[b c]] [[notes/b c]]", "/memories/notes/b c.md", "/memories/d (1).md",
			"[B](d%20%281%29.md) [B](<d (1).md>) [[d (1)]] [[d (1)]]"},
		{"/memories/notes/x.md", "[A](../a.md) [B](b%20c.md)", "/memories/a.md", "/memories/notes/a.md", "[A](a.md) [B](b%20c.md)"},
		{"/memories/notes/x.md", "[A](../a.md)", "/memories/notes/b c.md", "/memories/y.md", "[A](../a.md)"},
	} {
		x := index.Parse([]byte(c.text))
		var edits []index.Edit
		for _, l := range x.Links {
			if to, is := names.Resolve(c.from, l.Form, x.String(l.Target)); is && to == c.was {
				edits = append(edits, x.Retarget(c.from, l, c.to))
			}
		}
		got := string(index.Apply([]byte(c.text), edits))
		if got != c.want {
			t.Errorf("%q:\n%q, want\n%q", c.text, got, c.want)
		}
	}
}

// Whatever the text: spans are within it and in order, and an entry can be removed.
func FuzzIndex(f *testing.F) {
	f.Add([]byte(claude))
	f.Add([]byte("- [A](a.md)\n  - [[b|c]]\n\n| x |\n|-|\n| `a.md` |\n"))
	f.Add([]byte("1) **[a.md](<a.md>):** x\r\n"))
	f.Add([]byte("---\nname: x\n---\n\xef\xbb\xbf- /memories/x"))
	f.Add([]byte("~"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		x := index.Parse(data)
		end := 0
		for _, l := range x.Links {
			if l.All.Start < end || l.Target.Start < l.All.Start || l.Target.End > l.All.End || l.Text.Start < l.All.Start ||
				l.Text.End > l.All.End || l.All.End > len(data) || l.Target.Start >= l.Target.End {
				t.Fatalf("link %+v after %d in %q", l, end, data)
			}
			end = l.All.End
		}
		last := 0
		for i := range x.Entries {
			e := &x.Entries[i]
			if e.Item.Start < last || e.Item.End > len(data) || e.All.Start < e.Item.Start || e.All.End > e.Item.End {
				t.Fatalf("entry %+v in %q", *e, data)
			}
			last = e.Item.Start
			gone := index.Apply(data, []index.Edit{x.Remove(e)})
			if len(gone) >= len(data) && e.More == 0 {
				t.Fatalf("nothing removed of %q", data)
			}
		}
	})
}

// What an agent writes must not make the program wait.
func TestDeepNestingIsNotParsed(t *testing.T) {
	t.Parallel()
	if x := index.Parse([]byte(strings.Repeat("+ ", 1<<16) + "[A](a.md)")); len(x.Links) > 0 {
		t.Errorf("%d links", len(x.Links))
	}
}
