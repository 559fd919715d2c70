package transcript

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"memcurator/memstore"
)

// made is a call as one of the shapes has it.
type made struct {
	id, name string
	input    value // an object, or a string that holds one
}

// answered is a result as one of the shapes has it.
type answered struct {
	id      string
	content value // nil: empty
	isError bool
	flagged bool // the shape says whether it is an error
	omitted bool // the shape has a flag, which is left out here: no error, as far as it says
}

// shape takes an object that is a call, a result or an event of a stream. It reports whether the
// object was taken, so that nothing in it is looked at again.
func (r *Reader) shape(o object, s scope) bool {
	if m, ok := callShape(o); ok {
		r.made(m, s)
		if a, ok := ownResult(o); ok {
			r.answered(a, s)
		}
		return true
	}
	if a, ok := resultShape(o); ok {
		r.answered(a, s)
		return true
	}
	if r.toolEvent(o, s) || r.unnamedResult(o, s) {
		return true
	}
	r.editorParts(o, s)
	return r.event(o, s)
}

func callShape(o object) (made, bool) {
	input := o.get("input")
	switch kind := o.text("type"); kind {
	case "tool_use", "server_tool_use", "mcp_tool_use", "agent.custom_tool_use", "agent.tool_use", "agent.mcp_tool_use":
		return made{o.text("id"), o.text("name"), input}, input != nil && o.text("name") != ""
	case "tool_call":
		if o.get("arguments") != nil && o.text("name") != "" { // a part of a message of OpenTelemetry
			return made{o.text("id"), o.text("name"), o.get("arguments")}, true
		}
	case "function_call":
		return made{o.first("call_id", "id"), o.text("name"), o.get("arguments")}, o.get("arguments") != nil
	}
	if f := o.get("function"); f.isObject() && f.object().get("arguments") != nil {
		inner := f.object()
		return made{o.text("id"), inner.text("name"), inner.get("arguments")}, inner.text("name") != ""
	}
	return frameworkCall(o)
}

func resultShape(o object) (answered, bool) {
	flag := o.get("is_error")
	switch o.text("type") {
	case "tool_result", "mcp_tool_result", "agent.tool_result", "agent.mcp_tool_result", "user.tool_result":
		id := o.first("tool_use_id", "mcp_tool_use_id")
		return answered{id: id, content: o.get("content"), isError: flag.isTrue(), flagged: flag != nil, omitted: flag == nil}, id != ""
	case "user.custom_tool_result":
		return answered{id: o.text("custom_tool_use_id"), content: o.get("content"), isError: flag.isTrue(), flagged: flag != nil, omitted: flag == nil}, true
	case "tool_call_response":
		content := o.get("response")
		if content == nil {
			content = o.get("result")
		}
		return answered{id: o.text("id"), content: content}, o.text("id") != ""
	case "function_call_output":
		return answered{id: o.text("call_id"), content: o.get("output")}, true
	}
	if id := o.text("tool_call_id"); id != "" && o.text("role") == "tool" {
		return withError(answered{id: id, content: o.get("content")}, o), true
	}
	return frameworkResult(o)
}

// made takes a call of any tool.
func (r *Reader) made(m made, s scope) {
	input, whole := inputOf(r.attached(m.input))
	family, ours := familyOf(m.name, input, whole, r.options.Folders)
	if isMemoryName(m.name) && m.input.isString() && m.input.text() == "" {
		return // a stream tells that a call begins
	}
	if !ours {
		if m.id == "" {
			r.expect(m.name, nil, s)
		}
		r.uses(m.name, nil, s)
		r.record.latest[m.id] = nil
		if isMemoryName(m.name) {
			r.book.other(r, m, s)
		} else {
			r.summary.Tools[m.name]++
		}
		return
	}
	if r.record.whole && !s.inside {
		s.turn = r.record.count + 1 // the answer to the conversation
	}
	r.add(&Call{
		ID: m.id, Session: s.session, Turn: s.turn, Time: s.time, When: s.when, Model: s.model, Side: s.side,
		Family: family, Tool: m.name, folders: r.options.Folders, Input: json.RawMessage(input), Cut: !whole, Source: r.record.at,
	}, s)
	r.uses(m.name, r.record.latest[m.id], s)
	if m.id == "" {
		r.expect(m.name, r.record.latest[m.id], s)
	}
}

