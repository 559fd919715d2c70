package said

import (
	"bytes"
	"encoding/base64"
	"strings"

	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// voices collects what is said in records of all formats, in their order.
type voices struct {
	list  []Item
	index string // of the block of a stream that the last thing said comes in
}

// line takes a line: a JSON value, or an event of a stream.
func (v *voices) line(line []byte) {
	line = rawjson.TrimStart(bytes.TrimSpace(line))
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		line = bytes.TrimSpace(data)
	}
	if rawjson.Valid(line) {
		v.walk(line, 0)
	}
}

// add takes a thing said; empty ones are dropped.
func (v *voices) add(s Item) {
	if s.Text = strings.TrimSpace(s.Text); s.Text == "" && s.Tool == "" {
		return
	}
	if len(s.Text) > saidUpTo {
		s.Text = strings.ToValidUTF8(s.Text[:saidUpTo], "") + "…"
	}
	v.index = ""
	v.list = append(v.list, s)
}

// walk goes to what is said in a value.
func (v *voices) walk(e rawjson.Value, depth int) {
	switch {
	case depth > rawjson.MaxDepth || len(e) == 0:
	case e.IsArray():
		e.Each(func(e rawjson.Value) { v.walk(e, depth+1) })
	case e.IsObject():
		v.object(e.Object(), depth)
	}
}

func (v *voices) object(o rawjson.Object, depth int) {
	if m, ok := format.ReadCall(o); ok {
		v.call(m)
		return
	}
	if m, ok := format.ReplayedCall(o); ok {
		v.call(m)
		return
	}
	if _, ok := format.ReadResult(o); ok {
		return
	}
	if v.event(o) {
		return
	}
	if who := format.Speaker(o); who != "" {
		v.message(who, o, depth)
		return
	}
	v.add(Item{Who: "user", Text: o.Text("prompt")})
	v.add(Item{Who: "user", Text: o.Get("message").Object().Text("text")})
	rounds := o.Get("toolCalls").IsArray()
	if rounds {
		v.add(Item{Who: "assistant", Text: o.Text("response")})
	}
	for _, late := range []bool{false, true} { // as the calls are read
		for _, f := range o {
			switch {
			case format.LeftOut(f.Key), format.IsAnswer(f.Key) != late:
			case f.Val.IsString():
				v.body(f, o.Text("encoding") == "base64", depth)
			default:
				v.walk(f.Val, depth+1)
			}
		}
	}
}

// body parses a string with the body of a request or a response.
func (v *voices) body(f rawjson.Field, encoded bool, depth int) {
	if !format.IsBody(f.Key) || len(f.Val) < 3 {
		return
	}
	text := []byte(f.Val.Text())
	if encoded {
		data, err := base64.StdEncoding.DecodeString(string(text))
		if err != nil {
			return
		}
		text = data
	}
	switch i := rawjson.SkipSpace(text, 0); {
	case i == len(text):
	case text[i] == '{' || text[i] == '[':
		if e := rawjson.Value(rawjson.TrimStart(text[i:])); rawjson.Valid(e) {
			v.walk(bytes.TrimSpace(e), depth+1)
		}
	case bytes.Contains(text, []byte("data:")):
		for line := range bytes.Lines(text) {
			v.line(line)
		}
	}
}

// call takes a call of any tool.
func (v *voices) call(m format.Call) {
	input := string(m.Input)
	if m.Input.IsString() {
		input = m.Input.Text()
	}
	v.add(Item{Who: "assistant", Text: input, Tool: m.Name, ID: m.ID})
}

func (v *voices) message(who string, o rawjson.Object, depth int) {
	if who == "tool" {
		return // a result
	}
	for _, inner := range []string{"data", "kwargs"} {
		if o.Get(inner).IsObject() {
			o = o.Get(inner).Object()
		}
	}
	for _, key := range []string{"content", "parts"} {
		v.add(Item{Who: who, Text: o.Get(key).Text()})
		o.Get(key).Each(func(b rawjson.Value) { v.block(who, b, depth+1) })
	}
	seen := map[string]bool{}
	for _, s := range v.list[max(0, len(v.list)-saidBefore):] {
		seen[s.ID] = s.Tool != ""
	}
	o.Get("tool_calls").Each(func(e rawjson.Value) {
		if m, ok := format.ReadCall(e.Object()); ok && !seen[m.ID] {
			v.call(m)
		}
	})
}

