package diff

import "bytes"

// Window sizes in lines: the first after a difference, and the largest before
// giving up.
const (
	firstWindow = 512
	lastWindow  = 1 << 16
)

// windows compares two texts with too many distinct lines to number them all.
// It skips equal lines, compares only a window of each text where they
// differ, continues after the last match of the window, and gives up if even
// the largest window finds no match to continue from.
func (d *differ) windows(a, b []byte) {
	limit := d.maxDistinct
	defer func() { d.maxDistinct = limit }()
	d.maxDistinct = 2 * lastWindow
	size := firstWindow
	for {
		n := commonHead(a, b)
		lines := countLines(a[:n])
		d.match(0, 0, lines)
		d.baseA, d.baseB = d.baseA+lines, d.baseB+lines
		a, b = a[n:], b[n:]
		if len(a) == 0 || len(b) == 0 || d.late() {
			return
		}
		winA, winB := firstLines(a, size), firstLines(b, size)
		whole := len(winA) == len(a) && len(winB) == len(b)
		nextA, nextB, ok := d.window(winA, winB, whole)
		if ok && whole || d.late() {
			return
		}
		if !ok {
			if size *= 4; size > lastWindow {
				d.gaveUp = true
				return
			}
			continue
		}
		skipA, skipB := len(firstLines(a, nextA)), len(firstLines(b, nextB))
		a, b = a[skipA:], b[skipB:]
		d.baseA, d.baseB = d.baseA+nextA, d.baseB+nextB
		size = firstWindow
	}
}

// window compares two windows and passes their matches on if they are
// credible: half of what precedes the last match, on the shorter side, must
// have matched. Otherwise they are coincidences (blank lines, brackets) that
// would desynchronize the two sides for good. whole means that the texts end
// with the windows, so that any match will do.
func (d *differ) window(a, b []byte, whole bool) (nextA, nextB int, ok bool) {
	w := &differ{ctx: d.ctx, deadline: d.deadline, maxDistinct: d.maxDistinct}
	w.middle(a, b)
	if w.gaveUp {
		d.gaveUp = true
	}
	nextA, nextB = w.out.a, w.out.b
	if !whole && (w.matched == 0 || 2*w.matched < min(nextA, nextB)) {
		return 0, 0, false
	}
	for _, op := range w.out.ops {
		if op.Kind == Equal {
			d.match(op.AStart, op.BStart, op.AEnd-op.AStart)
		}
	}
	return nextA, nextB, true
}

// firstLines returns the first n lines, or all.
func firstLines(text []byte, n int) []byte {
	at := 0
	for ; n > 0; n-- {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return text
		}
		at += next + 1
	}
	return text[:at]
}
