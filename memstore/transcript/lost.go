package transcript

import "slices"

// SetBoundaries puts the places of compaction and clearing in place; they are the reader's.
func (t *Track) SetBoundaries(list []Boundary) {
	t.mu.Lock()
	defer t.mu.Unlock()
	number := make(map[*Call]int, len(t.steps))
	for i, c := range t.told {
		number[c] = i + 1
	}
	t.marks = make([]Boundary, 0, len(list))
	for _, b := range list {
		b.Step, b.Steps = number[b.after], nil
		for _, c := range b.calls {
			if n := number[c]; n > 0 {
				b.Steps = append(b.Steps, n)
			}
		}
		slices.Sort(b.Steps)
		t.marks = append(t.marks, b)
	}
	slices.SortStableFunc(t.marks, func(a, b Boundary) int { return a.Step - b.Step })
}

// Boundaries are those of the track, by step.
func (t *Track) Boundaries() []Boundary {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Clip(t.marks)
}

// LostAfter is the step after which the result of step n was cleared from its conversation; 0: it was not,
// or it is not told.
func (t *Track) LostAfter(n int) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, b := range t.marks {
		if slices.Contains(b.Steps, n) {
			return b.Step
		}
	}
	return 0
}

// failed reports whether what was recorded says that the call failed.
func (s *Step) failed() bool {
	return s.Result.IsError || s.Family == Memory && s.Result.Failed()
}

// shows reports whether the agent got an answer that it can have read.
func (s *Step) shows() bool {
	return s.Result != nil && !s.failed() && !isCleared(s.Result.Text)
}
