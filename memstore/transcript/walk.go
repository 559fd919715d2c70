package transcript

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"
)

// scope is what the objects around a part say of it. It is handed down by value.
type scope struct {
	session, time, model string
	dir                  string // in which the agent is at work
	when                 time.Time
	turn                 int
	agent                string // of a subagent; "" for the main one
	extra                value  // toolUseResult of the line
}

// Keys below which nothing was called, those with the answer to a request, and those of strings that may hold a body.
var (
	leftOut = map[string]bool{"toolCallResults": true, "toolUseResult": true, "tool_use_result": true, "tools": true, "snapshot": true,
		"delta": true, "structuredPatch": true, "replacement_history": true}
	answers = map[string]bool{"response": true, "response_body": true, "responseBody": true, "choices": true, "output": true, "result": true,
		"completion": true}
	bodies = map[string]bool{"body": true, "request_body": true, "response_body": true, "requestBody": true, "responseBody": true,
		"text": true, "string": true, "raw_request": true, "raw_response": true, "response": true, "request": true}
)

// walk looks for calls and results in a value, at any depth, but never inside of inputs, results and texts: what is quoted there was not
// called.
func (r *Reader) walk(v value, s scope, depth int) {
	switch {
	case depth > maxDepth:
	case v.isArray():
		first := v.first().object()
		whole := first.get("role").isString() && first.get("uuid") == nil
		if whole {
			r.book.conversation(v.first())
		}
		n := 0
		v.each(func(e value) {
			if n++; whole { // messages
				s.turn = n
			}
			r.walk(e, s, depth+1)
		})
	case v.isObject():
		r.walkObject(v.object(), s, depth)
	}
}

func (r *Reader) walkObject(o object, s scope, depth int) {
	s = s.within(o)
	for i := range shapes() {
		if sh := &shapes()[i]; sh.Sets != nil && sh.fits(o) {
			r.set, s = r.set.with(sh.Sets, o), s.with(sh.Sets, o)
			r.look.tells(`"` + o.text("type") + `"`)
		}
	}
	if m, beside, ok := callIn(o); ok {
		r.found(m, s)
		if beside != nil && o.at(beside.Text) != nil {
			r.answered(m.id, beside, o, s)
		}
		return
	}
	if p := resultIn(o); p != nil {
		r.answered(o.at(p.ID).word(), p, o, s)
		return
	}
	r.textResult(o, s)
	if r.event(o, s) {
		return
	}
	// An answer comes after what was asked, in whatever order the file has them.
	for _, late := range []bool{false, true} {
		for _, m := range o {
			switch {
			case answers[m.key] != late || leftOut[m.key] || m.key == "toolInvocations" && o.get("parts").isArray():
			case m.val.isString():
				r.body(m, s, depth)
			default:
				r.walk(m.val, s, depth+1)
			}
		}
	}
	for _, m := range o.get("toolCallResults").object() { // of VS Code, by the ids of their calls
		r.answered(m.key, &parts{Text: "content"}, m.val.object(), s)
	}
}

