package browse

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
	"memcurator/tui/timeline"
)

// era is the time whose store a screen shows: the present, or a moment of the past.
type era struct {
	screen *Screen
	until  int64 // bounds the revisions of the past, which have lower numbers; 0: this is the present
}

// past reports whether a moment of the past is shown.
func (e *era) past() bool { return e.until != 0 }

// rev is the revision after which the past is shown.
func (e *era) rev() int64 { return e.until - 1 }

// step goes to an older or newer change of the open file, or, in the past, to an older or newer moment.
func (e *era) step(by int) tea.Cmd {
	if s := e.screen; !e.past() || !s.isShown() {
		return s.Diff.stepChange(by)
	}
	return e.screen.travel.Step(by)
}

// travel goes to the revision under the cursor of the history; from the past it comes back, as the banner says.
func (e *era) travel() tea.Cmd {
	s := e.screen
	if e.past() {
		return s.travel.Back()
	}
	r, ok := s.history.Selected()
	if s.Tabs.at != History || !ok || !s.isShown() {
		s.shell.Tell(kit.Info, s.Env.Keyed(timeline.TextPresent))
		return nil
	}
	return s.travel.ToRevision(r)
}

// restore restores the file of the revision in sight as of then; in the past, that under the cursor as of the moment that is shown.
func (e *era) restore() tea.Cmd {
	s := e.screen
	if e.past() && !(s.Tabs.versioned() && s.shell.OnDetail()) {
		return s.travel.restore(s.PathAtCursor())
	}
	return s.Edits.Restore(s.Revision())
}

func (e *era) whyNoRestore() kit.Say {
	if s := e.screen; !e.past() && !s.Tabs.versioned() {
		return kit.Say{Text: s.Env.Keyed("{global/restore} needs a version. {global/tab-next} opens the history")}
	}
	return kit.Say{}
}
