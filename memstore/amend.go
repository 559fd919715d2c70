package memstore

// amended are the bytes of an edit after the guards, and what those have to say.
type amended struct {
	data  []byte
	notes string // each on a line of its own, with the newline before it
}

// amend lets the guards change the bytes that an edit is going to leave.
func (r *request) amend(before, after []byte) (amended, *Error) {
	a := amended{data: after}
	for _, g := range r.store.options.Guards {
		if g.Amend == nil {
			continue
		}
		got, err := g.Amend(r.ctx, r.c, before, a.data)
		if err != nil {
			return a, r.refused(err)
		}
		if got.Data != nil {
			a.data = got.Data
		}
		if got.Note != "" {
			a.notes += "\n" + oneLine(got.Note)
		}
	}
	return a, nil
}

// recall is old_str as it is in the file, where a guard changed it when it was written.
func (r *request) recall(text []byte) string {
	c := r.c
	for _, g := range r.store.options.Guards {
		if g.Recall != nil {
			c.OldStr = g.Recall(r.ctx, c, text)
		}
	}
	return c.OldStr
}

// movedTo is where the place at in old is in the text that was made of it: what both have
// in common before the place, or else after it, tells.
func movedTo(old, changed []byte, at int) int {
	same := 0
	for same < at && same < len(changed) && old[same] == changed[same] {
		same++
	}
	if same == at {
		return at
	}
	tail := 0
	for tail < len(old)-at && tail < len(changed) && old[len(old)-1-tail] == changed[len(changed)-1-tail] {
		tail++
	}
	if tail == len(old)-at {
		return len(changed) - tail
	}
	return same
}
