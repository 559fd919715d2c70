package ui

import (
	"fmt"

	"memcurator/keymap"
)

// KeyLineText is the column of a line of the help where the effect of the keys begins, in cells.
const KeyLineText = 22

// KeyLine is one line of the help: the keys, then what they do.
func KeyLine(a keymap.Action, ascii bool) string {
	keys := a.KeyText(ascii)
	if a.Name != "" && len(a.Keys) == 0 {
		keys = ":" + a.Name
	}
	return fmt.Sprintf("  %-*s %s", KeyLineText-3, keys, a.Help)
}