// body reads a string with the body of a request or a response. A call by itself, or a list that begins with one, is none: a model was
// asked for JSON, or quotes it.
func (r *Reader) body(m member, s scope, depth int) {
	if !bodies[m.key] || len(m.val) < 8 || strings.IndexByte(`{[ed: \`, m.val[1]) < 0 {
		return
	}
	text := strings.TrimLeft(m.val.text(), " \t\r\n")
	if strings.HasPrefix(text, "event:") || strings.HasPrefix(text, "data:") || m.key != "text" && strings.Contains(text, "\ndata:") {
		for line := range strings.Lines(text) {
			if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:"); ok {
				r.walk(validated(data), s, depth+1)
			}
		}
		return
	}
	v := validated(text)
	o := v.object()
	if _, _, call := callIn(o); call || m.key == "text" && o.at("messages|content") == nil {
		return
	}
	if _, _, call := callIn(v.first().object()); !call {
		r.walk(v, s, depth+1)
	}
}

// within is the scope of the parts of an object.
func (s scope) within(o object) scope {
	set := func(to *string, text string) {
		if text != "" {
			*to = text
		}
	}
	for _, m := range o {
		switch m.key {
		case "sessionId", "session_id", "sessionID", "custom_id", "conversation_id", "helicone-session-id", "session_thread_id":
			set(&s.session, m.val.text())
		case "model", "modelId", "modelID", "model_name":
			set(&s.model, m.val.text())
		case "modelInfo": // of Cline
			set(&s.model, m.val.object().text("modelId"))
		case "cwd":
			set(&s.dir, m.val.text())
		case "timestamp", "created_at", "createdAt", "startedDateTime", "startTime", "start_time", "processed_at", "time", "ts", "@timestamp",
			"date":
			if t, when := moment(m.val); t != "" {
				s.time, s.when = t, when
			}
		case "info", "state": // of opencode: a message beside its parts, and the outcome of a call
			in := m.val.object()
			set(&s.session, in.text("sessionID"))
			set(&s.model, in.text("modelID"))
			if t, when := moment(in.at("time.start|time.created")); t != "" {
				s.time, s.when = t, when
			}
		case "isSidechain":
			if string(m.val) == "true" {
				s.agent = cmp.Or(o.text("agentId"), s.agent, unnamedAgent)
			}
		case "agentId":
			if o.text("type") == "agent_progress" { // the main session tells what a subagent does
				s.agent = m.val.text()
			}
		case "parent_tool_use_id":
			set(&s.agent, m.val.text())
		case "toolUseResult", "tool_use_result":
			s.extra = m.val
		}
	}
	return s
}

// moment reads a time: RFC 3339, or seconds, milliseconds or nanoseconds since 1970.
func moment(v value) (string, time.Time) {
	if t := v.text(); t != "" {
		when, err := time.Parse(time.RFC3339Nano, t)
		if err != nil {
			when, _ = time.Parse(time.DateTime, t) // zero where it is none
		}
		return t, when
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if n > 1e17 && n < 1e20 { // nanoseconds
		n /= 1e6
	}
	const earliest, latest = 1e9, 1e14 // from 2001, in seconds, to the year 5138, in milliseconds
	if err != nil || n < earliest || n > latest {
		return "", time.Time{}
	}
	if n < 1e11 {
		n *= 1000
	}
	when := time.UnixMilli(int64(n)).UTC()
	return when.Format("2006-01-02T15:04:05.000Z07:00"), when
}

// piece is a call of a streamed answer whose input is still coming.
type piece struct {
	made
	text []byte // the insides of the strings that the fragments are: a character may be cut in two by them
	s    scope
	at   Source
}

// event joins the fragments of a streamed answer. It reports whether the object is one.
func (r *Reader) event(o object, s scope) bool {
	index := s.session + "\x00" + string(o.get("index"))
	switch o.text("type") {
	case "content_block_start":
		if block := o.get("content_block").object(); block.text("type") == "tool_use" || block.text("type") == "mcp_tool_use" {
			r.opened(index, block.text("id"), block.text("name"), block.get("input"), s)
		}
	case "content_block_delta":
		r.streams[index].add(o.at("delta.partial_json"))
	case "content_block_stop":
		r.ended(index)
	default:
		delta := o.get("delta").object()
		delta.get("tool_calls").each(func(e value) { // of chat completions
			c := e.object()
			index := index + "\x00" + string(c.get("index"))
			if id := c.text("id"); id != "" {
				r.ended(index)
				r.opened(index, id, c.at("function.name").text(), nil, s)
			}
			r.streams[index].add(c.at("function.arguments"))
		})
		if o.get("finish_reason").isString() {
			r.endStreams()
		}
		return delta != nil
	}
	return true
}

func (r *Reader) opened(index, id, name string, input value, s scope) {
	s.extra = nil // the line is read over
	r.streams[index] = &piece{made: made{id, name, bytes.Clone(input)}, s: s, at: r.at}
}

func (p *piece) add(fragment value) {
	if p != nil && len(fragment) > 2 && fragment.isString() {
		p.text = append(p.text, fragment[1:len(fragment)-1]...)
	}
}

// ended takes a call of which the input is whole.
func (r *Reader) ended(index string) {
	p := r.streams[index]
	if p == nil {
		return
	}
	delete(r.streams, index)
	if len(p.text) > 0 {
		p.input = quote(value(`"` + string(p.text) + `"`).text())
	}
	r.at, p.at = p.at, r.at
	r.found(p.made, p.s)
	r.at = p.at
}
