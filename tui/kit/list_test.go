package kit

import (
	"math/rand/v2"
	"testing"

	"memcurator/keymap"
)

// Whatever happens to a list, the cursor is on a row of it and that row is on the screen,
// which shows no room behind the last row while there are rows above.
func TestListKeepsItsCursorOnTheScreen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	motions := []keymap.ID{keymap.Down, keymap.Up, keymap.Top, keymap.Bottom, keymap.HalfDown, keymap.HalfUp, keymap.PageDown, keymap.PageUp}
	var l List
	count, h := 0, 0
	for step := range 20_000 {
		switch r.IntN(6) {
		case 0:
			count = r.IntN(50)
			l.SetCount(count)
		case 1:
			h = r.IntN(12)
			l.Resize(h)
		case 2:
			l.MoveTo(r.IntN(60) - 5)
		case 3:
			row := r.IntN(14) - 1
			want := l.Top() + row
			hit, _ := l.Click(row)
			if at, _ := l.At(); hit != (row >= 0 && want < count) || hit && at != want {
				t.Fatalf("step %d: a click on row %d of the screen: hit %v, the cursor is on %d", step, row, hit, at)
			}
		default:
			l.Motion(motions[r.IntN(len(motions))])
		}
		at, ok := l.At()
		if ok != (count > 0) || at < 0 || ok && at >= count {
			t.Fatalf("step %d: of %d rows the cursor is on %d, %v", step, count, at, ok)
		}
		if h > 0 && (at < l.Top() || at >= l.Top()+h || l.Top() > max(0, count-h)) {
			t.Fatalf("step %d: of %d rows the screen shows %d from %d on, the cursor is on %d", step, count, h, l.Top(), at)
		}
	}
}
