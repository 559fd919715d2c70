package prompt

import (
	"reflect"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
)

func TestParse(t *testing.T) {
	keys := keymap.Default()
	docs := memstore.Docs
	command := func(c memstore.Command) Request { return Request{Command: &c} }
	for _, c := range []struct {
		line string
		want Request
	}{
		{"quit", Request{Action: keymap.Quit}},
		{"q", Request{Action: keymap.Quit}},
		{"  wrap ", Request{Action: keymap.Wrap}},
		{"120", Request{Line: 120}},
		{"line 7", Request{Line: 7}},
		{"open /memories/a.md", Request{Open: "/memories/a.md"}},
		{"compare", Request{Action: keymap.Compare}},
		{"compare /memories/a.md", Request{Compare: []string{"/memories/a.md"}}},
		{"compare #3 '/memories/a b.md'", Request{Compare: []string{"#3", "/memories/a b.md"}}},
		{"theme light", Request{Theme: "light"}},
		{`{"command":"dance"}`, Request{Input: []byte(`{"command":"dance"}`)}},
		{`{"type":"tool_use","id":"x","name":"memory","input":{"command":"view","path":"/memories"}}`, command(memstore.Command{Name: "view", Path: "/memories"})},
		{"dialect docs", Request{Dialect: &docs}},
		{"view /memories", command(memstore.Command{Name: "view", Path: "/memories"})},
		{"view /memories/a.md [1,20]", command(memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{1, 20}})},
		{"view /memories/a.md [1, -1]", command(memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{1, -1}})},
		{"view /memories/a.md 3:9", command(memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{3, 9}})},
		{"view /memories/a.md 3 9", command(memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{3, 9}})},
		{`create /memories/a.md "one\ntwo\t\"x\" \\ \q"`, command(memstore.Command{Name: "create", Path: "/memories/a.md", FileText: "one\ntwo\t\"x\" \\ \\q"})},
		{`create '/memories/a b.md' 'as \n is'`, command(memstore.Command{Name: "create", Path: "/memories/a b.md", FileText: `as \n is`})},
		{`str_replace /memories/a.md old new`, command(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "old", NewStr: "new"})},
		{`str_replace /memories/a.md "old words"`, command(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "old words"})},
		{`insert /memories/a.md 0 "- first\n"`, command(memstore.Command{Name: "insert", Path: "/memories/a.md", InsertText: "- first\n"})},
		{"create /memories/a.md", Request{Create: "/memories/a.md"}},
		{"delete /memories/a.md", command(memstore.Command{Name: "delete", Path: "/memories/a.md"})},
		{"rename /memories/a /memories/b", command(memstore.Command{Name: "rename", OldPath: "/memories/a", NewPath: "/memories/b"})},
		{"rename /memories/n/a.md b.md", command(memstore.Command{Name: "rename", OldPath: "/memories/n/a.md", NewPath: "/memories/n/b.md"})},
		{"add-folder ~/my notes", Request{Folder: "~/my notes"}},
		{`add-folder "~/my notes"`, Request{Folder: "~/my notes"}},
		{"add-folder ~/Ann's notes ", Request{Folder: "~/Ann's notes"}},
		{`{"command":"view","path":"/memories","view_range":[2,3]}`, command(memstore.Command{Name: "view", Path: "/memories", ViewRange: []int{2, 3}})},
	} {
		got, err := Parse(c.line, keys)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s = %+v, want %+v", c.line, got, c.want)
		}
	}
}

func TestParseRefusesWithASentence(t *testing.T) {
	keys := keymap.Default()
	for line, want := range map[string]string{
		"":                           "type an action",
		"quti":                       `No such command: "quti". Did you mean quit?`,
		"veiw /memories":             `Did you mean view?`,
		"xyzzyplugh":                 `No such command: "xyzzyplugh". tab lists them`,
		"compare a b c":              "compare takes one or two paths",
		"quit now":                   "quit takes no argument",
		"line x":                     "line takes a line number",
		"0":                          "No such command",
		"dialect":                    memstore.DialectNames(),
		"dialect klingon":            "klingon",
		"view":                       "usage: view PATH",
		"rename /memories/a":         "usage: rename OLD-PATH",
		"create /memories/a b c":     "in quotes",
		`create /memories/a "b`:      "unclosed",
		`create /memories/a 'b`:      "unclosed",
		"insert /memories/a x y":     `line "x" is not a number`,
		"view /memories/a [one,two]": "is not two line numbers",
		`{"command":`:                "not valid JSON",
	} {
		_, err := Parse(line, keys)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", line, err, want)
		}
	}
}

// FuzzParse checks that any line yields exactly one request or an error, and that
// what is quoted comes through unchanged.
func FuzzParse(f *testing.F) {
	keys := keymap.Default()
	for _, seed := range []string{"quit", "view /memories [1,2]", `create a "b\n"`, "{}", "'", "[", "12", "é ü"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := Parse(line, keys)
		set := 0
		for _, is := range []bool{r.Action != "", r.Line > 0, r.Command != nil, r.Dialect != nil, r.Input != nil, r.Open != "", r.Theme != "", r.Create != ""} {
			if is {
				set++
			}
		}
		if err == nil && set != 1 {
			t.Fatalf("%q is parsed as %+v", line, r)
		}
		if strings.ContainsRune(line, '\'') {
			return
		}
		words, err := split("create /memories/x '" + line + "'")
		if err != nil || len(words) != 3 || words[2] != line {
			t.Fatalf("%q in quotes comes back as %q, %v", line, words, err)
		}
	})
}
