package tui

import (
	"fmt"
	"testing"

	"memcurator/keymap"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
)

// inSight calls visit with every pane of every screen having the focus.
func (d *driver) inSight(visit func(where string, p kit.Pane)) {
	d.t.Helper()
	for _, row := range d.m.stage.screens {
		d.run(d.m.show(row.id))
		d.rest()
		for _, f := range []focus{onList, onDetail} {
			d.run(d.m.stage.focusOn(f))
			tabs := []browse.TabName{d.browse().Tabs.At()}
			if row.id == keymap.ScreenBrowse && f == onDetail {
				tabs = []browse.TabName{browse.View, browse.Diff, browse.History, browse.Blame, browse.Rendered, browse.Load, browse.Search}
			}
			for _, tab := range tabs {
				d.browse().Tabs.Show(tab)
				visit(fmt.Sprintf("%s, pane %d, tab %d", row.name, f, tab), d.m.stage.focused())
			}
		}
	}
}

// A key that is looked up in the scopes of a pane must do something there, and the same thing however it is asked for.
func TestEveryRowOfTheKeyTableIsBoundWhereItsScopeIs(t *testing.T) {
	d := start(t, setup{
		dir: files(t, map[string]string{"a.md": "a"}), w: 120, h: 35, theme: dark, journal: t.TempDir(), stores: listed(),
	})
	visited := map[keymap.Scope]bool{}
	visit := func(d *driver, where string, p kit.Pane) {
		for _, scope := range append(p.Scopes(), keymap.Motion, keymap.Global) {
			visited[scope] = true
			for _, a := range d.m.env.Keys.InScope(scope) {
				bound := 0
				for _, table := range d.m.allActions() {
					if table.Has(a.ID) {
						bound++
					}
				}
				if bound == 0 {
					t.Errorf("%s: %s of %s is bound to nothing", where, a.ID, scope)
				}
			}
		}
	}
	d.inSight(func(where string, p kit.Pane) { visit(d, where, p) })
	r := replayDriver(t, dark, 120, 35)
	for _, f := range []focus{onList, onDetail} {
		r.run(r.m.stage.focusOn(f))
		visit(r, "a replay", r.m.stage.focused())
	}
	for _, scope := range Keys().Scopes() {
		if scope.OnScreen() && !visited[scope] {
			t.Errorf("no pane has the scope %s", scope)
		}
	}
}
