package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
)

// Following shows each change as it is made, until the user moves.
type Following struct {
	screen *Screen
	on     bool
}

// On reports whether changes are followed.
func (f *Following) On() bool { return f.on }

// Start follows changes from the next one on.
func (f *Following) Start() { f.on = true }

// toggle starts or stops showing each change as it is made; it starts with the newest.
func (f *Following) toggle() tea.Cmd {
	if f.on {
		f.Stop()
		return nil
	}
	f.on = true
	return f.show(f.screen.Feed.Revisions())
}

// show shows the newest change of some that the user didn't make.
func (f *Following) show(list []past.Revision) tea.Cmd {
	for _, r := range slices.Backward(list) {
		if r.Actor != memstore.Curator {
			return f.screen.ShowChange(r)
		}
	}
	return nil
}

// Stop leaves the screen to the user as soon as the user moves.
func (f *Following) Stop() {
	if f.on {
		f.on = false
		f.screen.shell.Tell(kit.Info, f.screen.Env.Keyed("Stopped following. {global/follow} follows again"))
	}
}
