package past

import (
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
)

func TestFindOverwritten(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	side := func(text string) Side {
		if text == "" {
			return Side{}
		}
		return Side{Exists: true, Digest: memstore.Sum([]byte(text))}
	}
	edit := func(actor memstore.Actor, path, before, after string, seconds int) Revision {
		r := Revision{Actor: actor, Shape: Edited, Path: path, Before: side(before), After: side(after),
			Time: at.Add(time.Duration(seconds) * time.Second)}
		switch {
		case before == "":
			r.Shape = Made
		case after == "":
			r.Shape = Removed
		}
		return r
	}
	renamed := func(actor memstore.Actor, from, to string) Revision {
		return Revision{Actor: actor, Shape: Renamed, OldPath: from, Path: to, Before: side("1"), After: side("1"), Time: at}
	}
	undone := edit(memstore.External, "a", "2", "1", 5)
	undone.UndoneBy = 9
	purged := edit(memstore.Curator, "a", "", "2", 0)
	purged.Note = NoteRedacted
	const ours, agents, program = memstore.Curator, memstore.Agent, memstore.External
	for _, c := range []struct {
		name string
		list []Revision
		want []int64 // pairs: the edit, and what wrote over it; the first revision is 1
	}{
		{"written over", []Revision{edit(ours, "a", "1", "2", 0), edit(program, "a", "2", "1", 5)}, []int64{1, 2}},
		{"an agent's edit", []Revision{edit(agents, "a", "1", "2", 0), edit(program, "a", "2", "1", 5)}, []int64{1, 2}},
		{"with another edit between", []Revision{edit(ours, "a", "1", "2", 0), edit(ours, "b", "1", "2", 1), edit(program, "a", "2", "1", 5)},
			[]int64{1, 3}},
		{"two edits of a file", []Revision{edit(ours, "a", "1", "2", 0), edit(ours, "a", "2", "3", 1), edit(program, "a", "3", "1", 5)},
			[]int64{1, 3}},
		{"two files", []Revision{edit(ours, "a", "1", "2", 0), edit(ours, "b", "1", "2", 1), edit(program, "a", "2", "1", 5),
			edit(program, "b", "2", "1", 5)}, []int64{1, 3, 2, 4}},
		{"after a minute", []Revision{edit(ours, "a", "1", "2", 0), edit(program, "a", "2", "1", 60)}, []int64{1, 2}},
		{"too late", []Revision{edit(ours, "a", "1", "2", 0), edit(program, "a", "2", "1", 61)}, nil},
		{"edited further", []Revision{edit(ours, "a", "1", "2", 0), edit(program, "a", "2", "3", 5)}, nil},
		{"the program's own edit", []Revision{edit(program, "a", "1", "2", 0), edit(program, "a", "2", "1", 5)}, nil},
		{"another file", []Revision{edit(ours, "b", "1", "2", 0), edit(program, "a", "2", "1", 5)}, nil},
		{"before the edit", []Revision{edit(program, "a", "2", "1", 0), edit(ours, "a", "1", "2", 5)}, nil},
		{"restored already", []Revision{edit(ours, "a", "1", "2", 0), edit(program, "a", "2", "1", 5), edit(ours, "a", "1", "2", 6)}, nil},
		{"undone", []Revision{edit(ours, "a", "1", "2", 0), undone}, nil},
		{"purged", []Revision{purged, edit(program, "a", "2", "", 5)}, nil},
		{"a new file", []Revision{edit(ours, "a", "", "2", 0), edit(program, "a", "2", "", 5)}, []int64{1, 2}},
		{"a new file that has changed", []Revision{edit(ours, "a", "", "2", 0), edit(program, "a", "2", "3", 5)}, nil},
		{"a deletion", []Revision{edit(ours, "a", "1", "", 0), edit(program, "a", "", "1", 5)}, []int64{1, 2}},
		{"a deletion of what has changed", []Revision{edit(ours, "a", "1", "", 0), edit(program, "a", "", "3", 5)}, []int64{1, 2}},
		{"a rename", []Revision{renamed(ours, "a", "b"), renamed(program, "b", "a")}, []int64{1, 2}},
		{"a rename, seen as two files", []Revision{renamed(ours, "a", "b"), edit(program, "b", "1", "", 5), edit(program, "a", "", "1", 5)},
			[]int64{1, 2, 1, 3}},
	} {
		for i := range c.list {
			c.list[i].Rev = int64(i) + 1
		}
		var got []int64
		for _, o := range FindOverwritten(c.list) {
			got = append(got, o.Edit.Rev, o.By.Rev)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
