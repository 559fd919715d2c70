package tui

import (
	"testing"
)

// Every cell of the screen belongs to exactly one part, at every size, focus and zoom.
func TestLayoutCoversTheScreenOnce(t *testing.T) {
	t.Parallel()
	for w := 1; w <= 220; w++ {
		for h := 1; h <= 60; h++ {
			for f := onList; f <= onStrip; f++ {
				for i := range 8 {
					for _, dragged := range []int{0, 10, 90} {
						if striped := i&2 != 0; striped || f != onStrip {
							checkLayout(t, arrangement{
								w: w, h: h, focus: f, zoom: i&1 != 0, browse: striped, striped: striped, explained: i&4 == 0, banner: i&4 != 0,
								listWidth: dragged, allList: 2 * dragged,
							})
						}
					}
				}
			}
		}
	}
}

func checkLayout(t *testing.T, a arrangement) {
	t.Helper()
	w, h, f, l := a.w, a.h, a.focus, a.layout()
	if l.tooSmall {
		if w >= minWidth && h >= minHeight {
			t.Fatalf("%dx%d is called too small", w, h)
		}
		return
	}
	area := 0
	for _, r := range append(l.dividers, l.top, l.tabs, l.banner, l.list, l.detail, l.strip, l.facts, l.bottom) {
		area += r.W * r.H
	}
	if area != w*h {
		t.Fatalf("%+v: the parts cover %d of %d cells: %+v", a, area, w*h, l)
	}
	shown := map[focus]bool{onList: !l.list.Empty(), onDetail: !l.detail.Empty(), onStrip: !l.strip.Empty()}
	if !shown[f] {
		t.Fatalf("%+v: the part with the focus is not on the screen: %+v", a, l)
	}
}
