package fuzzy_test

import (
	"reflect"
	"slices"
	"testing"

	"memcurator/memstore/search/fuzzy"
)

func TestBestFirst(t *testing.T) {
	trash := fuzzy.Entry{Names: []string{"show-trash"}, Text: "show Trash: deleted files"}
	entries := []fuzzy.Entry{
		{Names: []string{"previous-unread"}, Text: "show the previous unread change"},
		{Names: []string{"curate"}, Text: "show Curate"},
		{Names: []string{"unprune"}},
		{Names: []string{"apply"}, Text: "unpruned files"},
		{Names: []string{"go-prune"}},
		{Names: []string{"help"}, Text: "how to prune"},
		{Names: []string{"prune"}},
		{Names: []string{"prune-all"}},
		trash,
	}
	for pattern, want := range map[string][]int{
		"":              {0, 1, 2, 3, 4, 5, 6, 7, 8},
		"prune":         {6, 7, 4, 2, 5, 3},
		"prun":          {6, 7, 4, 2, 5, 3},
		"prn":           {4, 6, 7}, // letters apart: there is nothing better
		"prvunr":        {0},
		"deleted trash": {8},
		"dlt":           nil, // letters apart only in names
		"Prune":         nil,
		"trash gone":    nil,
	} {
		got := fuzzy.Parse(pattern).Best(len(entries), func(i int) fuzzy.Entry { return entries[i] })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", pattern, got, want)
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
