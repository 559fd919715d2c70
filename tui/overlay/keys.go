package overlay

import (
	"memcurator/keymap"
	"memcurator/tui/kit"
)

// Declare adds the keys of boxes, and of a line being typed, to the key table.
func Declare(env *kit.Env) {
	env.Declare(keymap.Overlay, []kit.Action{
		{ID: keymap.Close, Keys: "esc q enter", Help: "close", Hint: "close"},
		{ID: keymap.OverlayCopy, Keys: "y", Help: "copy the text", Hint: "copy"},
	})
	env.Declare(keymap.Copy, []kit.Action{
		{ID: keymap.CopyPath, Keys: "p y", Help: "copy the path as the agent writes it, or every selected one"},
		{ID: keymap.CopyLine, Keys: "l", Help: "copy the line under the cursor"},
		{ID: keymap.CopyOutput, Keys: "o", Help: "copy the whole text that view returns"},
		{ID: keymap.CopyDiff, Keys: "d", Help: "copy the diff as a patch"},
	})
	env.Declare(keymap.ActionMenu, []kit.Action{
		{ID: keymap.Accept, Keys: "enter", Help: "run the action", Hint: "run"},
		{ID: keymap.OverlayFind, Keys: "/", Help: "find an action", Hint: "find"},
		{ID: keymap.Close, Keys: "esc q x ?", Help: "close the list", Hint: "close"},
	})
	env.Declare(keymap.Confirm, []kit.Action{
		{ID: keymap.Yes, Keys: "y enter", Help: "confirm", Hint: "yes"},
		{ID: keymap.No, Keys: "n esc q", Help: "cancel", Hint: "no"},
	})
	env.Declare(keymap.Input, []kit.Action{
		{ID: keymap.Accept, Keys: "enter", Help: "run the line"},
		{ID: keymap.Cancel, Keys: "esc ctrl+c", Help: "cancel the line"},
		{ID: keymap.Complete, Keys: "tab", Help: "complete the name or the path"},
		{ID: keymap.HistoryOlder, Keys: "up ctrl+p", Help: "recall the previous line"},
		{ID: keymap.HistoryNewer, Keys: "down ctrl+n", Help: "recall the next line"},
	})
}
