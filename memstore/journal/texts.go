package journal

import (
	"unicode/utf8"

	"memcurator/memstore"
)

// textMost is how many bytes of a text that a caller gives are kept: sessions, models, ids of calls, names of actors,
// commands and groups. An agent chooses some of them, and they are kept with every edit. Paths have their own limit.
const textMost = 256

// cutText is the beginning of a text, up to textMost and whole runes.
func cutText(s string) string {
	if len(s) <= textMost {
		return s
	}
	end := textMost
	for end > textMost-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// cutOrigin is an origin as it enters the journal.
func cutOrigin(o memstore.Origin) memstore.Origin {
	o.Actor = memstore.Actor(cutText(string(o.Actor)))
	for _, s := range []*string{&o.Session, &o.Model, &o.ToolUseID, &o.Group, &o.As} {
		*s = cutText(*s)
	}
	return o
}
