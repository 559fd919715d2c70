package transcript

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Spans of OpenTelemetry, as the conventions for generative AI and those of OpenInference fill them, and
// the runs of tracing services: a call and its result are the attributes of one span, or stand in
// the messages of the span of the model.

// attributes are those of a span by their keys, in either way that they are written: an object, or a
// list of keys with typed values.
func attributes(v value) map[string]value {
	list := map[string]value{}
	for _, f := range v.object() {
		list[f.key] = f.val
	}
	v.each(func(e value) {
		o := e.object()
		typed := o.get("value").object()
		for _, kind := range []string{"stringValue", "intValue", "boolValue", "doubleValue"} {
			if inner := typed.get(kind); inner != nil {
				list[o.text("key")] = inner
			}
		}
	})
	return list
}

// span takes what the attributes of a span tell; what is below the span is walked all the same.
func (r *Reader) span(o object, s scope) {
	v := o.get("attributes")
	if !v.isObject() && !v.isArray() {
		r.run(o, s)
		return
	}
	a := attributes(v)
	s = s.ofSpan(a)
	r.spanMessages(a, s)
	id := a["gen_ai.tool.call.id"].text()
	switch {
	case a["gen_ai.tool.name"] != nil && a["gen_ai.tool.call.arguments"] != nil:
		r.toolSpan(spanCall{id, a["gen_ai.tool.name"].text(), a["gen_ai.tool.call.arguments"], a["gen_ai.tool.call.result"], a["error.type"] != nil}, o, s)
	case a["ai.toolCall.name"] != nil && a["ai.toolCall.args"] != nil: // of the Vercel AI SDK
		r.toolSpan(spanCall{a["ai.toolCall.id"].text(), a["ai.toolCall.name"].text(), a["ai.toolCall.args"], unquoted(a["ai.toolCall.result"]), statusFailed(o)}, o, s)
	case a["openinference.span.kind"].text() == "TOOL" && a["input.value"] != nil:
		if id == "" {
			id = a["tool_call.id"].text()
		}
		r.toolSpan(spanCall{id, a["tool.name"].text(), a["input.value"], a["output.value"], statusFailed(o)}, o, s)
	}
}

// unquoted is a string that stands in a string as JSON.
func unquoted(v value) value {
	if text := value(v.text()); text.isString() && valid(text) {
		return text
	}
	return v
}

// ofSpan is the scope with what the attributes of a span tell of it.
func (s scope) ofSpan(a map[string]value) scope {
	for _, key := range []string{"session.id", "gen_ai.conversation.id"} {
		if id := a[key].text(); id != "" {
			s.session = id
		}
	}
	for _, key := range []string{"llm.model_name", "gen_ai.request.model", "gen_ai.response.model"} {
		if m := a[key].text(); m != "" {
			s.model = m
		}
	}
	return s
}

func statusFailed(o object) bool {
	status := o.get("status")
	return strings.HasSuffix(status.text(), "ERROR") || strings.HasSuffix(status.object().first("status_code", "code"), "ERROR")
}

// run takes a run of a tool as tracing services write it: name, input and output in one object.
func (r *Reader) run(o object, s scope) {
	kind := strings.ToLower(o.first("run_type", "type"))
	if kind != "tool" && kind != "span" || !isMemoryName(o.text("name")) {
		return
	}
	input, output := o.get("inputs"), o.get("outputs")
	if input == nil {
		input, output = o.get("input"), o.get("output")
	}
	if inner := input.object().get("input"); inner != nil && input.object().get("command") == nil {
		input = inner
	}
	if inner := output.object().get("output"); inner != nil {
		output = inner
	}
	failed := o.text("error") != ""
	if failed && (output == nil || string(output) == "null") {
		output = o.get("error")
	}
	if input != nil {
		r.toolSpan(spanCall{"", o.text("name"), input, output, failed}, o, s)
	}
}

// spanCall is a call with its result as one span has it.
type spanCall struct {
	id, name string
	input    value
	output   value // nil: none
	failed   bool
}

// toolSpan takes a call. Without an id of its own it may be one that the model's span has told of.
func (r *Reader) toolSpan(c spanCall, o object, s scope) {
	if _, ours := familyOf(c.name, firstOf(inputOf(c.input)), true, nil); !ours {
		return
	}
	if c.id == "" {
		if c.id = r.toldBefore(c); c.id == "" {
			c.id = o.first("span_id", "spanId", "id")
		}
		if c.id == "" {
			c.id = o.get("context").object().text("span_id")
		}
	}
	r.made(made{c.id, c.name, c.input}, s)
	if c.output != nil {
		r.answered(answered{id: c.id, content: c.output, isError: c.failed, flagged: c.failed}, s)
	}
}

func firstOf(v value, _ bool) value { return v }

// toldBefore is the id of the first call with the same input whose result is not another.
func (r *Reader) toldBefore(c spanCall) string {
	input, _ := inputOf(c.input)
	want := string(canonical(input))
	for _, known := range r.calls {
		if known.Result == nil && string(canonical(known.Input)) == want {
			return known.ID
		}
	}
	return ""
}

// spanMessages takes the conversations in the attributes of a span of the model.
func (r *Reader) spanMessages(a map[string]value, s scope) {
	for _, key := range []string{"gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.prompt", "gen_ai.completion"} {
		v := a[key]
		if v.isString() {
			if text := value(v.text()); valid(text) {
				v = text
			}
		}
		if v.isArray() {
			r.loosely(v, s)
		}
	}
	for _, side := range []string{"llm.input_messages", "llm.output_messages"} {
		if v := unflattened(a, side); v != nil {
			r.loosely(v, s)
		}
	}
}

// loosely walks the messages of a span. The messages of the answer are no conversation of their own.
func (r *Reader) loosely(v value, s scope) { v.each(func(m value) { r.walk(m, s, 1) }) }

// unflattened puts the messages of OpenInference together, whose keys are paths such as
// llm.output_messages.0.message.tool_calls.0.tool_call.function.name. Nil: there are none.
func unflattened(a map[string]value, side string) value {
	type message struct {
		fields map[string]value
		calls  map[string]map[string]value
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
			list[n] = &message{map[string]value{}, map[string]map[string]value{}}
		}
		calls, isCall := strings.CutPrefix(rest, "tool_calls.")
		if !isCall {
			list[n].fields[rest] = a[key]
			continue
		}
		number, field, _ := strings.Cut(calls, ".tool_call.")
		if list[n].calls[number] == nil {
			list[n].calls[number] = map[string]value{}
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
				id = value(`""`)
			}
			calls = append(calls, `{"id":`+string(id)+`,"function":{"name":`+string(c["function.name"])+`,"arguments":`+string(c["function.arguments"])+"}}")
		}
		if len(calls) > 0 {
			fields = append(fields, `"tool_calls":[`+strings.Join(calls, ",")+"]")
		}
		out = append(out, "{"+strings.Join(fields, ",")+"}")
	}
	if len(out) == 0 {
		return nil
	}
	return value("[" + strings.Join(out, ",") + "]")
}
