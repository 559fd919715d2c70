package browse

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/past"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// Journeys are what [Travel] does for a screen.
type Journeys struct {
	// Travel goes to a revision, Return comes back from it, StepInTime goes to another one.
	Travel     func(past.Revision) tea.Cmd
	Return     func() tea.Cmd
	StepInTime func(by int) tea.Cmd
	// RestoreThen restores a file as of the moment that is shown.
	RestoreThen func(path string) tea.Cmd
	// Prepare reads ahead what journeys need.
	Prepare func() tea.Cmd
}

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
	return e.screen.Journeys.StepInTime(by)
}

// travel goes to the revision under the cursor of the history; from the past it comes back, as the banner says.
func (e *era) travel() tea.Cmd {
	s := e.screen
	if e.past() {
		return s.Journeys.Return()
	}
	r, ok := s.history.Selected()
	if s.Tabs.at != History || !ok || !s.isShown() {
		s.shell.Tell(ui.Info, s.Env.Keyed(timeline.TextPresent))
		return nil
	}
	return s.Journeys.Travel(r)
}

// restore restores the file of the revision in sight as of then; in the past, that under the cursor as of the moment that is shown.
func (e *era) restore() tea.Cmd {
	s := e.screen
	if e.past() && !(s.Tabs.versioned() && s.shell.OnDetail()) {
		return s.Journeys.RestoreThen(s.PathAtCursor())
	}
	return s.Edits.Restore(s.Revision())
}

func (e *era) whyNoRestore() ui.Say {
	if s := e.screen; !e.past() && !s.Tabs.versioned() {
		return ui.Say{Text: s.Env.Keyed("{global/restore} needs a version. {global/tab-next} opens the history")}
	}
	return ui.Say{}
}
