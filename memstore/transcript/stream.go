package transcript

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// stream joins the fragments of one streamed answer.
type stream struct {
	blocks map[string]*fragment // by index
}

// fragment is a call whose input is still coming.
type fragment struct {
	id, name string
	input    []byte
	s        scope
	at       Source
}

// event takes an event of a streamed answer.
func (r *Reader) event(o object, s scope) bool {
	index := string(o.get("index"))
	switch o.text("type") {
	case "content_block_start":
		block := o.get("content_block").object()
		if block.text("type") != "tool_use" {
			return true
		}
		f := r.open(s, index, block.text("id"), block.text("name"))
		if whole := block.get("input"); whole.isObject() && len(whole.object()) > 0 {
			f.input = bytes.Clone(whole)
		}
		return true
	case "content_block_delta":
		delta := o.get("delta").object()
		if f := r.fragment(s, index); f != nil && delta.text("type") == "input_json_delta" {
			f.input = append(f.input, piece(delta.get("partial_json"))...)
		}
		return true
	case "content_block_stop":
		r.finish(s, index)
		return true
	case "message_stop":
		delete(r.streams, s.session)
		return true
	}
	if delta := o.get("delta"); delta.isObject() && o.get("choices") == nil {
		r.chunk(o, delta.object(), s)
	}
	return false
}

// chunk takes a fragment of an answer in the style of chat completions.
func (r *Reader) chunk(o, delta object, s scope) {
	choice := string(o.get("index"))
	delta.get("tool_calls").each(func(v value) {
		c := v.object()
		index := "chunk " + choice + " " + string(c.get("index"))
		fn := c.get("function").object()
		f := r.fragment(s, index)
		if id := c.text("id"); f == nil || id != "" && id != f.id {
			if f != nil {
				r.finish(s, index)
			}
			f = r.open(s, index, id, fn.text("name"))
		}
		f.input = append(f.input, piece(fn.get("arguments"))...)
	})
	if o.get("finish_reason").isString() {
		if st := r.streams[s.session]; st != nil {
			for _, index := range slices.Sorted(maps.Keys(st.blocks)) {
				r.finish(s, index)
			}
		}
		delete(r.streams, s.session)
	}
}

// piece is a fragment of JSON text. A character may be cut in two by the pieces: halves
// of an escape meet again when they are joined.
func piece(v value) []byte { return []byte(v.text()) }

func (r *Reader) open(s scope, index, id, name string) *fragment {
	st := r.streams[s.session]
	if st == nil {
		st = &stream{blocks: map[string]*fragment{}}
		r.streams[s.session] = st
	}
	s.extra = nil // it lies in a line that is read over
	f := &fragment{id: id, name: name, s: s, at: r.record.at}
	st.blocks[index] = f
	return f
}

func (r *Reader) fragment(s scope, index string) *fragment {
	if st := r.streams[s.session]; st != nil {
		return st.blocks[index]
	}
	return nil
}

// finish takes a call whose input is complete.
func (r *Reader) finish(s scope, index string) {
	f := r.fragment(s, index)
	if f == nil {
		return
	}
	delete(r.streams[s.session].blocks, index)
	if len(r.streams[s.session].blocks) == 0 {
		delete(r.streams, s.session)
	}
	r.whole(f)
}

func (r *Reader) whole(f *fragment) {
	r.record.at = f.at
	input := value(bytes.TrimSpace(f.input))
	if len(input) == 0 {
		input = value("{}")
	}
	if !json.Valid(input) {
		input = quoted(string(f.input))
	}
	r.made(made{f.id, f.name, input}, f.s)
}

// cutStreams takes the calls whose input never ended.
func (r *Reader) cutStreams() {
	if len(r.streams) == 0 {
		return
	}
	r.record = record{latest: map[string]*Call{}}
	for _, session := range slices.Sorted(maps.Keys(r.streams)) {
		blocks := r.streams[session].blocks
		for _, index := range slices.Sorted(maps.Keys(blocks)) {
			f := *blocks[index]
			f.input = append(bytes.Clone(f.input), ' ') // what is no whole value stays none
			r.whole(&f)
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
		if data = bytes.TrimSpace(data); ok && json.Valid(data) {
			r.walk(data, s, depth+1)
		}
	}
}

// quoted is a text as a JSON string.
func quoted(text string) value {
	out, err := json.Marshal(text)
	if err != nil {
		return value(strconv.Quote(text))
	}
	return out
}
