package transcript

import (
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Boundary is a place in a conversation from which on the agent has not before its eyes any more
// what it had seen.
type Boundary struct {
	Kind    string // see below
	Session string
	Step    int // the last step before it; set by [Track.SetBoundaries]
	Cleared int // tool uses that were cleared, where the transcript tells
	Time    string
	// Exact says that the transcript shows which results were cleared; Steps are those of them that are calls
	// of the memory, set by [Track.SetBoundaries].
	Exact bool
	Steps []int
	// Inputs says that their inputs were cleared too.
	Inputs bool

	after *Call   // the newest call when it was read; nil: none
	calls []*Call // whose results were cleared
}

// The kinds of [Boundary].
const (
	Compaction = "compaction" // the conversation was summed up
	Clearing   = "clearing"   // old results were taken out
)

// Boundaries are the places at which conversations were compacted or old results cleared, in the
// order in which they were read.
func (r *Reader) Boundaries() []Boundary { return r.boundaries }

// used is a call of any tool in a conversation; call is nil where it is none of the memory.
type used struct {
	tool string
	call *Call
}

// clearing is what is known of the conversation of a session, to tell which results were cleared: the server
// takes the oldest calls first, but for tools that the request excludes.
type clearing struct {
	uses    []used // of the conversation that was given whole last, in its order
	exclude []string
	inputs  bool
}

// clearingOf is that of a session, made where there is none.
func (r *Reader) clearingOf(s scope) *clearing {
	c := r.clearing[s.session]
	if c == nil {
		c = &clearing{}
		r.clearing[s.session] = c
	}
	return c
}

// uses notes a tool use of a conversation that is given whole.
func (r *Reader) uses(tool string, c *Call, s scope) {
	if s.inside {
		told := r.clearingOf(s)
		told.uses = append(told.uses, used{tool, c})
	}
}

// boundary takes a mark of compaction or clearing. What stands in it is looked at all the same: a
// block of a summary may stand beside calls.
func (r *Reader) boundary(o rawjson.Object, s scope) {
	kind := o.Text("type")
	switch {
	case kind == "system" && o.Text("subtype") == "compact_boundary",
		kind == "compaction" && o.Get("content") != nil,
		kind == "agent.thread_context_compacted":
		r.mark(Boundary{Kind: Compaction}, s)
	}
	management := o.Get("context_management").Object()
	management.Get("edits").Each(func(e rawjson.Value) {
		if o := e.Object(); strings.HasPrefix(o.Text("type"), "clear_tool_uses") {
			c := r.clearingOf(s)
			c.exclude, c.inputs = nil, o.Get("clear_tool_inputs").IsTrue() || o.Get("clear_tool_inputs").IsArray()
			o.Get("exclude_tools").Each(func(t rawjson.Value) { c.exclude = append(c.exclude, t.Text()) })
		}
	})
	management.Get("applied_edits").Each(func(e rawjson.Value) {
		n, err := strconv.Atoi(string(e.Object().Get("cleared_tool_uses")))
		if err != nil || n <= 0 {
			return
		}
		b := Boundary{Kind: Clearing, Cleared: n}
		if c := r.clearing[s.session]; c != nil {
			b.Inputs = c.inputs
			b.calls, b.Exact = c.oldest(n)
		}
		r.mark(b, s)
	})
}

// oldest are the calls of the memory among the first n tool uses that may be cleared; false: there are not
// so many, so it is not known which they are.
func (c *clearing) oldest(n int) (calls []*Call, known bool) {
	for _, u := range c.uses {
		if slices.Contains(c.exclude, u.tool) {
			continue
		}
		if n == 0 {
			break
		}
		if n--; u.call != nil {
			calls = append(calls, u.call)
		}
	}
	if n > 0 {
		return nil, false
	}
	return calls, true
}

// lost notes a result that was told before and is a placeholder now.
func (r *Reader) lost(c *Call) {
	if !r.book.lost[c] {
		r.book.lost[c] = true
		r.record.lost = append(r.record.lost, c)
	}
}

// markLost puts the clearing behind the newest call of the conversation that shows it.
func (r *Reader) markLost(s scope) {
	if len(r.record.lost) > 0 {
		r.mark(Boundary{Kind: Clearing, Cleared: len(r.record.lost), Exact: true, calls: r.record.lost}, s)
		r.record.lost = nil
	}
}

// mark keeps a boundary behind the newest call; the same one told again is one.
func (r *Reader) mark(b Boundary, s scope) {
	b.Session, b.Time = s.session, s.time
	if n := len(r.calls); n > 0 {
		b.after = r.calls[n-1]
	}
	if n := len(r.boundaries); n > 0 {
		if last := r.boundaries[n-1]; last.after == b.after && last.Kind == b.Kind && last.Session == b.Session &&
			slices.Equal(last.calls, b.calls) {
			return
		}
	}
	r.boundaries = append(r.boundaries, b)
}
