package tui

import (
	"testing"

	"memcurator/keymap"
	"memcurator/render/theme"
)

// What works everywhere must be bound by the shell or by Browse: other screens need not be there.
func TestEveryGlobalActionIsBound(t *testing.T) {
	d := start(t, setup{dir: t.TempDir(), w: 80, h: 24, theme: theme.Options{}})
	for _, a := range d.m.env.Keys.InScope(keymap.Global) {
		if !a.NeedsWord() && !d.m.dispatch.own.Has(a.ID) && !d.browse().Actions().Has(a.ID) {
			t.Errorf("%s (%v) is bound to nothing", a.ID, a.Keys)
		}
	}
}
