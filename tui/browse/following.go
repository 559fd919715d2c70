package browse

import (
	tea "charm.land/bubbletea/v2"

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
	if list := f.screen.Feed.Revisions(); len(list) > 0 {
		return f.screen.ShowChange(list[len(list)-1])
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