// block takes a part of a message: a text, a thought, a call.
func (v *voices) block(who string, b rawjson.Value, depth int) {
	o := b.Object()
	if m, ok := format.ReadCall(o); ok {
		v.call(m)
		return
	}
	if _, ok := format.ReadResult(o); ok || depth > rawjson.MaxDepth {
		return
	}
	if o.Text("part_kind") != "" {
		if o.Text("part_kind") == "system-prompt" {
			who = "system"
		}
		v.add(Item{Who: who, Text: o.Text("content")})
		return
	}
	if inner := o.Get("toolInvocation"); inner.IsObject() {
		v.block(who, inner, depth+1)
		return
	}
	v.add(Item{Who: who, Text: o.First("text", "thinking", "reasoning", "content")})
}

// event takes an event of a streamed answer; texts grow with the fragments.
func (v *voices) event(o rawjson.Object) bool {
	switch o.Text("type") {
	case "content_block_start":
		block := o.Get("content_block").Object()
		if block.Text("type") == "tool_use" {
			v.add(Item{Who: "assistant", Tool: block.Text("name"), ID: block.Text("id")})
		}
		v.index = string(o.Get("index"))
		return true
	case "content_block_delta":
		delta := o.Get("delta").Object()
		v.grow(string(o.Get("index")), delta.First("text", "thinking", "partial_json"))
		return true
	}
	choices := o.Get("choices")
	streamed := false
	choices.Each(func(c rawjson.Value) {
		delta := c.Object().Get("delta").Object()
		streamed = streamed || delta != nil
		if text := delta.Text("content"); text != "" {
			v.grow("text", text)
		}
		delta.Get("tool_calls").Each(func(e rawjson.Value) {
			call := e.Object()
			fn, index := call.Get("function").Object(), "call "+string(call.Get("index"))
			if call.Text("id") != "" {
				v.add(Item{Who: "assistant", Tool: fn.Text("name"), ID: call.Text("id")})
				v.index = index
			}
			v.grow(index, fn.Text("arguments"))
		})
	})
	return streamed
}

// grow adds a fragment to what was said last, where that is of the same block, or begins something new.
func (v *voices) grow(index, text string) {
	if n := len(v.list); n > 0 && v.index == index && (v.list[n-1].Tool != "" || v.list[n-1].Who == "assistant" && v.list[n-1].growing) {
		if len(v.list[n-1].Text) < saidUpTo {
			v.list[n-1].Text += text
		}
		return
	}
	if text != "" {
		v.list = append(v.list, Item{Who: "assistant", Text: text, growing: true})
		v.index = index
	}
}

// focus keeps what stands around the call.
func (v *voices) focus(c *transcript.Call, record int) []Item {
	at := v.find(c, record)
	if at < 0 {
		return nil
	}
	list := v.list[max(0, at-saidBefore):min(len(v.list), at+1+saidAfter)]
	list[min(at, saidBefore)].Here = true
	return list
}

// find is the index of the call: the first one in its record, which begins at a number of things said, else the first of all; -1:
// there is none. Logs repeat the history.
func (v *voices) find(c *transcript.Call, record int) int {
	at := -1
	for i, s := range v.list {
		if s.Tool == "" || s.ID != c.ID {
			continue
		}
		if at < 0 || i >= record && at < record {
			at = i
		}
		if i >= record && sameInput(s.Text, c.Input) {
			return i
		}
	}
	return at
}

// sameInput compares an input as quoted, which may be cut, with that of a call.
func sameInput(text string, input []byte) bool {
	said := strings.TrimSuffix(text, "…")
	return said == string(input) || len(said) > 0 && strings.HasPrefix(string(input), said) ||
		string(rawjson.Canonical([]byte(text))) == string(rawjson.Canonical(input))
}
