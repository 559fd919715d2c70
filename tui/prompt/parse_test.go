package prompt

import (
	"reflect"
	"strings"
	"testing"

	"memcurator/memstore"
)

func TestParseCommand(t *testing.T) {
	for _, c := range []struct {
		line string
		want memstore.Command
	}{
		{"view /memories", memstore.Command{Name: "view", Path: "/memories"}},
		{"view /memories/a.md [1,20]", memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{1, 20}}},
		{"view /memories/a.md [1, -1]", memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{1, -1}}},
		{"view /memories/a.md 3:9", memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{3, 9}}},
		{"view /memories/a.md 3 9", memstore.Command{Name: "view", Path: "/memories/a.md", ViewRange: []int{3, 9}}},
		{`create /memories/a.md "one\ntwo\t\"x\" \\ \q"`, memstore.Command{Name: "create", Path: "/memories/a.md", FileText: "one\ntwo\t\"x\" \\ \\q"}},
		{`create '/memories/a b.md' 'as \n is'`, memstore.Command{Name: "create", Path: "/memories/a b.md", FileText: `as \n is`}},
		{`str_replace /memories/a.md old new`, memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "old", NewStr: "new"}},
		{`str_replace /memories/a.md "old words"`, memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "old words"}},
		{`insert /memories/a.md 0 "- first\n"`, memstore.Command{Name: "insert", Path: "/memories/a.md", InsertText: "- first\n"}},
		{"delete /memories/a.md", memstore.Command{Name: "delete", Path: "/memories/a.md"}},
		{"rename /memories/a /memories/b", memstore.Command{Name: "rename", OldPath: "/memories/a", NewPath: "/memories/b"}},
		{"rename /memories/n/a.md b.md", memstore.Command{Name: "rename", OldPath: "/memories/n/a.md", NewPath: "/memories/n/b.md"}},
	} {
		words, err := Words(c.line)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		got, err := ParseCommand(words[0], words[1:])
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s = %+v, want %+v", c.line, got, c.want)
		}
	}
}

func TestParseRefusesWithASentence(t *testing.T) {
	for line, want := range map[string]string{
		"view":                       "usage: view PATH",
		"rename /memories/a":         "usage: rename OLD-PATH",
		"create /memories/a b c":     "in quotes",
		`create /memories/a "b`:      "unclosed",
		`create /memories/a 'b`:      "unclosed",
		"insert /memories/a x y":     `line "x" is not a number`,
		"view /memories/a [one,two]": "is not two line numbers",
	} {
		words, err := Words(line)
		if err == nil {
			_, err = ParseCommand(words[0], words[1:])
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", line, err, want)
		}
	}
}

// FuzzWords checks that what is quoted comes through unchanged.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"quit", "view /memories [1,2]", `create a "b\n"`, "{}", "[", "12", "é ü"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if words, err := Words(line); err == nil && len(words) > 0 {
			_, _ = ParseCommand(words[0], words[1:])
		}
		if words, err := Words("create " + Quote(line)); err != nil || len(words) != 2 || words[1] != line {
			t.Fatalf("%q in quotes comes back as %q, %v", line, words, err)
		}
	})
}
