package ui_test

import (
	"math/rand/v2"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

var motions = []keymap.ID{
	keymap.Down, keymap.Up, keymap.HalfDown, keymap.HalfUp, keymap.PageDown, keymap.PageUp, keymap.Top, keymap.Bottom,
}

// view is a TextView over lines of these heights.
func view(heights []int, h int) *ui.TextView {
	return &ui.TextView{Count: func() int { return len(heights) }, Height: func(i int) int { return heights[i] }, H: h}
}

// rowOf counts the rows above a place.
func rowOf(heights []int, at ui.Place) int {
	n := at.Row
	for _, h := range heights[:at.Line] {
		n += h
	}
	return n
}

func TestMotionsKeepTheCursorOnTheScreen(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		heights := make([]int, 1+random.IntN(30))
		total := 0
		byRow := round%3 == 0
		for i := range heights {
			heights[i] = 1 + random.IntN(4)*random.IntN(8)
			if byRow && i > 0 && random.IntN(5) == 0 {
				heights[i] = 0
			}
			total += heights[i]
		}
		v := view(heights, 1+random.IntN(12))
		v.ByRow, v.Centre = byRow, round%2 == 0
		v.Reveal()
		for range 60 {
			id := motions[random.IntN(len(motions))]
			if !v.Motion(id) {
				t.Fatalf("%s is not a motion", id)
			}
			top, cursor := rowOf(heights, v.Top), rowOf(heights, v.Cursor)
			shown := cursor >= top && cursor < top+v.H
			tall := !byRow && v.Cursor.Line == v.Top.Line && v.Top.Row > 0
			if !shown && !tall {
				t.Fatalf("after %s the cursor is at %v, the screen of %d rows begins at %v of %v", id, v.Cursor, v.H, v.Top, heights)
			}
			if top > max(0, total-v.H) || heights[v.Top.Line] <= v.Top.Row {
				t.Fatalf("after %s the screen of %d rows begins at %v of %v", id, v.H, v.Top, heights)
			}
		}
	}
}

func TestSearchGoesAroundAndWaitsForItsMatches(t *testing.T) {
	env := &ui.Env{Keys: keymap.Default(), Jobs: ui.NewJobs(t.Context())}
	lines := []string{"one", "two", "One and one", "three"}
	cursor, shown := 1, ui.Match{Line: -1}
	of := &lines
	s := ui.NewSearch(env, "test", ui.Searched{
		Text: func() (any, ui.Scan) {
			return of, func(add func(int, int, []byte) bool, _ func(int, int)) {
				for i, l := range lines {
					add(i, 0, []byte(l))
				}
			}
		},
		Here: func() ui.Match { return ui.Match{Line: cursor} },
		On:   func(m ui.Match) bool { return m.Line == cursor },
		Show: func(m ui.Match) { cursor, shown = m.Line, m },
	})
	found := func(job tea.Cmd) ui.Found { return job().(ui.Done).Value.(ui.Found) }
	other := found(s.SetQuery("one"))
	if s.SetQuery("one") != nil {
		t.Error("the same query starts the search again")
	}
	of = &[]string{}
	list := s.List()
	s.Jump()
	if shown.Line >= 0 {
		t.Fatal("a match was gone to before any was known")
	}
	if s.Receive(other); len(s.Matches) > 0 {
		t.Fatal("the matches of another text were taken")
	}
	if s.Receive(found(list)); shown != (ui.Match{Line: 2, Start: 0, End: 3}) || s.SearchState() != `"one": match 2 of 3` {
		t.Fatalf("gone to %v with %s", shown, s.SearchState())
	}
	cursor = 1
	jump, next, previous := func() { s.Jump() }, func() { s.Next(false) }, func() { s.Next(true) }
	for i, c := range []struct {
		step  func()
		want  ui.Match
		state string
	}{
		{jump, ui.Match{Line: 2, Start: 0, End: 3}, `"one": match 2 of 3`},
		{next, ui.Match{Line: 2, Start: 8, End: 11}, `"one": match 3 of 3`},
		{next, ui.Match{Line: 0, Start: 0, End: 3}, `"one": match 1 of 3`},
		{previous, ui.Match{Line: 2, Start: 8, End: 11}, `"one": match 3 of 3`},
		{previous, ui.Match{Line: 2, Start: 0, End: 3}, `"one": match 2 of 3`},
	} {
		if c.step(); shown != c.want || s.SearchState() != c.state {
			t.Fatalf("step %d: %v, %s, want %v, %s", i, shown, s.SearchState(), c.want, c.state)
		}
	}
	if said := env.Drain(); len(said) != 2 {
		t.Errorf("told to go around: %v", said)
	}
	if matches, current := s.On(2, 0); len(matches) != 2 || current != 0 {
		t.Errorf("in line 2: %v, current %d", matches, current)
	}
}
