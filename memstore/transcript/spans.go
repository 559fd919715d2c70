package transcript

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// Spans of OpenTelemetry, as the conventions for generative AI and those of OpenInference fill them, and
// the runs of tracing services: a call and its result are the attributes of one span, or are in
// the messages of the span of the model.

// attributes are those of a span by their keys, in either way that they are written: an object, or a
// list of keys with typed values.
func attributes(v rawjson.Value) map[string]rawjson.Value {
	list := map[string]rawjson.Value{}
	for _, f := range v.Object() {
		list[f.Key] = f.Val
	}
	v.Each(func(e rawjson.Value) {
		o := e.Object()
		typed := o.Get("value").Object()
		for _, kind := range []string{"stringValue", "intValue", "boolValue", "doubleValue"} {
			if inner := typed.Get(kind); inner != nil {
				list[o.Text("key")] = inner
			}
		}
	})
	return list
}

// span takes what the attributes of a span tell; the contents of the span are walked nevertheless.
func (r *Reader) span(o rawjson.Object, s scope) {
	v := o.Get("attributes")
	if !v.IsObject() && !v.IsArray() {
		r.run(o, s)
		return
	}
	a := attributes(v)
	s = s.ofSpan(a)
	r.spanMessages(a, s)
	id := a["gen_ai.tool.call.id"].Text()
	switch {
	case a["gen_ai.tool.name"] != nil && a["gen_ai.tool.call.arguments"] != nil:
		r.toolSpan(spanCall{id, a["gen_ai.tool.name"].Text(), a["gen_ai.tool.call.arguments"], a["gen_ai.tool.call.result"],
			a["error.type"] != nil}, o, s)
	case a["ai.toolCall.name"] != nil && a["ai.toolCall.args"] != nil: // of the Vercel AI SDK
		r.toolSpan(spanCall{a["ai.toolCall.id"].Text(), a["ai.toolCall.name"].Text(), a["ai.toolCall.args"],
			unquoted(a["ai.toolCall.result"]), statusFailed(o)}, o, s)
	case a["openinference.span.kind"].Text() == "TOOL" && a["input.value"] != nil:
		if id == "" {
			id = a["tool_call.id"].Text()
		}
		r.toolSpan(spanCall{id, a["tool.name"].Text(), a["input.value"], a["output.value"], statusFailed(o)}, o, s)
	}
}

// unquoted is a string encoded as JSON in a string.
func unquoted(v rawjson.Value) rawjson.Value {
	if text := rawjson.Value(v.Text()); text.IsString() && rawjson.Valid(text) {
		return text
	}
	return v
}

// ofSpan is the scope with what the attributes of a span tell of it.
func (s scope) ofSpan(a map[string]rawjson.Value) scope {
	for _, key := range []string{"session.id", "gen_ai.conversation.id"} {
		if id := a[key].Text(); id != "" {
			s.session = id
		}
	}
	for _, key := range []string{"llm.model_name", "gen_ai.request.model", "gen_ai.response.model"} {
		if m := a[key].Text(); m != "" {
			s.model = m
		}
	}
	return s
}

func statusFailed(o rawjson.Object) bool {
	status := o.Get("status")
	return strings.HasSuffix(status.Text(), "ERROR") || strings.HasSuffix(status.Object().First("status_code", "code"), "ERROR")
}

// run takes a run of a tool as tracing services write it: name, input and output in one object.
func (r *Reader) run(o rawjson.Object, s scope) {
	kind := strings.ToLower(o.First("run_type", "type"))
	if kind != "tool" && kind != "span" || !isMemoryName(o.Text("name")) {
		return
	}
	input, output := o.Get("inputs"), o.Get("outputs")
	if input == nil {
		input, output = o.Get("input"), o.Get("output")
	}
	if inner := input.Object().Get("input"); inner != nil && input.Object().Get("command") == nil {
		input = inner
	}
	if inner := output.Object().Get("output"); inner != nil {
		output = inner
	}
	failed := o.Text("error") != ""
	if failed && (output == nil || string(output) == "null") {
		output = o.Get("error")
	}
	if input != nil {
		r.toolSpan(spanCall{"", o.Text("name"), input, output, failed}, o, s)
	}
}

// spanCall is a call with its result as one span has it.
type spanCall struct {
	id, name string
	input    rawjson.Value
	output   rawjson.Value // nil: none
	failed   bool
}

// toolSpan adds a call. Without an ID of its own, it may be one that the model's span reported.
func (r *Reader) toolSpan(c spanCall, o rawjson.Object, s scope) {
	input, _ := inputOf(c.input)
	if !r.isOurs(&Call{Tool: c.name, Input: json.RawMessage(input), places: r.places}, true) {
		return
	}
	if c.id == "" {
		if c.id = r.toldBefore(c); c.id == "" {
			c.id = o.First("span_id", "spanId", "id")
		}
		if c.id == "" {
			c.id = o.Get("context").Object().Text("span_id")
		}
	}
	r.made(format.Call{ID: c.id, Name: c.name, Input: c.input}, s)
	if c.output != nil {
		r.book.answered(format.Result{ID: c.id, Content: c.output, IsError: c.failed, Flagged: c.failed}, s)
	}
}

