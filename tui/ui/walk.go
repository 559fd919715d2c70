package ui

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
