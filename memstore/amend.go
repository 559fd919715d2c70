package memstore

// amended is the outcome of the Amend guards: the new bytes of the file, and their notes for the agent.
type amended struct {
	data  []byte
	notes string // each on its own line, preceded by a newline
}

// amend lets the guards change the bytes that an edit is about to write.
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

// recall returns old_str as the file has it now, in case a guard changed it when it was written.
func (r *request) recall(text []byte) string {
	c := r.c
	for _, g := range r.store.options.Guards {
		if g.Recall != nil {
			c.OldStr = g.Recall(r.ctx, c, text)
		}
	}
	return c.OldStr
}

// movedTo maps the offset at in old to changed, the text made from it. It relies on what the two have in common before the offset, or
// else after it.
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
