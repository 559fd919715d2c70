package transcript

import (
	"bytes"
	"maps"
	"slices"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// streamBegins is what the first event of a streamed answer holds.
const streamBegins = `"message_start"`

// stream joins the fragments of one streamed answer.
type stream struct {
	blocks map[string]*fragment // by index
	queue  []*fragment          // in the order in which they began
}

// fragment is a call whose input is still coming.
type fragment struct {
	id, name string
	input    rawjson.Value // as it stood at the beginning; nil: it comes in pieces
	pieces   []byte        // the insides of the strings that the pieces are: a character may be cut in two by them
	s        scope
	at       Source
	ended    bool
}

// streams are the streamed answers under way.
type streams struct {
	of     map[string]*stream // by session
	models map[string]string  // by session: of the newest answer
}

// add takes the next piece of the input.
func (f *fragment) add(v rawjson.Value) {
	if v.IsString() && len(v) > 2 {
		f.pieces = append(f.pieces, v[1:len(v)-1]...)
	}
}

// text is the input so far.
func (f *fragment) text() string {
	if len(f.pieces) == 0 {
		return string(f.input)
	}
	return rawjson.Value(`"` + string(f.pieces) + `"`).Text()
}

// event takes an event of a streamed answer.
func (r *Reader) event(o rawjson.Object, s scope) bool {
	index := string(o.Get("index"))
	switch o.Text("type") {
	case "message_start", "response.created":
		for _, key := range []string{"message", "response"} {
			if m := o.Get(key).Object().Text("model"); m != "" {
				r.streams.models[s.session] = m
			}
		}
	case "content_block_start":
		block := o.Get("content_block").Object()
		if block.Text("type") != "tool_use" {
			return true
		}
		f := r.streams.begin(s, index, block.Text("id"), block.Text("name"), r.book.record.at)
		if whole := block.Get("input"); whole.IsObject() && len(whole.Object()) > 0 {
			f.input = bytes.Clone(whole)
		}
		return true
	case "content_block_delta":
		delta := o.Get("delta").Object()
		if f := r.streams.fragment(s.session, index); f != nil && delta.Text("type") == "input_json_delta" {
			f.add(delta.Get("partial_json"))
		}
		return true
	case "content_block_stop":
		r.whole(r.streams.finish(s.session, index))
		return true
	case "message_stop":
		r.whole(r.streams.flush(s.session))
		return true
	}
	if delta := o.Get("delta"); delta.IsObject() && o.Get("choices") == nil {
		r.chunk(o, delta.Object(), s)
	}
	return false
}

// chunk takes a fragment of an answer in the style of chat completions.
func (r *Reader) chunk(o, delta rawjson.Object, s scope) {
	choice := string(o.Get("index"))
	delta.Get("tool_calls").Each(func(v rawjson.Value) {
		c := v.Object()
		index := "chunk " + choice + " " + string(c.Get("index"))
		fn := c.Get("function").Object()
		f := r.streams.fragment(s.session, index)
		if id := c.Text("id"); f == nil || id != "" && id != f.id {
			if f != nil {
				r.whole(r.streams.finish(s.session, index))
			}
			f = r.streams.begin(s, index, id, fn.Text("name"), r.book.record.at)
		}
		f.add(fn.Get("arguments"))
	})
	if o.Get("finish_reason").IsString() {
		if st := r.streams.of[s.session]; st != nil {
			for _, index := range slices.Sorted(maps.Keys(st.blocks)) {
				r.whole(r.streams.finish(s.session, index))
			}
		}
		r.whole(r.streams.flush(s.session))
	}
}

// begin opens a call whose input is going to come; at is where.
func (st *streams) begin(s scope, index, id, name string, at Source) *fragment {
	of := st.of[s.session]
	if of == nil {
		of = &stream{blocks: map[string]*fragment{}}
		st.of[s.session] = of
	}
	s.extra = nil // it is part of a line that is read over
	if s.model == "" {
		s.model = st.models[s.session]
	}
	f := &fragment{id: id, name: name, s: s, at: at}
	of.blocks[index] = f
	of.queue = append(of.queue, f)
	return f
}

func (st *streams) fragment(session, index string) *fragment {
	if of := st.of[session]; of != nil {
		return of.blocks[index]
	}
	return nil
}

// finish ends the input of a call. It returns the calls that are whole now, in the order in which they began.
func (st *streams) finish(session, index string) (whole []*fragment) {
	f := st.fragment(session, index)
	if f == nil {
		return nil
	}
	f.ended = true
	of := st.of[session]
	delete(of.blocks, index)
	n := 0
	for n < len(of.queue) && of.queue[n].ended {
		n++
	}
	whole, of.queue = of.queue[:n:n], of.queue[n:]
	if len(of.queue) == 0 {
		delete(st.of, session)
	}
	return whole
}

// flush ends an answer. It returns the calls that ended, where one that began before them never did.
func (st *streams) flush(session string) (whole []*fragment) {
	if of := st.of[session]; of != nil {
		for _, f := range of.queue {
			if f.ended {
				whole = append(whole, f)
			}
		}
	}
	delete(st.of, session)
	return whole
}

// cut returns the calls whose input began and never ended.
func (st *streams) cut() (half []*fragment) {
	for _, session := range slices.Sorted(maps.Keys(st.of)) {
		for _, f := range st.of[session].queue {
			if f.ended || f.text() != "" {
				half = append(half, f)
			}
		}
	}
	return half
}

// whole takes calls that came in fragments.
func (r *Reader) whole(calls []*fragment) {
	for _, f := range calls {
		r.book.record.at = f.at
		text := f.text()
		input := rawjson.Value(bytes.TrimSpace([]byte(text)))
		if len(input) == 0 {
			input = rawjson.Value("{}")
		}
		if !rawjson.Valid(input) {
			input = rawjson.Quote(text)
		}
		r.made(format.Call{ID: f.id, Name: f.name, Input: input}, f.s)
	}
}

// cutStreams takes the calls whose input never ended.
func (r *Reader) cutStreams() {
	if len(r.streams.of) == 0 {
		return
	}
	r.book.record = record{latest: map[string]*Call{}}
	r.whole(r.streams.cut())
	clear(r.streams.of)
}

// events takes a streamed answer inside a string.
func (r *Reader) events(text []byte, s scope, depth int) {
	for line := range bytes.Lines(text) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if data = bytes.TrimSpace(data); ok && rawjson.Valid(data) {
			r.walk(data, s, depth+1)
		}
	}
}
