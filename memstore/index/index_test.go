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
		got = append(got, x.String(e.Text)+"|"+x.String(e.Target)+"|"+x.String(e.Hook))
	}
	want := []string{
		"User role|user_role.md|writes Go, prefers short answers",
		"No mocks|feedback_no_mocks.md|integration tests hit the database",
		"Terse|feedback_terse.md|no summaries at the end",
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
	for _, c := range []struct{ text, form, text2, target, hook string }{
		{"- [A](a.md)", "link", "A", "a.md", ""},
		{"* **[A](./a.md)**: what it is", "link", "A", "./a.md", "what it is"},
		{"1. [A b](<a b.md>) - x", "link", "A b", "a b.md", "x"},
		{"- [x] [A](a.md#top) – x", "link", "A", "a.md", "x"},
		{"- [A (1)](a%20(1).md \"title\") x", "link", "A (1)", "a%20(1).md", "x"},
		{"- [[a]] — x", "wiki", "a", "a", "x"},
		{"- [[notes/a|Title]]: x", "wiki", "Title", "notes/a", "x"},
		{"- [[a#Part|Title]]", "wiki", "Title", "a", ""},
		{"- `debugging.md` — x", "path", "debugging.md", "debugging.md", "x"},
		{"- **debugging.md**: x", "path", "debugging.md", "debugging.md", "x"},
		{"- /memories/notes/a.json - x", "path", "/memories/notes/a.json", "/memories/notes/a.json", "x"},
		{"- See [A](a.md) for x", "link", "A", "a.md", ""},
		{"- 味噌: [仕込み](日本語/味噌の仕込み.md)", "link", "仕込み", "日本語/味噌の仕込み.md", ""},
		{"| n | t |\n|---|---|\n| [A](a.md) | x |", "link", "A", "a.md", ""},
		{"- see debugging.md for x", "", "", "", ""},
		{"- [A](https://example.org/a.md)", "", "", "", ""},
		{"- [A](#part)", "", "", "", ""},
		{"- [A](<path>/a.md)", "", "", "", ""},
		{"- ![A](a.png)", "", "", "", ""},
		{"- `go test ./...` runs all", "", "", "", ""},
		{"- main.go: x", "", "", "", ""},
		{"- a [b] c (d.e)", "", "", "", ""},
		{"* * *", "", "", "", ""},
		{"| [A](a.md) | the head |\n|---|---|", "", "", "", ""},
	} {
		x := index.Parse([]byte(c.text))
		got := [4]string{}
		if len(x.Entries) > 0 {
			e := x.Entries[len(x.Entries)-1]
			form := map[index.Form]string{index.Markdown: "link", index.Wiki: "wiki", index.Path: "path"}[e.Form]
			got = [4]string{form, x.String(e.Text), x.String(e.Target), x.String(e.Hook)}
		}
		if got != [4]string{c.form, c.text2, c.target, c.hook} {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	note := index.Note{Path: "/memories/feedback_naming.md", Title: "Naming", Hook: "files are nouns", Type: "feedback"}
	const added = "[Naming](feedback_naming.md) — files are nouns"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "+- " + added + "\n"},
		{"prose", "# Memory\n\nNothing yet.\n", "# Memory\n\nNothing yet.\n+\n+- " + added + "\n"},
		{"heading of its type", claude, strings.Replace(claude, "of May\n", "of May\n+- "+added+"\n", 1)},
		{"bullet", "* [A](./a.md): x\n", "* [A](./a.md): x\n+* [Naming](feedback_naming.md): files are nouns\n"},
		{"wiki", "- [[a]] — x\n", "- [[a]] — x\n+- [[feedback_naming]] — files are nouns\n"},
		{"no end of line", "- [A](a.md) — x", "- [A](a.md) — x+\n+- " + added},
		{"windows", "\xef\xbb\xbf# I\r\n\r\n- [A](a.md) — x\r\n\r\nEnd\r\n",
			"\xef\xbb\xbf# I\r\n\r\n- [A](a.md) — x\r\n+- " + added + "\r\n\r\nEnd\r\n"},
		{"blank lines", "- [A](a.md) — x\n\n- [B](b.md) — x\n\nEnd\n", "- [A](a.md) — x\n\n- [B](b.md) — x\n+- " + added + "\n\nEnd\n"},
		{"table", "| f | w |\n|---|---|\n| [A](a.md) | x |\n", "| f | w |\n|---|---|\n| [A](a.md) | x |\n+\n+- " + added + "\n"},
		{"nested", "- Feedback\n  - [A](a.md) — x\n- Other\n", "- Feedback\n  - [A](a.md) — x\n+  - " + added + "\n- Other\n"},
		{"below the last", "- [A](a.md) — x\n  - more\n  - [B](b.md), [C](c.md)\n", "- [A](a.md) — x\n  - more\n  - [B](b.md), [C](c.md)\n+- " + added + "\n"},
	} {
		x := index.Parse([]byte(c.text))
		edits := x.Add(at, note)
		got := string(index.Apply([]byte(c.text), edits))
		want := strings.ReplaceAll(c.want, "+", "")
		if got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, want)
			continue
		}
		// What was added can be removed again, to the byte.
		y := index.Parse([]byte(got))
		for i := range y.Entries {
			if strings.Contains(y.String(y.Entries[i].Target), "feedback_naming") {
				if back := string(index.Apply([]byte(got), y.Remove(&y.Entries[i]))); back != c.text && c.name != "prose" && c.name != "table" && c.name != "blank lines" {
					t.Errorf("%s: removed again:\n%q\nwas:\n%q", c.name, back, c.text)
				}
			}
		}
	}
}

func TestAddOnlyOneLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very long words ", 40)
	for _, c := range []struct{ note index.Note }{
		{index.Note{Path: "/memories/a b(1).md", Title: "x]\n- [y](z.md)", Hook: "a\r\nb <!-- c\x1b[31m"}},
		{index.Note{Path: "/memories/a.md", Title: long, Hook: long}},
		{index.Note{Path: "/memories/ñ.md"}},
	} {
		for _, text := range []string{"", "- [A](a.md) — x\n", "- [[a|A]] — x\n", "|a|b|\n|-|-|\n| [A](a.md) | x |\n"} {
			got := string(index.Apply([]byte(text), index.Parse([]byte(text)).Add(at, c.note)))
			added := strings.TrimPrefix(got, text)
			if strings.Count(strings.TrimPrefix(added, "\n"), "\n") != 1 || strings.ContainsAny(added, "\r\x1b") || strings.Contains(added, "<!--") {
				t.Errorf("%q to %q: %q", c.note.Path, text, added)
			}
			y := index.Parse([]byte(got))
			last := y.Entries[len(y.Entries)-1]
			if to, _ := index.NewNames([]string{c.note.Path}).Resolve(at, last.Form, y.String(last.Target)); to != c.note.Path {
				t.Errorf("%q to %q leads to %q", added, c.note.Path, to)
			}
		}
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"- [A](a.md)\n- [B](b.md)\n", "- [B](b.md)\n"},
		{"- [B](b.md)\n- [A](a.md)", "- [B](b.md)"},
		{"- [B](b.md)\r\n- [A](a.md)", "- [B](b.md)"},
		{"- [B](b.md)\n\n- [A](a.md)\n\n- [C](c.md)\n", "- [B](b.md)\n\n- [C](c.md)\n"},
		{"- [A](a.md)\n  more of it\n  - detail\n- [B](b.md)\n", "- [B](b.md)\n"},
		{"- [A](a.md)\n  - [B](b.md)\n", "  - [B](b.md)\n"},
		{"- [A](a.md), [B](b.md): both\n", "- [B](b.md): both\n"},
		{"- [B](b.md) and [A](a.md)\n", "- [B](b.md) and [A](a.md)\n"},
		{"|x|\n|-|\n| [A](a.md) |\n| [B](b.md) |\n", "|x|\n|-|\n| [B](b.md) |\n"},
	} {
		x := index.Parse([]byte(c.text))
		got := c.text
		for i := range x.Entries {
			if x.String(x.Entries[i].Target) == "a.md" {
				got = string(index.Apply([]byte(c.text), x.Remove(&x.Entries[i])))
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	names := index.NewNames([]string{"/memories/a.md", "/memories/notes/b c.md", "/memories/MEMORY.md", "/memories/notes/x.md"})
	for _, c := range []struct{ from, text, was, to, want string }{
		{at, "- [A](a.md) — x, see `a.md`, /memories/a.md and [[a|A]]", "/memories/a.md", "/memories/z/n.md",
			"- [A](z/n.md) — x, see `z/n.md`, /memories/z/n.md and [[n|A]]"},
		{at, "[a](a.md#x) [a.md](./a.md) [other](b.md)", "/memories/a.md", "/memories/n.md", "[a](n.md#x) [a.md](./n.md) [other](b.md)"},
		{at, "[B](notes/b%20c.md) [B](<notes/b c.md>) [[b c]] [[notes/b c]]", "/memories/notes/b c.md", "/memories/d (1).md",
			"[B](d%20%281%29.md) [B](<d (1).md>) [[d (1)]] [[d (1)]]"},
		{"/memories/notes/x.md", "[A](../a.md) [B](b%20c.md)", "/memories/a.md", "/memories/notes/a.md", "[A](a.md) [B](b%20c.md)"},
		{"/memories/notes/x.md", "[A](../a.md)", "/memories/notes/b c.md", "/memories/y.md", "[A](../a.md)"},
	} {
		got := string(index.Apply([]byte(c.text), index.Parse([]byte(c.text)).Follow(c.from, names, c.was, c.to)))
		if got != c.want {
			t.Errorf("%q:\n%q, want\n%q", c.text, got, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want index.Note
	}{
		{"---\nname: No mocks\ndescription: tests hit the database\ntype: feedback\n---\nText\n",
			index.Note{Title: "No mocks", Hook: "tests hit the database", Type: "feedback"}},
		{"---\nname: deploy-checklist\ndescription: \"what: to do\"\nmetadata:\n  type: project\n---\n\n# Deploying\n",
			index.Note{Title: "Deploying", Hook: "what: to do", Type: "project"}},
		{"---\nname: deploy-checklist\n---\nText\n", index.Note{Title: "Deploy checklist"}},
		{"# A title #\nText\n", index.Note{Title: "A title"}},
		{"Text\n# Later\n", index.Note{}},
		{"", index.Note{}},
	} {
		c.want.Path = "/memories/a.md"
		if got := index.Read([]byte(c.text)).Note("/memories/a.md"); got != c.want {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

// Whatever the text: spans are within it and in order, an entry that is added can be found and removed again, and the rest stays.
func FuzzIndex(f *testing.F) {
	f.Add([]byte(claude), "feedback_x.md", "Title", "hook")
	f.Add([]byte("- [A](a.md)\n  - [[b|c]]\n\n| x |\n|-|\n| `a.md` |\n"), "b.md", "", "")
	f.Add([]byte("1) **[a.md](<a.md>):** x\r\n"), "n.md", "[", "|")
	f.Add([]byte("---\nname: x\n---\n\xef\xbb\xbf- /memories/x"), "x.md", "\n", "<!--")
	f.Fuzz(func(t *testing.T, data []byte, name, title, hook string) {
		if len(data) > 1<<16 || name == "" || strings.ContainsAny(name, "/\x00\n\r") {
			return
		}
		x := index.Parse(data)
		end := 0
		for _, l := range x.Links {
			if l.All.Start < end || l.Target.Start < l.All.Start || l.Target.End > l.All.End || l.Text.Start < l.All.Start ||
				l.Text.End > l.All.End || l.All.End > len(data) || l.Target.Empty() {
				t.Fatalf("link %+v after %d in %q", l, end, data)
			}
			end = l.All.End
		}
		last := 0
		for i := range x.Entries {
			e := &x.Entries[i]
			if e.Item.Start < last || e.Item.End > len(data) || e.All.Start < e.Item.Start || e.All.End > e.Item.End || e.Hook.End > e.Item.End {
				t.Fatalf("entry %+v in %q", *e, data)
			}
			last = e.Item.Start
			gone := index.Apply(data, x.Remove(e))
			if len(gone) >= len(data) && e.More == 0 {
				t.Fatalf("nothing removed of %q", data)
			}
		}
		note := index.Note{Path: "/memories/" + name + ".md", Title: title, Hook: hook}
		edits := x.Add(at, note)
		added := index.Apply(data, edits)
		if len(edits) != 1 || !edits[0].Empty() || len(added) != len(data)+len(edits[0].Text) {
			t.Fatalf("adding to %q: %+v", data, edits)
		}
		index.Parse(added)
	})
}
