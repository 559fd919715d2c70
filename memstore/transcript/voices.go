package transcript

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// voices collects what is said in records of all formats, in their order.
type voices struct {
	list  []Said
	index string // of the block of a stream that the last thing said comes in
}

// line takes a line: a JSON value, or an event of a stream.
func (v *voices) line(line []byte) {
	line = trimmed(bytes.TrimSpace(line))
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		line = bytes.TrimSpace(data)
	}
	if valid(line) {
		v.walk(line, 0)
	}
}

// add takes a thing said; what says nothing is left out.
func (v *voices) add(s Said) {
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
func (v *voices) walk(e value, depth int) {
	switch {
	case depth > deepest || len(e) == 0:
	case e.isArray():
		e.each(func(e value) { v.walk(e, depth+1) })
	case e.isObject():
		v.object(e.object(), depth)
	}
}

func (v *voices) object(o object, depth int) {
	if m, ok := callShape(o); ok {
		v.call(m)
		return
	}
	if o.text("kind") == "toolCall" && o.get("tool") != nil {
		v.call(made{o.text("id"), o.text("tool"), o.get("args")})
		return
	}
	if _, ok := resultShape(o); ok {
		return
	}
	if v.event(o) {
		return
	}
	if who := speaker(o); who != "" {
		v.message(who, o, depth)
		return
	}
	v.add(Said{Who: "user", Text: o.text("prompt")})
	v.add(Said{Who: "user", Text: o.get("message").object().text("text")})
	rounds := o.get("toolCalls").isArray()
	if rounds {
		v.add(Said{Who: "assistant", Text: o.text("response")})
	}
	events := o.get("events")
	for _, late := range []bool{false, true} { // as the calls are read
		for _, f := range o {
			switch {
			case leftOut[f.key], answers[f.key] != late, f.key == "events" && o.get("messages") != nil && isEvents(events):
			case f.val.isString():
				v.body(f, o.text("encoding") == "base64", depth)
			default:
				v.walk(f.val, depth+1)
			}
		}
	}
}

// body looks into a string that holds the body of a request or a response.
func (v *voices) body(f field, encoded bool, depth int) {
	if !bodies[f.key] || len(f.val) < 3 {
		return
	}
	text := []byte(f.val.text())
	if encoded {
		data, err := base64.StdEncoding.DecodeString(string(text))
		if err != nil {
			return
		}
		text = data
	}
	switch i := blanks(text, 0); {
	case i == len(text):
	case text[i] == '{' || text[i] == '[':
		if e := value(trimmed(text[i:])); valid(e) {
			v.walk(bytes.TrimSpace(e), depth+1)
		}
	case bytes.Contains(text, []byte("data:")):
		for line := range bytes.Lines(text) {
			v.line(line)
		}
	}
}

// speakers are those that frameworks call otherwise.
var speakers = map[string]string{"human": "user", "ai": "assistant", "HumanMessage": "user", "AIMessage": "assistant", "SystemMessage": "system", "request": "user", "response": "assistant"}

// speaker is the role of a message; "" for what is none.
func speaker(o object) string {
	if who := o.text("role"); who != "" && (o.get("content") != nil || o.get("parts") != nil || o.get("tool_calls") != nil) {
		return who
	}
	if who := speakers[o.text("type")]; who != "" && (o.get("data").isObject() || o.get("content") != nil) {
		return who
	}
	if o.get("parts").isArray() {
		return speakers[o.text("kind")]
	}
	if o.get("lc") != nil {
		class := ""
		o.get("id").each(func(e value) { class = e.text() })
		return speakers[class]
	}
	return ""
}

// call takes a call of any tool.
func (v *voices) call(m made) {
	input := string(m.input)
	if m.input.isString() {
		input = m.input.text()
	}
	v.add(Said{Who: "assistant", Text: input, Tool: m.name, ID: m.id})
}

func (v *voices) message(who string, o object, depth int) {
	if who == "tool" {
		return // a result
	}
	for _, inner := range []string{"data", "kwargs"} {
		if o.get(inner).isObject() {
			o = o.get(inner).object()
		}
	}
	for _, key := range []string{"content", "parts"} {
		v.add(Said{Who: who, Text: o.get(key).text()})
		o.get(key).each(func(b value) { v.block(who, b, depth+1) })
	}
	seen := map[string]bool{}
	for _, s := range v.list[max(0, len(v.list)-saidBefore):] {
		seen[s.ID] = s.Tool != ""
	}
	o.get("tool_calls").each(func(e value) {
		if m, ok := callShape(e.object()); ok && !seen[m.id] {
			v.call(m)
		}
	})
}

// block takes a part of a message: a text, a thought, a call.
func (v *voices) block(who string, b value, depth int) {
	o := b.object()
	if m, ok := callShape(o); ok {
		v.call(m)
		return
	}
	if _, ok := resultShape(o); ok || depth > deepest {
		return
	}
	if o.text("part_kind") != "" {
		if o.text("part_kind") == "system-prompt" {
			who = "system"
		}
		v.add(Said{Who: who, Text: o.text("content")})
		return
	}
	if inner := o.get("toolInvocation"); inner.isObject() {
		v.block(who, inner, depth+1)
		return
	}
	v.add(Said{Who: who, Text: o.first("text", "thinking", "reasoning", "content")})
}

// event takes an event of a streamed answer; texts grow with the fragments.
func (v *voices) event(o object) bool {
	switch o.text("type") {
	case "content_block_start":
		block := o.get("content_block").object()
		if block.text("type") == "tool_use" {
			v.add(Said{Who: "assistant", Tool: block.text("name"), ID: block.text("id")})
		}
		v.index = string(o.get("index"))
		return true
	case "content_block_delta":
		delta := o.get("delta").object()
		v.grow(string(o.get("index")), delta.first("text", "thinking", "partial_json"))
		return true
	}
	choices := o.get("choices")
	streamed := false
	choices.each(func(c value) {
		delta := c.object().get("delta").object()
		streamed = streamed || delta != nil
		if text := delta.text("content"); text != "" {
			v.grow("text", text)
		}
		delta.get("tool_calls").each(func(e value) {
			call := e.object()
			fn, index := call.get("function").object(), "call "+string(call.get("index"))
			if call.text("id") != "" {
				v.add(Said{Who: "assistant", Tool: fn.text("name"), ID: call.text("id")})
				v.index = index
			}
			v.grow(index, fn.text("arguments"))
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
		v.list = append(v.list, Said{Who: "assistant", Text: text, growing: true})
		v.index = index
	}
}

// focus keeps what stands around the call: the first telling of it in its record, which begins at a
// number of things said, else the first of all. Logs repeat the history.
func (v *voices) focus(c *Call, record int) []Said {
	at := -1
	for i, s := range v.list {
		if s.Tool == "" || s.ID != c.ID {
			continue
		}
		if at < 0 || i >= record && at < record {
			at = i
		}
		if i >= record && sameInput(s.Text, c.Input) {
			at = i
			break
		}
	}
	if at < 0 {
		return nil
	}
	list := v.list[max(0, at-saidBefore):min(len(v.list), at+1+saidAfter)]
	list[min(at, saidBefore)].Here = true
	return list
}

// sameInput compares an input as it was said, which may be cut, with that of a call.
func sameInput(text string, input []byte) bool {
	said := strings.TrimSuffix(text, "…")
	return said == string(input) || len(said) > 0 && strings.HasPrefix(string(input), said) || string(canonical([]byte(text))) == string(canonical(input))
}
