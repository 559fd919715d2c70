package transcript

import "strings"

// The parts of conversations as frameworks and editors write them down. Each is told by its keys,
// wherever it stands.

// frameworkCall is a call as a framework has it.
func frameworkCall(o object) (made, bool) {
	switch {
	case o.text("method") == "tools/call" && o.get("jsonrpc") != nil: // MCP
		p := o.get("params").object()
		return made{idText(o.get("id")), p.text("name"), p.get("arguments")}, p.get("arguments") != nil
	case o.get("functionCall").isObject(): // Gemini
		f := o.get("functionCall").object()
		return made{f.text("id"), f.text("name"), f.get("args")}, f.get("args") != nil && f.text("name") != ""
	case o.get("toolUse").isObject(): // Bedrock Converse
		u := o.get("toolUse").object()
		return made{u.text("toolUseId"), u.text("name"), u.get("input")}, u.get("input") != nil
	case o.text("part_kind") == "tool-call": // Pydantic AI
		return made{o.text("tool_call_id"), o.text("tool_name"), o.get("args")}, o.get("args") != nil
	case o.text("type") == "tool-call": // Vercel AI SDK; args until version 4
		input := o.get("input")
		if input == nil {
			input = o.get("args")
		}
		return made{o.text("toolCallId"), o.text("toolName"), input}, input != nil
	case o.text("toolCallId") != "" && toolOfPart(o) != "" && o.first("type", "state") != "tool-result": // its messages for a user interface
		input := o.get("input")
		if input == nil {
			input = o.get("args")
		}
		return made{o.text("toolCallId"), toolOfPart(o), input}, input != nil
	case o.get("function").isString() && o.get("arguments") != nil && o.get("event") == nil: // Inspect
		return made{o.text("id"), o.text("function"), o.get("arguments")}, true
	case o.get("id").isString() && o.get("name").isString() && o.get("arguments").isString() && o.get("type") == nil: // VS Code chat
		return made{o.text("id"), o.text("name"), o.get("arguments")}, true
	case o.get("id").isString() && o.get("name").isString() && o.get("args").isObject(): // LangChain
		return made{o.text("id"), o.text("name"), o.get("args")}, true
	}
	return made{}, false
}

// idText is an id that is a string or a number.
func idText(v value) string {
	if v.isString() {
		return v.text()
	}
	return string(v)
}

// toolOfPart is the tool of a part of a message for a user interface: its type names it, or a field.
func toolOfPart(o object) string {
	kind := o.text("type")
	if name, ok := strings.CutPrefix(kind, "tool-"); ok && o.get("state") != nil {
		return name
	}
	if o.get("state") != nil && (kind == "dynamic-tool" || kind == "") {
		return o.text("toolName")
	}
	return ""
}

// ownResult is the result that stands in the part of its call.
func ownResult(o object) (answered, bool) {
	a := answered{id: o.text("toolCallId"), flagged: true}
	switch state := o.text("state"); {
	case a.id == "" || toolOfPart(o) == "":
	case state == "output-available":
		a.content = o.get("output")
		return a, true
	case state == "result":
		a.content, a.flagged = o.get("result"), false
		return a, true
	case state == "output-error", state == "output-denied":
		a.isError = true
		if a.content = o.get("errorText"); a.content == nil {
			a.content = o.get("output")
		}
		return a, true
	}
	return answered{}, false
}

// frameworkResult is a result as a framework has it.
func frameworkResult(o object) (answered, bool) {
	switch {
	case o.get("jsonrpc") != nil && o.get("id") != nil && (o.get("result").isObject() || o.get("error").isObject()):
		a := answered{id: idText(o.get("id")), content: o.get("result").object().get("content"), isError: o.get("result").object().get("isError").isTrue(), flagged: true}
		if e := o.get("error"); e.isObject() {
			a.content, a.isError = e.object().get("message"), true
		}
		return a, true
	case o.get("toolResult").isObject():
		u := o.get("toolResult").object()
		return answered{id: u.text("toolUseId"), content: u.get("content"), isError: u.text("status") == "error", flagged: true}, true
	case o.text("part_kind") == "tool-return":
		return answered{id: o.text("tool_call_id"), content: o.get("content")}, true
	case o.text("part_kind") == "retry-prompt" && o.get("tool_call_id") != nil:
		return answered{id: o.text("tool_call_id"), content: o.get("content"), isError: true, flagged: true}, true
	case o.text("type") == "tool-result":
		content := o.get("result")
		kind := ""
		if out := o.get("output"); out.isObject() && out.object().get("value") != nil {
			content, kind = out.object().get("value"), out.object().text("type")
		} else if out != nil {
			content = out
		}
		return answered{id: o.text("toolCallId"), content: content, isError: strings.HasPrefix(kind, "error") || kind == "execution-denied", flagged: kind != ""}, true
	case o.text("tool_call_id") != "" && o.get("content") != nil && o.get("role") == nil && o.get("part_kind") == nil: // LangChain
		return answered{id: o.text("tool_call_id"), content: o.get("content"), isError: o.text("status") == "error", flagged: o.get("status") != nil}, true
	}
	return answered{}, false
}

// editorParts takes what only chat in VS Code has: results by the id of their call, and the calls of
// a chat replay, which have both. Walking goes on: the calls stand beside the results.
func (r *Reader) editorParts(o object, s scope) {
	for _, f := range o.get("toolCallResults").object() {
		content := f.val.object().get("content")
		if content == nil {
			continue
		}
		r.orphan(answered{id: f.key, content: content})
	}
	if o.text("kind") == "toolCall" && o.get("tool") != nil && o.get("args") != nil {
		r.made(made{o.text("id"), o.text("tool"), o.get("args")}, s)
		if response := o.get("response"); response != nil {
			r.answered(answered{id: o.text("id"), content: response}, s)
		}
	}
}

// orphan keeps a result until the call that stands behind it in the record is found.
func (r *Reader) orphan(a answered) {
	if r.record.orphans == nil {
		r.record.orphans = map[string]answered{}
	}
	r.record.orphans[a.id] = a
}
