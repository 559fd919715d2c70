package tui

import "memcurator/tui/ui"

// Sizes in cells at which the screen changes its arrangement.
const (
	minWidth     = 20 // below: "too small"
	minHeight    = 5
	singleWidth  = 60 // below: one pane at a time
	treeMin      = 24
	treeMax      = 46
	stripSmall   = 1
	stripNormal  = 3
	stripRoomy   = 5
	roomyHeight  = 32
	normalHeight = 20
)

// layout is where everything stands; a pane that is not shown has an empty rectangle.
type layout struct {
	tooSmall bool
	top      ui.Rect
	list     ui.Rect // with its border
	detail   ui.Rect // with its border
	strip    ui.Rect
	bottom   ui.Rect
}

// arrange computes the layout: a pure function of the size, the focus, the zoom and
// the width that the user gave the tree (0: none).
func arrange(w, h int, f focus, zoom bool, treeWidth int) layout {
	if w < minWidth || h < minHeight {
		return layout{tooSmall: true}
	}
	l := layout{
		top:    ui.Rect{W: w, H: 1},
		bottom: ui.Rect{Y: h - 1, W: w, H: 1},
	}
	body := ui.Rect{Y: 1, W: w, H: h - 2}
	if zoom {
		switch f {
		case onList:
			l.list = body
		case onDetail:
			l.detail = body
		default:
			l.strip = body
		}
		return l
	}
	rows := stripRows(h, f)
	l.strip = ui.Rect{Y: body.Y + body.H - rows, W: w, H: rows}
	body.H -= rows
	switch {
	case w >= singleWidth:
		tw := min(treeMax, max(treeMin, w*2/5))
		if treeWidth > 0 {
			tw = max(treeMin, min(treeWidth, w-treeMin))
		}
		l.list = ui.Rect{X: 0, Y: body.Y, W: tw, H: body.H}
		l.detail = ui.Rect{X: tw, Y: body.Y, W: w - tw, H: body.H}
	case f == onList:
		l.list = body
	default:
		l.detail = body
	}
	return l
}

// Where the list and the diff of a screen of revisions stand beside each other, and
// below which height only the one with the focus is shown.
const (
	besideWidth = 180
	bothHeight  = 18
)

// arrangeBoard computes the layout of a screen of revisions: the list has the place of the
// tree, the diff that of the tabs.
func arrangeBoard(w, h int, f focus, zoom bool) layout {
	if w < minWidth || h < minHeight {
		return layout{tooSmall: true}
	}
	l := layout{top: ui.Rect{W: w, H: 1}, bottom: ui.Rect{Y: h - 1, W: w, H: 1}}
	body := ui.Rect{Y: 1, W: w, H: h - 2}
	switch {
	case (zoom || h < bothHeight) && f == onList:
		l.list = body
	case zoom || h < bothHeight:
		l.detail = body
	case w >= besideWidth:
		l.list = ui.Rect{Y: 1, W: w * 2 / 5, H: body.H}
		l.detail = ui.Rect{X: l.list.W, Y: 1, W: w - l.list.W, H: body.H}
	default:
		l.list = ui.Rect{Y: 1, W: w, H: body.H * 2 / 5}
		l.detail = ui.Rect{Y: 1 + l.list.H, W: w, H: body.H - l.list.H}
	}
	return l
}

// stripRows is how high the live strip is; with the focus it grows to show more.
func stripRows(h int, f focus) int {
	rows := stripSmall
	switch {
	case h >= roomyHeight:
		rows = stripRoomy
	case h >= normalHeight:
		rows = stripNormal
	}
	if f == onStrip {
		rows = max(rows, (h-2)*2/5)
	}
	if h < 8 {
		rows = 0
		if f == onStrip {
			rows = 1
		}
	}
	return rows
}

// inner is what a border leaves of a rectangle.
func inner(r ui.Rect) ui.Rect {
	if r.W < 2 || r.H < 2 {
		return ui.Rect{X: r.X, Y: r.Y}
	}
	return ui.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 2}
}
