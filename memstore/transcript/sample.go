package transcript

import (
	"bytes"
	"maps"
	"strconv"
	"strings"
)

// Samples of Inspect: the messages as they were at the end, and the events as they happened. Both
// tell of the same calls. The events have the times, and the calls that the messages lost when the
// conversation was compacted or that a subagent made; the messages have the turns.

// sampling is what is known of the sample under way.
type sampling struct {
	models int         // answers of the model so far
	turns  []eventTurn // calls that the events told of
	pool   []value     // messages that the events point to
}

// eventTurn is a call and the number of the model's answer it came with.
type eventTurn struct {
	call *Call
	turn int
}

// isSample tells a sample by its keys.
func isSample(o object) bool {
	messages, events := o.get("messages").isArray(), o.get("events")
	if !messages && !events.isArray() {
		return false
	}
	return o.get("epoch") != nil && o.get("id") != nil || isEvents(events) && (messages || o.get("events_data").isObject())
}

// isEvents tells a list of events by the first of them.
func isEvents(v value) bool {
	i := blanks(v, 1)
	return v.isArray() && i < len(v) && v[i] == '{' && v[i:valueEnd(v, i)].object().get("event").isString()
}

// sample takes a sample; false: it is none.
func (r *Reader) sample(o object, s scope, depth int) bool {
	if r.record.sample != nil || !isSample(o) {
		return false
	}
	s = s.within(o)
	if s.session == "" {
		s.session = sampleName(o)
	}
	if m := o.get("output").object().text("model"); m != "" && s.model == "" {
		s.model = m
	}
	r.record.sample = &sampling{}
	defer func() { r.record.sample = nil }()
	o.get("events_data").object().get("messages").each(func(m value) { r.record.sample.pool = append(r.record.sample.pool, m) })
	r.record.whole, r.record.times = true, map[string]int{}
	tools := r.toolEvents(o.get("events"), s, depth+1)
	if messages := o.get("messages"); messages.isArray() {
		r.messages(messages, s, depth)
	} else if !tools {
		r.modelEvents(o.get("events"), s, depth+1)
	}
	for _, t := range r.record.sample.turns {
		if t.call.Turn == 0 {
			t.call.Turn = t.turn
		}
	}
	return true
}

// sampleName is what a sample is called where it has no id of its own: its place in the data set and
// the number of the run.
func sampleName(o object) string {
	if id := o.text("uuid"); id != "" {
		return id
	}
	id := o.text("id")
	if id == "" {
		id = string(o.get("id"))
	}
	if epoch := string(o.get("epoch")); epoch != "" {
		id += "_epoch_" + epoch
	}
	return id
}

// toolEvents takes the calls in a list of events, and in the lists within them. any: there were calls.
func (r *Reader) toolEvents(events value, s scope, depth int) (any bool) {
	if depth > deepest {
		return false
	}
	events.each(func(e value) {
		o := e.object()
		s := s.within(o)
		switch o.text("event") {
		case "model":
			r.record.sample.models++
		case "compaction":
			r.mark(Boundary{Kind: Compaction}, s)
		case "tool":
			any = r.toolEvent(o, s) || any
		}
		if inner := o.get("events"); inner != nil {
			any = r.toolEvents(inner, s, depth+1) || any
		}
	})
	return any
}

// toolEvent takes a call with its result as one event has them; false: the event is none.
func (r *Reader) toolEvent(o object, s scope) bool {
	m := made{o.text("id"), o.text("function"), o.get("arguments")}
	if o.text("event") != "tool" || m.name == "" || m.input == nil {
		return false
	}
	if r.record.sample != nil {
		s.turn, s.inside = 0, true
	}
	r.made(m, s)
	if c := r.record.latest[m.id]; c != nil && r.record.sample != nil {
		r.record.sample.turns = append(r.record.sample.turns, eventTurn{c, r.record.sample.models})
	}
	if o.get("pending").isTrue() || o.get("result") == nil {
		return true
	}
	r.answered(withError(answered{id: m.id, content: o.get("result")}, o), s)
	return true
}

// withError takes the error beside a result: where there is one, its message is what the agent got.
func withError(a answered, o object) answered {
	e := o.get("error")
	if !e.isObject() {
		return a
	}
	a.isError, a.flagged = true, true
	if text := e.object().get("message"); text.isString() && strings.TrimSpace(contentText(a.content)) == "" {
		a.content = text
	}
	return a
}

// modelEvents takes the conversations of the model's events, for a sample that keeps nothing else.
func (r *Reader) modelEvents(events value, s scope, depth int) {
	events.each(func(e value) {
		o := e.object()
		if o.text("event") != "model" || depth > deepest {
			return
		}
		s := s.within(o)
		input := o.get("input")
		if refs := o.get("input_refs"); refs.isArray() {
			input = pooled(refs, r.record.sample.pool)
		}
		r.record.times, r.record.count = map[string]int{}, 0
		if conversation(input) {
			r.messages(input, s, depth)
		}
		r.walk(o.get("output").object().get("choices"), s, depth)
	})
}

// pooled is the conversation that pairs of numbers (from, and up to) choose from a pool.
func pooled(refs value, pool []value) value {
	var out bytes.Buffer
	refs.each(func(pair value) {
		var at []int
		pair.each(func(v value) {
			if n, err := strconv.Atoi(string(v)); err == nil {
				at = append(at, max(0, min(n, len(pool))))
			}
		})
		if len(at) != 2 || at[0] > at[1] {
			return
		}
		for _, m := range pool[at[0]:at[1]] {
			if out.Len() > MaxRecord {
				return
			}
			out.WriteByte("[,"[min(out.Len(), 1)])
			out.Write(m)
		}
	})
	if out.Len() == 0 {
		return nil
	}
	out.WriteByte(']')
	return out.Bytes()
}

// attachment is how the logs of Inspect name a text that is kept beside the messages.
const attachment = "attachment://"

// attached puts the texts that a sample keeps beside its messages in their places.
func (r *Reader) attached(v value) value {
	if len(r.record.texts) == 0 {
		return v
	}
	var out bytes.Buffer
	done := 0
	for at := bytes.IndexByte(v, '"'); at >= 0 && at < len(v) && out.Len() < MaxRecord; {
		end := stringEnd(v, at)
		if stackTop(v, end) != ':' { // no key
			if name, ok := strings.CutPrefix(v[at:end].text(), attachment); ok && r.record.texts[name] != nil {
				out.Write(v[done:at])
				out.Write(r.record.texts[name])
				done = end
			}
		}
		next := bytes.IndexByte(v[end:], '"')
		if next < 0 {
			break
		}
		at = end + next
	}
	if done == 0 {
		return v
	}
	out.Write(v[done:])
	return out.Bytes()
}

// keep notes the texts that an object keeps for those in it.
func (r *Reader) keep(texts object) {
	if len(texts) == 0 {
		return
	}
	own := maps.Clone(r.record.texts)
	if own == nil {
		own = map[string]value{}
	}
	for _, f := range texts {
		if f.val.isString() {
			own[f.key] = f.val
		}
	}
	r.record.texts = own
}
