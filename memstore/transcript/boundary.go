package transcript

import (
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Boundary is a place in a conversation after which the agent no longer sees
// what it had seen.
type Boundary struct {
	Kind    string // see below
	Session string
	Step    int // the last step before it; set by [Track.SetBoundaries]
	Cleared int // cleared tool uses, where the transcript counts them
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
	compaction = "compaction" // the conversation was summed up
	Clearing   = "clearing"   // old results were cleared
)

// Boundaries are the places at which conversations were compacted or old results cleared, in the
// order in which they were read.
func (r *Reader) Boundaries() []Boundary { return r.boundaries.list }

// used is a call of any tool in a conversation; call is nil for other tools than memory.
type used struct {
	tool string
	call *Call
}

// clearing is what is known of the conversation of a session, to tell which results were cleared: the server
// takes the oldest calls first, except for tools that the request excludes.
type clearing struct {
	uses    []used // of the conversation that was given whole last, in its order
	exclude []string
	inputs  bool
}

// boundaries collects the boundaries of all sessions.
type boundaries struct {
	list     []Boundary
	clearing map[string]*clearing // by session
}

// clearingOf is that of a session, made where there is none.
func (bs *boundaries) clearingOf(session string) *clearing {
	c := bs.clearing[session]
	if c == nil {
		c = &clearing{}
		bs.clearing[session] = c
	}
	return c
}

// uses notes a tool use of a conversation that is given whole.
func (bs *boundaries) uses(tool string, c *Call, s scope) {
	if s.inside {
		of := bs.clearingOf(s.session)
		of.uses = append(of.uses, used{tool, c})
	}
}

// read takes a mark of compaction or clearing; after is the newest call. The contents of the mark are walked nevertheless: a
// block of a summary may be beside calls.
func (bs *boundaries) read(o rawjson.Object, s scope, after *Call) {
	kind := o.Text("type")
	switch {
	case kind == "system" && o.Text("subtype") == "compact_boundary",
		kind == "compaction" && o.Get("content") != nil,
		kind == "compacted" && o.Get("payload") != nil,
		kind == "agent.thread_context_compacted":
		bs.mark(Boundary{Kind: compaction}, s, after)
	}
	management := o.Get("context_management").Object()
	management.Get("edits").Each(func(e rawjson.Value) {
		if o := e.Object(); strings.HasPrefix(o.Text("type"), "clear_tool_uses") {
			c := bs.clearingOf(s.session)
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
		if c := bs.clearing[s.session]; c != nil {
			b.Inputs = c.inputs
			b.calls, b.Exact = c.oldest(n)
		}
		bs.mark(b, s, after)
	})
}

// oldest are the calls of the memory among the first n tool uses that may be cleared; false: there are
// fewer than n, so it is unknown which were cleared.
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

// markLost puts the clearing of results behind the newest call of the conversation that shows it.
func (bs *boundaries) markLost(lost []*Call, s scope, after *Call) {
	if len(lost) > 0 {
		bs.mark(Boundary{Kind: Clearing, Cleared: len(lost), Exact: true, calls: lost}, s, after)
	}
}

// mark keeps a boundary behind the newest call; the same one told again is one.
func (bs *boundaries) mark(b Boundary, s scope, after *Call) {
	b.Session, b.Time, b.after = s.session, s.time, after
	if n := len(bs.list); n > 0 {
		if last := bs.list[n-1]; last.after == b.after && last.Kind == b.Kind && last.Session == b.Session &&
			slices.Equal(last.calls, b.calls) {
			return
		}
	}
	bs.list = append(bs.list, b)
}
