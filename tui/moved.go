package tui

import (
	"maps"
	"slices"

	"memcurator/tui/ui"
)

// movedKeys are the keys that meant another thing before version 2 of the layout, with what they mean now and where that went.
var movedKeys = map[string]string{
	"a":     "approves; {global/follow} follows the agent",
	"r":     "reverts; {global/mark-read} approves",
	"R":     "restores; {view/replace-line} replaces a line",
	"x":     "lists what you can do here; {history/revert} reverts",
	"D":     "declines; {tree/compare} compares",
	"d":     "deletes; a diff of a secret is always shown",
	"t":     "travels there and back; {global/browse} goes to the tree",
	"s":     "splits a diff; {tree/sort} orders",
	"space": "selects; {motion/page-down} pages, {replay/replay-play} plays",
	"!":     "opens alerts; {global/findings} shows secrets",
	"c":     "creates; {global/focus-next} goes to the live changes",
	"n":     "finds the next match; {tree/new-file} creates, {curate/never} declines",
	"m":     "moves; {replay/replay-main} hides subagents, {global/edit} edits proposals",
	"e":     "edits; {replay/replay-diverge-next} goes to the next difference",
	"i":     "explains; {replay/replay-put} restores from a replay",
	"o":     "orders; {changes/open-file} browses to the file",
	"*":     "reveals; {tree/mark-invert} inverts the selection",
	"J":     "scrolls the preview; {global/call-of} goes to the call",
	"T":     "goes to the call; {global/theme} changes colors",
	",":     "goes to the previous unread; {global/older} steps older",
}

// moved explains each moved key once to a user of an older version; until then the key does nothing.
type moved struct {
	env  *ui.Env
	say  *messages
	left map[string]bool // that are to be told; empty for new users
}

// restore takes the keys still to explain. since is the version of the keys that the user knew last, 0 before the first.
func (k *moved) restore(since int, left []string) {
	k.left = map[string]bool{}
	if since < keysVersion {
		left = slices.Collect(maps.Keys(movedKeys))
	}
	for _, key := range left {
		k.left[key] = true
	}
}

// keysVersion is raised when keys get other verbs.
const keysVersion = 2

// tells reports whether it just explained a key, which then does nothing.
func (k *moved) tells(key string) bool {
	if !k.left[key] || movedKeys[key] == "" {
		return false
	}
	delete(k.left, key)
	k.say.tell(ui.Warn, k.text(key))
	return true
}

// text says what a key means now.
func (k *moved) text(key string) string { return key + " now " + k.env.Keyed(movedKeys[key]) }

// remaining are the keys still to explain, sorted.
func (k *moved) remaining() []string { return slices.Sorted(maps.Keys(k.left)) }
