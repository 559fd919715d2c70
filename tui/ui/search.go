package ui

import "fmt"

// Step is which match of a search to go to.
type Step uint8

// The steps.
const (
	Stay     Step = iota
	Here          // to the first match from the cursor on
	Forward       // to the next one
	Backward      // to the one before
)

// StepBy is the step of n, or of N for back.
func StepBy(back bool) Step {
	if back {
		return Backward
	}
	return Forward
}

// Walk goes through the matches of a search that are listed whole: at once, or when they are
// known. The pane that searches owns it and makes a new one for each query.
type Walk struct {
	Current int  // the match under the cursor, -1 for none
	Done    bool // every match is listed
	owed    Step
}

// NewWalk is the walk of a search that has begun.
func NewWalk() Walk { return Walk{Current: -1} }

// Known is told that every match is listed. It returns the step that was asked for meanwhile.
func (w *Walk) Known() Step {
	owed := w.owed
	w.Done, w.owed = true, Stay
	return owed
}

// Go chooses the match of a step among count, and says so where it goes around the end or where
// there is none. nearest is the place to go to, outside of them behind the end or before the
// start. false: there is nowhere to go, or not yet.
func (w *Walk) Go(env *Env, step Step, query string, count int, nearest func(Step) int) bool {
	switch {
	case step == Stay:
		return false
	case !w.Done:
		w.owed = step
		return false
	case count == 0:
		env.Emit(Say{Level: Warn, Text: NotFoundText(query)})
		return false
	}
	at := nearest(step)
	if at < 0 || at >= count {
		env.Emit(Say{Text: WrappedText(step == Backward)})
		at = (at + count) % count
	}
	w.Current = at
	return true
}

// Texts of a search in a pane.
const (
	LabelSearch   = "searching"
	TextNoSearch  = "nothing to search for yet: {global/search} starts a search"
	LabelFind     = "searching the store"
	TextSearching = "searching... {global/back} cancels"
)

// MatchPlaceText is the state of a search with its cursor on a match. more: there are more than were counted.
func MatchPlaceText(query string, at, count int, more bool) string {
	plus := ""
	if more {
		plus = "+"
	}
	return fmt.Sprintf("%q: match %s of %s%s", query, Number(at), Number(count), plus)
}

// MatchText is the state of a search that has no match under its cursor.
func MatchText(query string, count int, counting bool) string {
	if counting {
		return fmt.Sprintf("%q: %s so far", query, Number(max(0, count)))
	}
	return fmt.Sprintf("%q: %s", query, CountMatches(count))
}

// NotFoundText says that a search has no match.
func NotFoundText(query string) string { return fmt.Sprintf("no match for %q", query) }

// WrappedText says that the search went around the end of the file.
func WrappedText(backward bool) string {
	if backward {
		return "search went on from the end"
	}
	return "search went on from the start"
}
