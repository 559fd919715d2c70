package kit

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"memcurator/keymap"
	"memcurator/render/theme"
)

func TestMotionsKeepTheCursorOnTheScreen(t *testing.T) {
	motions := []keymap.ID{
		keymap.Down, keymap.Up, keymap.HalfDown, keymap.HalfUp, keymap.PageDown, keymap.PageUp, keymap.Top, keymap.Bottom,
	}
	env := &Env{Styles: theme.New(theme.Options{}), Keys: new(keymap.Map), Jobs: NewJobs(t.Context())}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var lines []Line
		total := 0
		for range 1 + random.IntN(30) {
			rows := 1 + random.IntN(4)*random.IntN(8)
			lines = append(lines, Line{Text: bytes.Repeat([]byte("x"), rows)})
			total += rows
		}
		v := NewText(env, TextSpec{})
		v.Resize(3, 1+random.IntN(12)) // a cell in each row
		v.Set("", Lines(lines))
		above := func(at place) int {
			n := at.row
			for _, l := range lines[:at.line] {
				n += len(l.Text)
			}
			return n
		}
		for range 60 {
			id := motions[random.IntN(len(motions))]
			v.motion(id)
			top, cursor := above(v.top), above(place{line: v.cursor})
			shown := cursor >= top && cursor < top+v.h
			if tall := v.cursor == v.top.line && v.top.row > 0; !shown && !tall {
				t.Fatalf("after %s the cursor is at %v, the screen of %d rows begins at %v", id, v.cursor, v.h, v.top)
			}
			if top > max(0, total-v.h) || len(lines[v.top.line].Text) <= v.top.row {
				t.Fatalf("after %s the screen of %d rows begins at %v", id, v.h, v.top)
			}
		}
	}
}
