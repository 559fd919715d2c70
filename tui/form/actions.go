package form

import (
	"strings"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
)

// perform does an editing action in a field. changed: the text is another now.
func (d *field) perform(id keymap.ID) (changed, ok bool) {
	switch id {
	case keymap.Up:
		d.vertical(-1)
		return false, true
	case keymap.Down:
		d.vertical(1)
		return false, true
	case keymap.PageUp:
		d.vertical(-max(1, d.h-1))
		return false, true
	case keymap.PageDown:
		d.vertical(max(1, d.h-1))
		return false, true
	}
	d.goal = -1
	if row, col, ok := d.motion(id); ok {
		d.moveTo(row, col)
		return false, true
	}
	return d.edit(id)
}

// motion is the place where an action takes the cursor.
func (d *field) motion(id keymap.ID) (row, col int, ok bool) {
	o := d.options()
	switch id {
	case keymap.Left:
		row, col = d.left(o)
	case keymap.Right:
		row, col = d.right(o)
	case keymap.WordLeft:
		row, col = d.wordLeft(o)
	case keymap.WordRight:
		row, col = d.wordRight(o)
	case keymap.LineStart:
		row = d.row
	case keymap.LineEnd:
		row, col = d.row, len(strings.TrimSuffix(d.line(), "\r"))
	case keymap.Top:
	case keymap.Bottom:
		row = len(d.lines) - 1
		col = len(d.lines[row])
	default:
		return 0, 0, false
	}
	return row, col, true
}

// edit does an action that changes the text.
func (d *field) edit(id keymap.ID) (changed, ok bool) {
	o := d.options()
	row, col := d.row, 0
	switch id {
	case keymap.DeleteBack:
		row, col = d.left(o)
		if row < d.row && strings.HasSuffix(d.lines[row], "\r") {
			col-- // both bytes of the line's end
		}
	case keymap.DeleteNext:
		row, col = d.right(o)
		if row == d.row && d.line()[d.col:] == "\r" && row < len(d.lines)-1 {
			row, col = row+1, 0
		}
	case keymap.DeleteWord:
		row, col = d.wordLeft(o)
	case keymap.DeleteToStart:
		col = 0
	case keymap.DeleteToEnd:
		col = len(strings.TrimSuffix(d.line(), "\r"))
		if d.col >= col {
			row, col = d.right(o)
		}
	case keymap.UndoTyping:
		d.undo()
		return true, true
	case keymap.RedoTyping:
		d.redo()
		return true, true
	default:
		return false, false
	}
	changed = row != d.row || col != d.col
	d.remove(row, col)
	return changed, true
}

// replace replaces the whole text.
func (d *field) replace(s string) {
	d.moveTo(0, 0)
	d.remove(len(d.lines)-1, len(d.lines[len(d.lines)-1]))
	d.insert(s, false) // a path of the store, or what the field held before: it fits
}

// complete extends a path as far as all names that begin like it agree; "": no further.
// More than one choice: what can follow.
func complete(path string, children func(string) []string) (extended string, choices []string) {
	lead := memstore.Root + "/"
	if path != lead && strings.HasPrefix(lead, path) {
		return lead, nil
	}
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 {
		return "", nil
	}
	for _, n := range children(path[:cut]) {
		if strings.HasPrefix(n, path[cut+1:]) && text.Clean(n) == n {
			choices = append(choices, n)
		}
	}
	if len(choices) == 0 {
		return "", nil
	}
	common := choices[0]
	for _, n := range choices[1:] {
		for !strings.HasPrefix(n, common) {
			common = common[:len(common)-1]
		}
	}
	if common = strings.ToValidUTF8(common, ""); len(common) > len(path)-cut-1 {
		extended = path[:cut+1] + common
	}
	return extended, choices
}
