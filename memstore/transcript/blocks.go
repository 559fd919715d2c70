package transcript

import (
	"regexp"
	"strings"
)

// The lines around what is searched and what takes its place.
var (
	searchBegins  = regexp.MustCompile(`^(?:-{3,}|<{3,}) SEARCH>?\s*$`)
	searchEnds    = regexp.MustCompile(`^={3,}\s*$`)
	replaceEnds   = regexp.MustCompile(`^(?:\+{3,}|>{3,}) REPLACE>?\s*$`)
	startLine     = regexp.MustCompile(`^:(?:start|end)_line:.*$`)
	noteEnds      = regexp.MustCompile(`^-{3,}\s*$`)
	escapedMarker = regexp.MustCompile(`^\\([-<=>+]{3,})`)
)

// parseBlocks is the edit of a file by blocks of text to search and replace, each of whole lines; false: there is none.
func parseBlocks(path, diff string) (pathEdit, bool) {
	var hunks []hunk
	var h *hunk
	replacing, notes := false, false
	for l := range strings.SplitSeq(diff, "\n") {
		switch {
		case h == nil && searchBegins.MatchString(l):
			h, replacing, notes = &hunk{}, false, true
		case h == nil:
		case notes && (startLine.MatchString(l) || noteEnds.MatchString(l) && len(h.old) == 0):
			notes = !noteEnds.MatchString(l)
		case !replacing && searchEnds.MatchString(l):
			replacing = true
		case replacing && replaceEnds.MatchString(l):
			hunks = append(hunks, *h)
			h = nil
		case replacing:
			h.new = append(h.new, escapedMarker.ReplaceAllString(l, "$1"))
		default:
			h.old, notes = append(h.old, escapedMarker.ReplaceAllString(l, "$1")), false
		}
	}
	if len(hunks) == 0 || h != nil {
		return pathEdit{}, false
	}
	return pathEdit{Path: path, Change: func(before string, exists bool) (string, bool) {
		for _, h := range hunks {
			var fits bool
			if before, fits = h.replace(before); !fits {
				return "", false
			}
		}
		return before, exists || len(hunks[0].old) == 0
	}}, true
}

// replace replaces lines of a text, wherever they are; a hunk without old lines replaces the whole text.
func (h hunk) replace(text string) (string, bool) {
	if len(h.old) == 0 {
		return strings.Join(h.new, "\n") + "\n", true
	}
	lines := strings.Split(text, "\n")
	at := find(lines, h.old, 0, false)
	if at < 0 {
		return "", false
	}
	lines = append(append(append([]string{}, lines[:at]...), h.new...), lines[at+len(h.old):]...)
	return strings.Join(lines, "\n"), true
}
