package tui

import "memcurator/tui/kit"

// Sizes in cells at which the screen changes its arrangement.
const (
	minWidth  = 20 // below: "too small"
	minHeight = 5

	tabsHeight   = 8  // from here the tabs of the screens have a row
	bothWidth    = 40 // below, or below bothHeight: one pane at a time
	bothHeight   = 14
	besideWidth  = 80  // from here the list of Browse stands beside its file
	columnsWidth = 160 // from here every preview stands beside its list

	previewMin = 72 // beside a list with many columns
	listMax    = 42
)

// layout is where everything stands; what is not shown has an empty rectangle.
type layout struct {
	tooSmall bool
	tabs     kit.Rect
	banner   kit.Rect
	list     kit.Rect // with its title, as detail has its
	detail   kit.Rect
	dividers []kit.Rect // columns between panes that stand beside each other
}

// arrangement is what a layout depends on.
type arrangement struct {
	w, h    int
	focus   focus
	zoom    bool
	browse  bool // the list is a tree, which is narrow
	banner  bool
	allList int // the width for all columns of the list, 0: unknown
}

// layout computes where everything stands.
func (a arrangement) layout() layout {
	if a.w < minWidth || a.h < minHeight {
		return layout{tooSmall: true}
	}
	var l layout
	body := kit.Rect{Y: 1, W: a.w, H: a.h - 2}
	if a.h >= tabsHeight {
		l.tabs, body = cutTop(body, 1)
	}
	if a.banner && a.h > minHeight {
		l.banner, body = cutTop(body, 1)
	}
	switch {
	case a.zoom || a.w < bothWidth || a.h < bothHeight:
		*l.pane(a.focus) = body
	case a.browse && a.w >= besideWidth:
		l.list, l.detail = l.cutLeft(body, min(listMax, a.w*3/8))
	case !a.browse && a.w >= columnsWidth:
		l.list, l.detail = l.cutLeft(body, max(a.w*2/5, min(a.allList, a.w-previewMin-1)))
	default:
		l.list, l.detail = cutTop(body, body.H*9/20)
	}
	return l
}

// pane is the place of a pane.
func (l *layout) pane(f focus) *kit.Rect {
	if f == onList {
		return &l.list
	}
	return &l.detail
}

// cutTop cuts a rectangle below its first rows.
func cutTop(r kit.Rect, rows int) (top, rest kit.Rect) {
	return kit.Rect{X: r.X, Y: r.Y, W: r.W, H: rows}, kit.Rect{X: r.X, Y: r.Y + rows, W: r.W, H: r.H - rows}
}

// cutLeft cuts a rectangle right of its first columns, and puts a divider between the parts.
func (l *layout) cutLeft(r kit.Rect, columns int) (left, rest kit.Rect) {
	l.dividers = append(l.dividers, kit.Rect{X: r.X + columns, Y: r.Y, W: 1, H: r.H})
	return kit.Rect{X: r.X, Y: r.Y, W: columns, H: r.H},
		kit.Rect{X: r.X + columns + 1, Y: r.Y, W: r.W - columns - 1, H: r.H}
}

// below is what the title leaves of a pane.
func below(r kit.Rect) kit.Rect {
	if r.Empty() {
		return kit.Rect{X: r.X, Y: r.Y}
	}
	return kit.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
}

// inner is what a border leaves of a box.
func inner(r kit.Rect) kit.Rect {
	if r.W < 2 || r.H < 2 {
		return kit.Rect{X: r.X, Y: r.Y}
	}
	return kit.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 2}
}
