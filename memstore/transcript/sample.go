package transcript

import (
	"bytes"
	"maps"
	"strconv"
	"strings"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
	"memcurator/memstore/transcript/textfile"
)

// Samples of Inspect: the messages as they were at the end, and the events as they happened. Both
// tell of the same calls. The events have the times, and the calls that the messages lost when the
// conversation was compacted or that a subagent made; the messages have the turns.

// sampling is what is known of the sample under way.
type sampling struct {
	models int             // answers of the model so far
	turns  []eventTurn     // calls reported by the events
	pool   []rawjson.Value // messages that the events point to
}

// eventTurn is a call and the number of the model's answer it came with.
type eventTurn struct {
	call *Call
	turn int
}

// isSample recognizes a sample by its keys.
func isSample(o rawjson.Object) bool {
	messages, events := o.Get("messages").IsArray(), o.Get("events")
	if !messages && !events.IsArray() {
		return false
	}
	return o.Get("epoch") != nil && o.Get("id") != nil || format.IsEvents(events) && (messages || o.Get("events_data").IsObject())
}

// sample takes a sample; false: it is none.
func (r *Reader) sample(o rawjson.Object, s scope, depth int) bool {
	if r.book.record.sample != nil || !isSample(o) {
		return false
	}
	s = s.within(o)
	if s.session == "" {
		s.session = sampleName(o)
	}
	if m := o.Get("output").Object().Text("model"); m != "" && s.model == "" {
		s.model = m
	}
	r.book.record.sample = &sampling{}
	defer func() { r.book.record.sample = nil }()
	o.Get("events_data").Object().Get("messages").Each(func(m rawjson.Value) {
		r.book.record.sample.pool = append(r.book.record.sample.pool, m)
	})
	r.book.record.whole, r.book.record.times = true, map[string]int{}
	tools := r.toolEvents(o.Get("events"), s, depth+1)
	if messages := o.Get("messages"); messages.IsArray() {
		r.messages(messages, s, depth)
	} else if !tools {
		r.modelEvents(o.Get("events"), s, depth+1)
	}
	for _, t := range r.book.record.sample.turns {
		if t.call.Turn == 0 {
			t.call.Turn = t.turn
		}
	}
	return true
}

// sampleName is what a sample is called where it has no id of its own: its place in the data set and
// the number of the run.
func sampleName(o rawjson.Object) string {
	if id := o.Text("uuid"); id != "" {
		return id
	}
	id := o.Text("id")
	if id == "" {
		id = string(o.Get("id"))
	}
	if epoch := string(o.Get("epoch")); epoch != "" {
		id += "_epoch_" + epoch
	}
	return id
}

// toolEvents takes the calls in a list of events, and in the lists within them. any: there were calls.
func (r *Reader) toolEvents(events rawjson.Value, s scope, depth int) (any bool) {
	if depth > rawjson.MaxDepth {
		return false
	}
	events.Each(func(e rawjson.Value) {
		o := e.Object()
		s := s.within(o)
		switch o.Text("event") {
		case "model":
			r.book.record.sample.models++
		case "compaction":
			r.boundaries.mark(Boundary{Kind: compaction}, s, r.book.newest())
		case "tool":
			any = r.toolEvent(o, s) || any
		}
		if inner := o.Get("events"); inner != nil {
			any = r.toolEvents(inner, s, depth+1) || any
		}
	})
	return any
}

// toolEvent takes a call with its result as one event has them; false: the event is none.
func (r *Reader) toolEvent(o rawjson.Object, s scope) bool {
	m := format.Call{ID: o.Text("id"), Name: o.Text("function"), Input: o.Get("arguments")}
	if o.Text("event") != "tool" || m.Name == "" || m.Input == nil {
		return false
	}
	if r.book.record.sample != nil {
		s.turn, s.inside = 0, true
	}
	r.made(m, s)
	if c := r.book.record.latest[m.ID]; c != nil && r.book.record.sample != nil {
		r.book.record.sample.turns = append(r.book.record.sample.turns, eventTurn{c, r.book.record.sample.models})
	}
	if o.Get("pending").IsTrue() || o.Get("result") == nil {
		return true
	}
	r.book.answered(format.WithError(format.Result{ID: m.ID, Content: o.Get("result")}, o), s)
	return true
}

// modelEvents takes the conversations of the model's events, for a sample that keeps only those.
func (r *Reader) modelEvents(events rawjson.Value, s scope, depth int) {
	events.Each(func(e rawjson.Value) {
		o := e.Object()
		if o.Text("event") != "model" || depth > rawjson.MaxDepth {
			return
		}
		s := s.within(o)
		input := o.Get("input")
		if refs := o.Get("input_refs"); refs.IsArray() {
			input = pooled(refs, r.book.record.sample.pool)
		}
		r.book.record.times, r.book.record.count = map[string]int{}, 0
		if conversation(input) {
			r.messages(input, s, depth)
		}
		r.walk(o.Get("output").Object().Get("choices"), s, depth)
	})
}

// pooled is the conversation that pairs of numbers (from, and up to) choose from a pool.
func pooled(refs rawjson.Value, pool []rawjson.Value) rawjson.Value {
	var out bytes.Buffer
	refs.Each(func(pair rawjson.Value) {
		var at []int
		pair.Each(func(v rawjson.Value) {
			if n, err := strconv.Atoi(string(v)); err == nil {
				at = append(at, max(0, min(n, len(pool))))
			}
		})
		if len(at) != 2 || at[0] > at[1] {
			return
		}
		for _, m := range pool[at[0]:at[1]] {
			if out.Len() > textfile.MaxRecord {
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
func (r *record) attached(v rawjson.Value) rawjson.Value {
	if len(r.texts) == 0 {
		return v
	}
	var out bytes.Buffer
	done := 0
	for at := bytes.IndexByte(v, '"'); at >= 0 && at < len(v) && out.Len() < textfile.MaxRecord; {
		end := rawjson.StringEnd(v, at)
		if rawjson.NextByte(v, end) != ':' { // no key
			if name, ok := strings.CutPrefix(v[at:end].Text(), attachment); ok && r.texts[name] != nil {
				out.Write(v[done:at])
				out.Write(r.texts[name])
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
func (r *record) keep(texts rawjson.Object) {
	if len(texts) == 0 {
		return
	}
	own := maps.Clone(r.texts)
	if own == nil {
		own = map[string]rawjson.Value{}
	}
	for _, f := range texts {
		if f.Val.IsString() {
			own[f.Key] = f.Val
		}
	}
	r.texts = own
}
