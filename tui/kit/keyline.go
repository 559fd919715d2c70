package kit

import (
	"fmt"

	"memcurator/keymap"
)

// KeyLineText is the column, in cells, where the description of keys begins in a line of the help.
const KeyLineText = 22

// KeyLine is one line of the help: keys and their description.
func KeyLine(a keymap.Action, ascii bool) string {
	keys := a.KeyText(ascii)
	if a.Name != "" && len(a.Keys) == 0 {
		keys = ":" + a.Name
	}
	return fmt.Sprintf("  %-*s %s", KeyLineText-3, keys, a.Help)
}
