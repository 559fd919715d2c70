package fuzzy_test

import (
	"reflect"
	"testing"

	"memcurator/memstore/search/fuzzy"
)

func TestRankOrdersWhatFits(t *testing.T) {
	for _, c := range []struct {
		pattern string
		names   []string
		text    string
		rank    int
		ok      bool
	}{
		{"", []string{"a"}, "", 0, true},
		{"trash", []string{"trash", "bin"}, "show Trash: deleted files", 0, true},
		{"bin", []string{"trash", "bin"}, "show Trash: deleted files", 0, true},
		{"tra", []string{"trash"}, "", 1, true},
		{"rash", []string{"trash"}, "", 2, true},
		{"deleted", []string{"trash"}, "show Trash: deleted files", 3, true},
		{"trsh", []string{"trash"}, "", 4, true},
		{"files trash", []string{"trash"}, "show Trash: deleted files", 3, true},
		{"Trash", []string{"trash"}, "", 0, false},
		{"dlt", []string{"trash"}, "deleted", 0, false}, // letters apart only in names
		{"trash gone", []string{"trash"}, "", 0, false},
	} {
		if rank, ok := fuzzy.Parse(c.pattern).Rank(c.names, c.text); rank != c.rank || ok != c.ok {
			t.Errorf("%q: rank %d %v, want %d %v", c.pattern, rank, ok, c.rank, c.ok)
		}
	}
}

func TestLetters(t *testing.T) {
	for _, c := range []struct {
		name, typed string
		want        [][2]int
	}{
		{"progress.md", "prgmd", [][2]int{{0, 2}, {3, 4}, {9, 11}}},
		{"waitlist.md", "wtlst", [][2]int{{0, 1}, {3, 5}, {6, 8}}},
		{"old_plan.md", "plm", [][2]int{{4, 6}, {9, 10}}},
		{"oldPlan.md", "pln", [][2]int{{3, 5}, {6, 7}}},
		{"運航メモ.md", "運メ", [][2]int{{0, 3}, {6, 9}}},
		{"~/.claude/projects/ferry", "clfer", [][2]int{{3, 5}, {19, 22}}},
		{"progress.md", "rgm", nil}, // not from the start of a part
		{"progress.md", "p", nil},
		{"progress.md", "PR", nil},
		{"pabcdefghijklmn.md", "pnd", nil},
		{"\xff\xfe", "ab", nil},
	} {
		if got := fuzzy.Letters(c.name, c.typed); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.typed, c.name, got, c.want)
		}
	}
}
