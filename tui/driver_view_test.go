package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// settle takes messages until no job is under way. It waits for nothing else, so it
// is much faster than rest where no other program changes the store.
func (d *driver) settle() {
	d.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case msg := <-d.messages:
			d.take(msg)
			continue
		default:
		}
		if !d.m.Busy() {
			return
		}
		select {
		case msg := <-d.messages:
			d.take(msg)
		case <-deadline:
			d.t.Fatalf("still busy after %v; screen:\n%s", patience, d.screen())
		}
	}
}

// keys is press for keys that only start jobs.
func (d *driver) keys(names ...string) {
	d.t.Helper()
	for _, k := range names {
		d.take(keyPress(k))
		d.settle()
	}
}

// size is resize for a screen on which nothing else happens.
func (d *driver) size(w, h int) {
	d.t.Helper()
	d.take(tea.WindowSizeMsg{Width: w, Height: h})
	d.settle()
}

// opens shows an agent path in the view tab, focused and over the whole screen.
func (d *driver) opens(path string) {
	d.t.Helper()
	d.m.tab, d.m.focus, d.m.zoom = tabView, onMain, true
	d.run(d.m.selectPath(path, true))
	d.run(d.m.relayout())
	d.settle()
	if d.m.viewer.Path() != path {
		d.t.Fatalf("%q was asked for, %q is shown", path, d.m.viewer.Path())
	}
}

// viewRows are the rows of the zoomed main pane without its border.
func (d *driver) viewRows() []string {
	rows, _ := d.m.frame()
	in := inner(d.m.layout.main)
	out := make([]string, in.H)
	for i := range out {
		row := []rune(ansi.Strip(rows[in.Y+i]))
		out[i] = string(row[1 : len(row)-1])
	}
	return out
}

// body takes the gutter and the scroll bar from a row of the view tab.
func body(row string) string {
	r := []rune(row)
	return string(r[1 : len(r)-1])
}

func bodies(rows []string) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = body(row)
	}
	return out
}

// brief tells whether a test that takes long has to do with a part of its cases.
func brief() bool { return slow || testing.Short() }
