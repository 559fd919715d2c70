package plan

import "memcurator/keymap"

// Value is a secret in the list, one row for all its places. It is not an action of a plan: it is redacted or dismissed on a screen
// of its own.
type Value struct {
	ID   string
	Text string // the row: class, how bad it is, the value masked, where it is first
}

// OpenValue is the intent to show a secret, and with an action to do that there.
type OpenValue struct {
	ID   string
	Then keymap.ID
}
