package ui

import (
	"memcurator/keymap"
	"memcurator/render/theme"
)

// Hints are what the bottom bar says of a state: what is selected or shown, and what can be done next, the most useful first.
type Hints struct {
	Lead string
	Acts []Hint
}

// Hint is an act with its key, as far as the act has one where the focus is.
type Hint struct {
	Label string
	IDs   []keymap.ID // several are a pair, such as older and newer
}

// Act makes a hint.
func Act(label string, ids ...keymap.ID) Hint { return Hint{Label: label, IDs: ids} }

// Hinted is a screen, or a box, that knows what is useful next in its state. For others the key table does.
type Hinted interface{ Hints() Hints }

// Stated is a screen that says in the bottom bar how it stands, in front of the hints of the key table.
type Stated interface {
	Status() (string, theme.Paint)
}