// toldBefore is the id of the first call with the same input whose result is not another.
func (r *Reader) toldBefore(c spanCall) string {
	input, _ := inputOf(c.input)
	want := string(rawjson.Canonical(input))
	for _, known := range r.book.list {
		if known.Result == nil && string(rawjson.Canonical(known.Input)) == want {
			return known.ID
		}
	}
	return ""
}

// spanMessages takes the conversations in the attributes of a span of the model.
func (r *Reader) spanMessages(a map[string]rawjson.Value, s scope) {
	for _, key := range []string{"gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.prompt", "gen_ai.completion"} {
		v := a[key]
		if v.IsString() {
			if text := rawjson.Value(v.Text()); rawjson.Valid(text) {
				v = text
			}
		}
		if v.IsArray() {
			r.loosely(v, s)
		}
	}
	for _, side := range []string{"llm.input_messages", "llm.output_messages"} {
		if v := unflattened(a, side); v != nil {
			r.loosely(v, s)
		}
	}
}

// loosely walks the messages of a span. The messages of the answer are not a conversation of their own.
func (r *Reader) loosely(v rawjson.Value, s scope) { v.Each(func(m rawjson.Value) { r.walk(m, s, 1) }) }

// unflattened puts the messages of OpenInference together, whose keys are paths such as
// llm.output_messages.0.message.tool_calls.0.tool_call.function.name. Nil: there are none.
func unflattened(a map[string]rawjson.Value, side string) rawjson.Value {
	type message struct {
		fields map[string]rawjson.Value
		calls  map[string]map[string]rawjson.Value
	}
	list := map[int]*message{}
	for _, key := range slices.Sorted(maps.Keys(a)) {
		rest, ok := strings.CutPrefix(key, side+".")
		number, rest, ok2 := strings.Cut(rest, ".message.")
		n, err := strconv.Atoi(number)
		if !ok || !ok2 || err != nil {
			continue
		}
		if list[n] == nil {
			list[n] = &message{map[string]rawjson.Value{}, map[string]map[string]rawjson.Value{}}
		}
		calls, isCall := strings.CutPrefix(rest, "tool_calls.")
		if !isCall {
			list[n].fields[rest] = a[key]
			continue
		}
		number, field, _ := strings.Cut(calls, ".tool_call.")
		if list[n].calls[number] == nil {
			list[n].calls[number] = map[string]rawjson.Value{}
		}
		list[n].calls[number][field] = a[key]
	}
	var out []string
	for _, n := range slices.Sorted(maps.Keys(list)) {
		m := list[n]
		fields := []string{}
		for _, k := range []string{"role", "content", "tool_call_id"} {
			if m.fields[k] != nil {
				fields = append(fields, strconv.Quote(k)+":"+string(m.fields[k]))
			}
		}
		var calls []string
		for _, k := range slices.Sorted(maps.Keys(m.calls)) {
			c := m.calls[k]
			if c["function.arguments"] == nil || c["function.name"] == nil {
				continue
			}
			id := c["id"]
			if id == nil {
				id = rawjson.Value(`""`)
			}
			calls = append(calls, `{"id":`+string(id)+`,"function":{"name":`+string(c["function.name"])+`,"arguments":`+
				string(c["function.arguments"])+"}}")
		}
		if len(calls) > 0 {
			fields = append(fields, `"tool_calls":[`+strings.Join(calls, ",")+"]")
		}
		out = append(out, "{"+strings.Join(fields, ",")+"}")
	}
	if len(out) == 0 {
		return nil
	}
	return rawjson.Value("[" + strings.Join(out, ",") + "]")
}

// toolRun takes an event of LangChain about the run of a tool (astream_events): the input, and later the output. The call may be known from
// the message of the model, under its own id.
func (r *Reader) toolRun(o rawjson.Object, s scope) {
	kind, run, data := o.Text("event"), o.Text("run_id"), o.Get("data").Object()
	if !strings.HasPrefix(kind, "on_tool_") || run == "" {
		return
	}
	if id := o.Get("metadata").Object().Text("thread_id"); id != "" {
		s.session = id
	}
	input := data.Get("input")
	if inner := input.Object().Get("input"); inner != nil && input.Object().Get("command") == nil {
		input = inner
	}
	id, known := r.runs[run]
	if !known && input != nil {
		id = r.toldBefore(spanCall{input: input})
		if id == "" {
			id = run
			r.made(format.Call{ID: id, Name: o.Text("name"), Input: input}, s)
		}
		r.runs[run] = id
	}
	output := data.Get("output")
	if inner := output.Object().Get("content"); inner != nil {
		output = inner
	} else if inner := output.Object().Get("kwargs").Object().Get("content"); inner != nil {
		output = inner
	}
	failed := kind == "on_tool_error" || data.Get("output").Object().Text("status") == "error"
	if kind == "on_tool_error" {
		output = data.Get("error")
	}
	if output != nil && kind != "on_tool_start" {
		r.book.answered(format.Result{ID: id, Content: output, IsError: failed, Flagged: failed}, s)
	}
}
