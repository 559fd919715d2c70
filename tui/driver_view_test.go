package tui

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/tui/browse"
	"memcurator/tui/curate"
)

// opens shows an agent path in the view tab, focused and over the whole screen.
func (d *driver) opens(path string) {
	d.t.Helper()
	d.browse().Tabs.Show(browse.View)
	d.m.stage.focus, d.m.stage.zoom = onDetail, true
	d.run(d.browse().Select(path, true))
	d.run(d.m.stage.relayout())
	d.rest()
	if d.browse().View.Path() != path {
		d.t.Fatalf("%q was asked for, %q is shown", path, d.browse().View.Path())
	}
}

// viewRows are the rows of the zoomed main pane without its title.
func (d *driver) viewRows() []string {
	rows, _ := d.m.frame()
	in := below(d.m.stage.layout.detail)
	out := make([]string, in.H)
	for i := range out {
		out[i] = ansi.Strip(rows[in.Y+i])
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

// brief reports whether a test that takes long has to do with a part of its cases.
func brief() bool { return slow || testing.Short() }

// proposals is the list of the Curate screen.
func (d *driver) proposals() *curate.Pane { return d.m.curate.List().(*curate.Pane) }
