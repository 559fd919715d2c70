package act

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
)

// Finder returns the revision that the user means. It may read the journal and runs in a job.
type Finder func(context.Context) (past.Revision, error)

// Shell is what a part of the screen that is about the open store may ask of the shell around it.
type Shell interface {
	kit.Shell
	// Node is what the tree on the screen has at an agent path; nil: nothing.
	Node(path string) *memstore.Node
	// OpenLine shows a note in Browse, at a line from 1; 0: at its place.
	OpenLine(path string, line int) tea.Cmd
	// Edit opens a note in the user's editor. EditText opens a text for it; ours is what the note must still contain when that is written.
	Edit(path string) tea.Cmd
	EditText(path string, ours, text []byte) tea.Cmd
	// Travel shows the store as of a revision.
	Travel(past.Revision) tea.Cmd
	// Place returns what leads back to the screen and the pane that have the focus now.
	Place() func() tea.Cmd
	// TraceCall shows the call of a transcript that made a revision. WhyNoCall is why that is impossible: of the zero revision only what
	// holds for all is known.
	TraceCall(Finder) tea.Cmd
	WhyNoCall(past.Revision) kit.Say
	// WhyPast is why what is shown can't be changed: it is the past. Without a text it is not.
	WhyPast() kit.Say
	// Needs are what waits for the user on other screens.
	Needs() []Need
	// Aside names the store while the screen in sight is about others, where an undo asks first; "": it is about this one.
	Aside() string
}

// Need is something that waits for the user on another screen.
type Need struct {
	Key    keymap.ID // of the action that leads there
	Text   string
	Urgent bool
}

// Changed is the intent to show what an edit has changed, in the lists of revisions, of proposals and of stores.
type Changed struct{}

// Made is the intent to go to a note that was written for the first time.
type Made struct{ Path string }

// Urgent is the intent to call people who look elsewhere: something happened that must not wait.
type Urgent struct{}

// Purged is the intent to drop what is shown of before a purge.
type Purged struct{}

// Secrets is the intent to show in the tree how many secrets notes have, by agent path.
type Secrets struct{ In map[string]int }