// inputOf is the input as an object; of one that came as a string the text of that. whole is
// false for what is no object.
func inputOf(v value) (input value, whole bool) {
	if v.isString() {
		text := value(bytes.TrimSpace(v.textBytes()))
		if text.isObject() && valid(text) {
			return text, true
		}
		return v, false
	}
	return v, v.isObject()
}

// familyOf reports whether a call is one on a memory. A name alone is no proof.
func familyOf(name string, input value, whole bool, folders []string) (Family, bool) {
	o := input.object()
	switch {
	case isMemoryName(name) && whole:
		return Memory, isCommand(o.text("command"))
	case isMemoryName(name):
		return Memory, strings.Contains(input.text(), `"command"`)
	case fileTool(name) != "":
		return Files, pathInMemory(o.first("file_path", "path"), folders) != ""
	case name == "Bash" || name == "bash":
		return Shell, memoryFolder.MatchString(o.text("command"))
	}
	return Memory, false
}

func isMemoryName(name string) bool {
	return name == "memory" || strings.HasSuffix(name, "_memory")
}

func isCommand(name string) bool {
	switch name {
	case memstore.CmdView, memstore.CmdCreate, memstore.CmdStrReplace, memstore.CmdInsert, memstore.CmdDelete, memstore.CmdRename:
		return true
	}
	return false
}

// The tools with which memory folders are read and written as files.
const (
	toolWrite     = "Write"
	toolEdit      = "Edit"
	toolMultiEdit = "MultiEdit"
	toolRead      = "Read"
)

// fileTool is the tool that a name stands for, whatever its case; "" for none. Managed Agents have the
// same tools in small letters.
func fileTool(name string) string {
	for _, t := range []string{toolWrite, toolEdit, toolMultiEdit, toolRead} {
		if strings.EqualFold(name, t) {
			return t
		}
	}
	return ""
}

// memoryFolder finds the memory folders of Claude Code, and those that Managed Agents mount, in a path
// or in a shell command.
var memoryFolder = regexp.MustCompile(`(^|[\\/])(\.claude[\\/](projects[\\/][^\\/]+[\\/]memory|agent-memory(-local)?)|mnt[\\/]memory[\\/][^\\/\s]+)([\\/]|$)`)

// pathInMemory maps a path of the disk to the path in the store; "" for one that is in no memory folder.
func pathInMemory(file string, folders []string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	for _, f := range folders {
		if rest, ok := strings.CutPrefix(file, f+"/"); ok {
			return memstore.Root + "/" + rest
		}
	}
	at := memoryFolder.FindStringIndex(file)
	if at == nil {
		return ""
	}
	return memstore.Root + "/" + file[at[1]:]
}

// AgentPath is the path in the store of a call of a file tool; "" for any other.
func (c *Call) AgentPath() string {
	if c.Family != Files {
		return ""
	}
	return pathInMemory(value(c.Input).object().first("file_path", "path"), c.folders)
}

// result is what is kept of an answer.
func (a answered) result() *Result {
	res := &Result{Raw: json.RawMessage(a.content), IsError: a.isError, Flagged: a.flagged}
	if a.content == nil || string(a.content) == "null" {
		res.Raw = json.RawMessage(`""`)
	}
	res.Text = contentText(value(res.Raw))
	if !a.flagged && !a.omitted {
		res.IsError = soundsFailed(res.Text)
	}
	return res
}

// contentText is the text of a result: a string, or the texts of the blocks in an array.
func contentText(v value) string {
	if v.isString() {
		return v.text()
	}
	var b strings.Builder
	leaves(&b, v, 0)
	return b.String()
}

// leaves writes the texts of a result: of the blocks in an array, or of the leaves of a tree, as VS
// Code keeps what it has rendered.
func leaves(b *strings.Builder, v value, depth int) {
	switch {
	case depth > deepest:
	case v.isString():
		b.WriteString(v.text())
	case v.isArray():
		v.each(func(e value) { leaves(b, e, depth+1) })
	case v.isObject():
		o := v.object()
		for _, key := range []string{"text", "value", "node", "children"} {
			if inner := o.get(key); inner != nil {
				leaves(b, inner, depth+1)
			}
		}
	}
}
