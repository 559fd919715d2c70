package text

import (
	"regexp"
	"strings"
)

// shortID is the width of a shortened ID, in cells.
const shortID = 8

// LongID is the maximum width of an ID made of words if there is room.
const LongID = 32

// FitID returns an ID in full if it fits into room cells and is not longer than [LongID], else shortened by [ShortID].
func FitID(id string, room int) string {
	if id = Clean(id); Width(id) <= min(room, LongID) {
		return id
	}
	return ShortID(id)
}

// alike matches prefixes that many IDs share: a time, and a kind before it; or the kind of IDs that a service makes.
var alike = regexp.MustCompile(`^(?i:` + kinds + `[-_:.])?` +
	`\d{4}[-_.]?\d{2}[-_.]?\d{2}(?:[T_ .-]?\d{2}[-:_.]?\d{2}(?:[-:_.]?\d{2}(?:[.,]\d+)?)?Z?)?(?:[-_:.T]|$)|^(?i:` + kinds + `_)`)

const kinds = `(?:session|sess|conversation|conv|thread|rollout|agent|chat|run)`

// uuid matches the beginning of a UUID, anywhere.
var uuid = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-`)

// dated matches a day and a time of day at the end, as in the sessions of the MCP server: "claude-code-20261130-183125".
var dated = regexp.MustCompile(`.[-_]\d{8}[-_T]\d{6}$`)

// timeDigits are those of a time of day.
const timeDigits = 6

// ShortID shortens the ID of a session to its distinctive part: the first digits of a UUID, the time of day behind a name and a day, else
// the beginning, without a time that others begin with too. If the ID is only a time, that is its end.
func ShortID(id string) string {
	id = Clean(id)
	if Width(id) <= shortID {
		return id
	}
	if found := uuid.FindString(id); found != "" {
		return found[:shortID]
	}
	if alike.FindString(id) == "" && dated.MatchString(id) {
		return id[len(id)-timeDigits:]
	}
	if rest := id[len(alike.FindString(id)):]; rest != "" {
		return Truncate(rest, shortID, "")
	}
	return TruncateLeft(strings.TrimSuffix(id, "Z"), shortID, "")
}
