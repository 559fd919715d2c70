package findings

import "memcurator/memstore/scrub"

// MaskLine returns text[from:to] with its secrets masked: a line of the note at an agent path, of which text is all, or the line alone.
// Dismissed values stay readable; a nil state has none.
func MaskLine(e *scrub.Engine, state *State, path string, text []byte, from, to int) string {
	masked, done := []byte(nil), from
	for _, f := range e.Find(path, text) {
		start, stop := max(f.Start, done), min(f.End, to)
		if start >= stop {
			continue
		}
		value := e.Plain(path, text, f)
		if state.Dismissed(f.Class, value) {
			continue
		}
		masked = append(masked, text[done:start]...)
		if start == f.Start && stop == f.End {
			masked = append(masked, Mask(f.Class, value)...)
		} else { // the rest of it is in another line
			masked = append(masked, Mask("", "")...)
		}
		done = stop
	}
	return string(append(masked, text[done:to]...))
}

// Count counts the secrets in the text of the note at an agent path. Dismissed values and binary texts have none; a nil state has no
// dismissals.
func Count(e *scrub.Engine, state *State, path string, text []byte) (n int) {
	if scrub.IsBinary(text) {
		return 0
	}
	for _, f := range e.Find(path, text) {
		if !state.Dismissed(f.Class, e.Plain(path, text, f)) {
			n++
		}
	}
	return n
}
