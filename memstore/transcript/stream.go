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
				r.models[s.session] = m
			}
		}
	case "content_block_start":
		block := o.Get("content_block").Object()
		if block.Text("type") != "tool_use" {
			return true
		}
		f := r.open(s, index, block.Text("id"), block.Text("name"))
		if whole := block.Get("input"); whole.IsObject() && len(whole.Object()) > 0 {
			f.input = bytes.Clone(whole)
		}
		return true
	case "content_block_delta":
		delta := o.Get("delta").Object()
		if f := r.fragment(s, index); f != nil && delta.Text("type") == "input_json_delta" {
			f.add(delta.Get("partial_json"))
		}
		return true
	case "content_block_stop":
		r.finish(s, index)
		return true
	case "message_stop":
		r.flush(s.session)
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
		f := r.fragment(s, index)
		if id := c.Text("id"); f == nil || id != "" && id != f.id {
			if f != nil {
				r.finish(s, index)
			}
			f = r.open(s, index, id, fn.Text("name"))
		}
		f.add(fn.Get("arguments"))
	})
	if o.Get("finish_reason").IsString() {
		if st := r.streams[s.session]; st != nil {
			for _, index := range slices.Sorted(maps.Keys(st.blocks)) {
				r.finish(s, index)
			}
		}
		r.flush(s.session)
	}
}

func (r *Reader) open(s scope, index, id, name string) *fragment {
	st := r.streams[s.session]
	if st == nil {
		st = &stream{blocks: map[string]*fragment{}}
		r.streams[s.session] = st
	}
	s.extra = nil // it lies in a line that is read over
	if s.model == "" {
		s.model = r.models[s.session]
	}
	f := &fragment{id: id, name: name, s: s, at: r.record.at}
	st.blocks[index] = f
	st.queue = append(st.queue, f)
	return f
}

func (r *Reader) fragment(s scope, index string) *fragment {
	if st := r.streams[s.session]; st != nil {
		return st.blocks[index]
	}
	return nil
}

// finish ends the input of a call. Calls are taken in the order in which they began.
func (r *Reader) finish(s scope, index string) {
	f := r.fragment(s, index)
	if f == nil {
		return
	}
	f.ended = true
	st := r.streams[s.session]
	delete(st.blocks, index)
	for len(st.queue) > 0 && st.queue[0].ended {
		first := st.queue[0]
		st.queue = st.queue[1:]
		r.whole(first)
	}
	if len(st.queue) == 0 {
		delete(r.streams, s.session)
	}
}

// flush takes the calls that ended, where one that began before them never did.
func (r *Reader) flush(session string) {
	if st := r.streams[session]; st != nil {
		for _, f := range st.queue {
			if f.ended {
				r.whole(f)
			}
		}
	}
	delete(r.streams, session)
}

func (r *Reader) whole(f *fragment) {
	r.record.at = f.at
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

// cutStreams takes the calls whose input never ended.
func (r *Reader) cutStreams() {
	if len(r.streams) == 0 {
		return
	}
	r.record = record{latest: map[string]*Call{}}
	for _, session := range slices.Sorted(maps.Keys(r.streams)) {
		for _, f := range r.streams[session].queue {
			if f.ended || f.text() != "" {
				r.whole(f)
			}
		}
	}
	if !r.options.Growing {
		r.streams = map[string]*stream{}
	}
}

// events takes a streamed answer that stands in a string.
func (r *Reader) events(text []byte, s scope, depth int) {
	for line := range bytes.Lines(text) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if data = bytes.TrimSpace(data); ok && rawjson.Valid(data) {
			r.walk(data, s, depth+1)
		}
	}
}
