package past

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"memcurator/memstore"
)

// note is long enough that one changed word is a small part of it.
const note = "# Preferences\n\n- tabs, never spaces\n- colour: blue\n\n## Tools\n- editor: vim\n- shell: fish\n- pager: less\n- font: mono\n"

func TestResemble(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word by word it goes on, ", 40)
	tests := []struct {
		name, before, after string
		want                Resemblance
	}{
		{"a word in a short line: the line", note, strings.Replace(note, "blue", "green", 1),
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "- colour: blue", NewStr: "- colour: green"}},
		{"a word in a long line: the word", long + "blue moon " + long + "\n", long + "green moon " + long + "\n",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "blue", NewStr: "green"}},
		{"a common word in a long line: more words", "x word " + long + "\n", "x sword " + long + "\n",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "x word word", NewStr: "x sword word"}},
		{"a line that occurs twice: its neighbours too", "a\nx\nb\nx\nc\nlast\n", "a\nx\nb\ny\nc\nlast\n",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "b\nx\nc", NewStr: "b\ny\nc"}},
		{"a block", note, strings.Replace(note, "- editor: vim\n- shell: fish", "- editor: helix\n- shell: zsh", 1),
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "- editor: vim\n- shell: fish", NewStr: "- editor: helix\n- shell: zsh"}},
		{"a line removed", note, strings.Replace(note, "- colour: blue\n", "", 1),
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "- colour: blue\n"}},
		{"one of two equal lines removed", "one\ntwo\ntwo\nend\n", "one\ntwo\nend\n",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "two\ntwo\nend", NewStr: "two\nend"}},
		{"the last line removed, without its end", "one\ntwo", "one",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "one\ntwo", NewStr: "one"}},
		{"more text in a line", note, strings.Replace(note, "fish", "fish 4", 1),
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "- shell: fish", NewStr: "- shell: fish 4"}},
		{"a final newline added", "one\ntwo", "one\ntwo\n",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "two", NewStr: "two\n"}},
		{"lines of another system", "a\r\nb\r\nc\r\nd\r\n", "a\r\nB\r\nc\r\nd\r\n",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "b", NewStr: "B"}},
		{"characters of several bytes", "die Größe\nist 日本\nund so fort\n", "die Größe\nist 日木\nund so fort\n",
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "ist 日本", NewStr: "ist 日木"}},
		{"lines at the end", note, note + "- more\n- and more\n",
			Resemblance{Command: memstore.CmdInsert, InsertLine: 10, InsertText: "- more\n- and more\n"}},
		{"lines after a last line without end", "one\ntwo", "one\ntwo\nthree",
			Resemblance{Command: memstore.CmdInsert, InsertLine: 2, InsertText: "three"}},
		{"lines at the beginning", note, "---\nname: x\n---\n" + note,
			Resemblance{Command: memstore.CmdInsert, InsertText: "---\nname: x\n---\n"}},
		{"a paragraph before another", "A\n\nB\n", "A\n\nC\n\nB\n",
			Resemblance{Command: memstore.CmdInsert, InsertLine: 2, InsertText: "C\n\n"}},
		{"the first line of an empty file", "", "one\n", Resemblance{Command: memstore.CmdInsert, InsertText: "one\n"}},
		{"an empty file that gets text without end", "", "one", Resemblance{Command: cmdRewrite}},
		{"emptied", note, "", Resemblance{Command: cmdRewrite}},
		{"other text", "one\n", "two, three\n", Resemblance{Command: cmdRewrite}},
		{"two changes far apart", note, strings.Replace(strings.Replace(note, "tabs", "TABS", 1), "less", "more", 1),
			Resemblance{Command: cmdRewrite}},
		{"two changes close together", note, strings.Replace(strings.Replace(note, "vim", "helix", 1), "less", "more", 1),
			Resemblance{Command: memstore.CmdStrReplace, OldStr: "- editor: vim\n- shell: fish\n- pager: less",
				NewStr: "- editor: helix\n- shell: fish\n- pager: more"}},
		{"nothing in it occurs once", strings.Repeat("x\n", 20_000), strings.Repeat("x\n", 9_000) + "y\n" + strings.Repeat("x\n", 10_999),
			Resemblance{Command: memstore.CmdStrReplace}},
		{"a long text added", note, note + strings.Repeat("more\n", 4000), Resemblance{Command: memstore.CmdInsert, InsertLine: 10}},
		{"a long text removed", note + strings.Repeat("more\n", 4000), note, Resemblance{Command: memstore.CmdStrReplace}},
		{"no text before", "\xff\xfe", "a\n", Resemblance{}},
		{"no text after", "a\n", "a\n\xff", Resemblance{}},
		{"the same", "a\n", "a\n", Resemblance{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Resemble([]byte(test.before), []byte(test.after)); got != test.want {
				t.Errorf("got  %q\nwant %q", fmt.Sprint(got), fmt.Sprint(test.want))
			}
			applied(t, test.before, test.after)
		})
	}
}

