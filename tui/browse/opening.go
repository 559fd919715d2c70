package browse

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/act"
	"memcurator/tui/summary"
)

// Opening is the summary of what changed, shown in place of the tabs until the user moves.
type Opening struct {
	shell act.Shell
	pane  *summary.Pane // nil: none, as in the past
}

// Shown reports whether it is shown.
func (o *Opening) Shown() bool { return o.pane != nil && o.pane.Shown() }

// leave shows the tabs again, and reports whether the summary was shown.
func (o *Opening) leave() bool { return o.pane != nil && o.pane.Hide() }

// Changed brings the summary up to date if it is shown.
func (o *Opening) Changed() tea.Cmd {
	if o.pane == nil {
		return nil
	}
	return o.pane.Changed()
}

// Begin shows the summary of what changed since a time when the program begins.
func (o *Opening) Begin(since time.Time) {
	if o.pane != nil {
		o.pane.Since = since
		o.pane.Show()
	}
}

// show shows the summary until the user moves.
func (o *Opening) show() tea.Cmd {
	if o.pane == nil {
		return nil
	}
	o.pane.Show()
	return tea.Batch(o.pane.Read(), o.shell.Relayout())
}
