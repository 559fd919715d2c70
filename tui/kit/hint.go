package kit

import (
	"memcurator/keymap"
)

// Hints are what the bottom bar shows: what is selected or shown, and what the user can do next, most useful first. Without acts the key
// table has them.
type Hints struct {
	Lead string
	Acts []Hint
}

// Hint is an act with its keys, if the act has keys in the focused pane.
type Hint struct {
	Label string
	IDs   []keymap.ID // a pair if there are several, such as older and newer
}

// Act makes a hint.
func Act(label string, ids ...keymap.ID) Hint { return Hint{Label: label, IDs: ids} }

// Hinted is a screen or a dialog with hints for its state. Others get theirs from the key table.
type Hinted interface{ Hints() Hints }

// Legended is a screen whose list has signs. Its legend says what they mean, above the keys of the screen.
type Legended interface{ Legend() string }
