package tui

import "testing"

// Every cell of the screen belongs to exactly one part, at every size, focus and zoom.
func TestLayoutCoversTheScreenOnce(t *testing.T) {
	t.Parallel()
	for w := 1; w <= 220; w++ {
		for h := 1; h <= 60; h++ {
			for f := onList; f <= onStrip; f++ {
				for _, zoom := range []bool{false, true} {
					for _, dragged := range []int{0, 10, 90} {
						checkLayout(t, w, h, f, zoom, dragged)
					}
				}
			}
		}
	}
}

func checkLayout(t *testing.T, w, h int, f focus, zoom bool, dragged int) {
	t.Helper()
	l := arrange(w, h, f, zoom, dragged)
	if l.tooSmall {
		if w >= minWidth && h >= minHeight {
			t.Fatalf("%dx%d is called too small", w, h)
		}
		return
	}
	area := l.top.W*l.top.H + l.list.W*l.list.H + l.detail.W*l.detail.H + l.strip.W*l.strip.H + l.bottom.W*l.bottom.H
	if area != w*h {
		t.Fatalf("%dx%d focus %d zoom %v: the parts cover %d of %d cells: %+v", w, h, f, zoom, area, w*h, l)
	}
	shown := map[focus]bool{onList: !l.list.Empty(), onDetail: !l.detail.Empty(), onStrip: !l.strip.Empty()}
	if !shown[f] {
		t.Fatalf("%dx%d zoom %v: the part with the focus is not on the screen: %+v", w, h, zoom, l)
	}
}
