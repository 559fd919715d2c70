package kit_test

import (
	"math/rand/v2"
	"testing"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

var motions = []keymap.ID{
	keymap.Down, keymap.Up, keymap.HalfDown, keymap.HalfUp, keymap.PageDown, keymap.PageUp, keymap.Top, keymap.Bottom,
}

// view is a TextView over lines of these heights.
func view(heights []int, h int) *kit.TextView {
	return &kit.TextView{Count: func() int { return len(heights) }, Height: func(i int) int { return heights[i] }, H: h}
}

// rowOf counts the rows above a place.
func rowOf(heights []int, at kit.Place) int {
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
		for i := range heights {
			heights[i] = 1 + random.IntN(4)*random.IntN(8)
			total += heights[i]
		}
		v := view(heights, 1+random.IntN(12))
		v.Centre = round%2 == 0
		v.Reveal()
		for range 60 {
			id := motions[random.IntN(len(motions))]
			if !v.Motion(id) {
				t.Fatalf("%s is not a motion", id)
			}
			top, cursor := rowOf(heights, v.Top), rowOf(heights, v.Cursor)
			shown := cursor >= top && cursor < top+v.H
			tall := v.Cursor.Line == v.Top.Line && v.Top.Row > 0
			if !shown && !tall {
				t.Fatalf("after %s the cursor is at %v, the screen of %d rows begins at %v of %v", id, v.Cursor, v.H, v.Top, heights)
			}
			if top > max(0, total-v.H) || heights[v.Top.Line] <= v.Top.Row {
				t.Fatalf("after %s the screen of %d rows begins at %v of %v", id, v.H, v.Top, heights)
			}
		}
	}
}
