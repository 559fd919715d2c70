package transcript

import "strconv"

// Boundaries are the places at which conversations were compacted or old results cleared, in the
// order in which they were read.
func (r *Reader) Boundaries() []Boundary { return r.boundaries }

// boundary takes a mark of compaction or clearing. What stands in it is looked at all the same: a
// block of a summary may stand beside calls.
func (r *Reader) boundary(o object, s scope) {
	kind := o.text("type")
	switch {
	case kind == "system" && o.text("subtype") == "compact_boundary",
		kind == "compaction" && o.get("content") != nil,
		kind == "agent.thread_context_compacted":
		r.mark(Boundary{Kind: Compaction}, s)
	}
	o.get("context_management").object().get("applied_edits").each(func(e value) {
		n, err := strconv.Atoi(string(e.object().get("cleared_tool_uses")))
		if err == nil && n > 0 {
			r.mark(Boundary{Kind: Clearing, Cleared: n}, s)
		}
	})
}

// mark keeps a boundary behind the newest call; the same one told again is one.
func (r *Reader) mark(b Boundary, s scope) {
	b.Session, b.Time = s.session, s.time
	if n := len(r.calls); n > 0 {
		b.after = r.calls[n-1]
	}
	if n := len(r.boundaries); n > 0 {
		if last := r.boundaries[n-1]; last.after == b.after && last.Kind == b.Kind && last.Session == b.Session {
			return
		}
	}
	r.boundaries = append(r.boundaries, b)
}