// applied runs the command that resemble finds through the handlers.
func applied(t testing.TB, before, after string) Resemblance {
	t.Helper()
	like := Resemble([]byte(before), []byte(after))
	if len(like.OldStr) > longestLike || len(like.NewStr) > longestLike || len(like.InsertText) > longestLike {
		t.Fatalf("too long: %d, %d, %d bytes", len(like.OldStr), len(like.NewStr), len(like.InsertText))
	}
	c := memstore.Command{
		Name: like.Command, Path: "/memories/f.md", OldStr: like.OldStr, NewStr: like.NewStr,
		InsertLine: like.InsertLine, InsertText: like.InsertText,
	}
	if c.OldStr == "" && c.InsertText == "" {
		return like
	}
	s := memstore.New(memstore.NewMemory(), memstore.Options{})
	do := func(c memstore.Command) {
		t.Helper()
		if r := s.Do(context.Background(), c); r.IsError {
			t.Fatalf("%+v of %q for %q: %s", c, before, after, r.Content)
		}
	}
	do(memstore.Command{Name: memstore.CmdCreate, Path: c.Path, FileText: before})
	do(c)
	f, err := s.Backend().Open("f.md", memstore.Look)
	must(t, err)
	defer f.Close()
	info, err := f.Info()
	must(t, err)
	data := make([]byte, info.Size)
	if _, err := f.ReadAt(data, 0); info.Size > 0 {
		must(t, err)
	}
	if string(data) != after {
		t.Fatalf("%+v of %q gives %q instead of %q", c, before, data, after)
	}
	return like
}

// TestResembleApplies compares random texts of few different lines and characters,
// so that much in them is alike.
func TestResembleApplies(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"\n", "\n", "a", "b", " ", "\r\n", "é", "日", "word ", "\n\n", strings.Repeat("long ", 60), strings.Repeat("line\n", 30)}
	text := func(most int) string {
		var b strings.Builder
		for range r.IntN(most) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	found := map[string]int{}
	for range 20_000 {
		head, tail := text(12), text(12)
		found[applied(t, head+text(4)+tail, head+text(4)+tail).Command]++
	}
	for _, command := range []string{memstore.CmdInsert, memstore.CmdStrReplace, cmdRewrite} {
		if found[command] < 100 {
			t.Errorf("%s was found %d times", command, found[command])
		}
	}
}

// TestResembleFindsTheCommand runs commands as an agent would, and expects them back.
func TestResembleFindsTheCommand(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		var lines []string
		for n := range 3 + r.IntN(20) {
			lines = append(lines, fmt.Sprintf("- line %d of note %d\n", n, r.IntN(100)))
		}
		before := strings.Join(lines, "")
		at := r.IntN(len(lines))
		text := fmt.Sprintf("- something new %d\n", i)
		inserted := strings.Join(lines[:at], "") + text + strings.Join(lines[at:], "")
		want := Resemblance{Command: memstore.CmdInsert, InsertLine: at, InsertText: text}
		if got := applied(t, before, inserted); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		line := strings.TrimSuffix(lines[at], "\n")
		replaced := strings.Replace(before, line, line+", changed", 1)
		want = Resemblance{Command: memstore.CmdStrReplace, OldStr: line, NewStr: line + ", changed"}
		if got := applied(t, before, replaced); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

func FuzzResemble(f *testing.F) {
	f.Add("one\ntwo\n", "one\ntwo\nthree\n")
	f.Add("one\ntwo", "one\n2")
	f.Add("日本\n", "日木\n")
	f.Add(note, strings.Replace(note, "blue", "", 1))
	f.Fuzz(func(t *testing.T, before, after string) {
		like := applied(t, before, after)
		if known := utf8.ValidString(before) && utf8.ValidString(after) && before != after; known != (like.Command != "") {
			t.Errorf("%q for %q and %q", like.Command, before, after)
		}
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
