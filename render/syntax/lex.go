package syntax

import "memcurator/render/flow"

// piece is a run of bytes of one role within a line.
type piece struct {
	n    int // bytes
	role flow.Role
}

// Highlight adds a line of code, without its end, to b and returns the state for the next line; the state of the first one is 0. A nil
// language adds it unhighlighted, with the look of plain.
func (l *Language) Highlight(b *flow.Builder, line []byte, state uint8, plain flow.Span) uint8 {
	if l == nil {
		b.Text(line, plain)
		return 0
	}
	rest := line
	pending := piece{role: flow.Plain}
	flush := func() {
		look := plain
		if pending.role != flow.Plain {
			look.Role = pending.role
		}
		n := min(pending.n, len(rest))
		b.Text(rest[:n], look)
		rest = rest[n:]
	}
	state = l.scan(line, state, func(n int, role flow.Role) {
		if role != pending.role {
			flush()
			pending = piece{role: role}
		}
		pending.n += n
	})
	flush()
	return state
}
