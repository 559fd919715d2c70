package tree

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/kit"
)

// viewport is the rows, which of them are on the screen, and the cursor. The cursor belongs to a path, so that it can be found again
// among other rows.
type viewport struct {
	env  *kit.Env
	rows rows
	list kit.List
	path string // agent path under the cursor
}

// cursor is the row under the cursor.
func (v *viewport) cursor() int {
	at, _ := v.list.At()
	return at
}

// node is what is known of the path under the cursor; nil while loading.
func (v *viewport) node() *memstore.Node {
	if v.cursor() < len(v.rows) {
		return v.rows[v.cursor()].node
	}
	return nil
}

func (v *viewport) moveTo(i int) {
	v.list.SetCount(len(v.rows))
	v.list.MoveTo(i)
	if len(v.rows) > 0 {
		v.path = v.rows.path(v.cursor())
	}
}

// announce reports that the user has gone to the path under the cursor.
func (v *viewport) announce() { v.env.Emit(kit.Select{Path: v.path}) }

// move performs a motion.
func (v *viewport) move(id keymap.ID) tea.Cmd {
	to, _ := kit.Motion(id, v.cursor(), len(v.rows), v.list.Height())
	v.moveTo(to)
	v.announce()
	return nil
}

// jumpTo goes to a row far off.
func (v *viewport) jumpTo(row int) tea.Cmd {
	v.list.JumpTo(row)
	v.moveTo(row)
	v.announce()
	return nil
}

// click moves the cursor to a row, counted from the top of the pane, and reports whether it was there.
func (v *viewport) click(row int) (again bool) {
	at := v.list.Top() + row
	if at >= len(v.rows) {
		return false
	}
	again = at == v.cursor()
	v.moveTo(at)
	if !again {
		v.announce()
	}
	return again
}
