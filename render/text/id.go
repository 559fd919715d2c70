package text

import (
	"regexp"
	"strings"
)

// shortID is how many cells an id is cut to.
const shortID = 8

// LongID is how many cells an id made of words may take where there is room for it.
const LongID = 24

// FitID is an id in full if it fits into room cells and is not longer than [LongID], else abbreviated by [ShortID].
func FitID(id string, room int) string {
	if id = Clean(id); Width(id) <= min(room, LongID) {
		return id
	}
	return ShortID(id)
}

// alike is what many ids begin with: what they are of, and when that was. It distinguishes none from the next.
var alike = regexp.MustCompile(`^(?i:(?:session|sess|conversation|conv|thread|rollout|agent|chat|run)[-_:.])?` +
	`(?:\d{4}[-_.]?\d{2}[-_.]?\d{2}(?:[T_ .-]?\d{2}[-:_.]?\d{2}(?:[-:_.]?\d{2}(?:[.,]\d+)?)?Z?)?(?:[-_:.T]|$))?`)

// ShortID abbreviates the id of a session to what distinguishes it from others: its beginning, without a word or a date that others
// begin with too. Of an id that is nothing but a time it is the end.
func ShortID(id string) string {
	id = Clean(id)
	if Width(id) <= shortID {
		return id
	}
	if rest := id[len(alike.FindString(id)):]; rest != "" {
		return Truncate(rest, shortID, "")
	}
	return TruncateLeft(strings.TrimSuffix(id, "Z"), shortID, "")
}
