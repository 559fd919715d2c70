package format

import (
	"regexp"
	"strconv"
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Cline is the name of the conversations of Cline and Roo Code (api_conversation_history.json). Until models called tools, they asked
// for them in XML: the call is the first such element of an answer, and its result the first text of the message after it, which begins
// with the name of the tool. Later versions have blocks as the Messages API does.
//
// Read: cline/cline, apps/vscode/src/core (assistant-message, task/tools, prompts/responses.ts), version 3.89.2;
// RooCodeInc/Roo-Code, src/core (tools, assistant-message) and src/utils/mcp-name.ts, versions 3.30.0 (XML) and 3.52.1 (blocks).
const Cline = "cline"

var cline = format{
	Name:    Cline,
	Decides: true,
	Detects: func(o rawjson.Object) bool {
		if o.Text("role") != "user" || !o.Get("content").IsArray() {
			return false
		}
		task, details := false, false
		o.Get("content").Each(func(b rawjson.Value) {
			text := b.Object().Text("text")
			task = task || strings.HasPrefix(text, "<task>") || strings.HasPrefix(text, "<user_message>")
			details = details || strings.HasPrefix(text, "<environment_details>") || strings.Contains(text, "\n<environment_details>")
		})
		return task && details
	},
	Unwrap: clineText,
	Files: map[string]Does{
		"write_to_file": Writes, "replace_in_file": Blocks, "apply_diff": Blocks, "read_file": Reads, "execute_command": Shell,
	},
}

// element is one call in XML.
type element struct {
	name   string
	params map[string]string
}

// opened finds the element of a tool that has parameters of its own.
var opened = regexp.MustCompile(`<(use_mcp_tool|write_to_file|replace_in_file|apply_diff|read_file|execute_command)>`)

// Asked reads the call in the text of an answer whose result has a header such as [write_to_file for 'a.md'] Result:. Without a header it
// is the one with which the answer ends, on lines of its own. Elements in thoughts and in texts have no result.
func Asked(text, header string) (Call, bool) {
	for _, at := range opened.FindAllStringSubmatchIndex(text, -1) {
		e := element{text[at[2]:at[3]], map[string]string{}}
		inside := text[at[1]:]
		end := strings.LastIndex(inside, "</"+e.name+">")
		if end < 0 {
			continue // it was cut off
		}
		for _, key := range []string{"server_name", "tool_name", "arguments", "path", "content", "diff", "command", "start_line", "end_line"} {
			if v, ok := e.param(inside[:end], key); ok {
				e.params[key] = v
			}
		}
		before, after := strings.TrimRight(text[:at[0]], " \t"), inside[end+len("</>")+len(e.name):]
		alone := (before == "" || strings.HasSuffix(before, "\n")) && strings.TrimSpace(after) == ""
		if header == e.header() || header == "" && alone {
			return e.call(), true
		}
	}
	return Call{}, false
}

// header is what the result of an element begins with.
func (e element) header() string {
	what := "path"
	switch e.name {
	case "use_mcp_tool":
		what = "server_name"
	case "execute_command":
		what = "command"
	}
	return "[" + e.name + " for '" + e.params[what] + "'"
}

// resultHeader begins the result of a tool that was asked for in XML.
var resultHeader = regexp.MustCompile(`^(?s:(\[\w+ for '.*?')[^\n]*?\] Result:(?:\n|$))`)

// Told reads the result in a message after an answer: its header, and the text behind it, or in the next block.
func Told(content rawjson.Value) (header string, r Result, ok bool) {
	content.Each(func(b rawjson.Value) {
		o := b.Object()
		switch text := o.Text("text"); {
		case o.Text("type") != "text" || r.Content != nil:
		case ok: // behind a header that stands alone
			r.Content = o.Get("text")
		case header == "":
			m := resultHeader.FindStringSubmatch(text)
			if m == nil {
				header = "-" // no result comes later
				return
			}
			header, ok = m[1], true
			if len(m[0]) < len(text) {
				r.Content = o.Get("text")
			}
		}
	})
	r.Unwrap, r.Plain = clineText, true
	r.Omitted = true // a failure says so in its text
	return header, r, ok
}

// clineText is the text of a result without its header, and without what says that a tool failed.
func clineText(text string) (inner string, failed, told bool) {
	if strings.HasPrefix(text, "[") {
		if m := resultHeader.FindString(text); m != "" {
			text, told = text[len(m):], true
		}
	}
	for _, failure := range []string{"Error:\n", "The tool execution failed with the following error:\n<error>\n"} {
		if rest, ok := strings.CutPrefix(text, failure); ok {
			return strings.TrimSuffix(rest, "\n</error>"), true, true
		}
	}
	if text == "The user denied this operation." {
		return text, true, true
	}
	return text, false, told
}

// param is a parameter of an element. A text may have the end of its own element in it: the last one counts.
func (e element) param(inside, key string) (string, bool) {
	from := strings.Index(inside, "<"+key+">")
	if from < 0 {
		return "", false
	}
	v := inside[from+len(key)+2:]
	end := strings.Index(v, "</"+key+">")
	if key == "content" || key == "diff" || key == "arguments" {
		end = strings.LastIndex(v, "</"+key+">")
	}
	if end < 0 {
		return "", false
	}
	v = v[:end]
	if key == "content" || key == "diff" {
		return strings.TrimSuffix(strings.TrimPrefix(v, "\n"), "\n"), true
	}
	return strings.TrimSpace(v), true
}

// call is the element as a call: of a tool of the Model Context Protocol, that tool with its arguments.
func (e element) call() Call {
	if e.name == "use_mcp_tool" {
		args := rawjson.Value(e.params["arguments"])
		if !args.IsObject() || !rawjson.Valid(args) {
			args = rawjson.Quote(string(args))
		}
		return Call{Name: e.params["tool_name"], Input: args}
	}
	input := []byte{'{'}
	for _, key := range []string{"path", "content", "diff", "command"} {
		if v, ok := e.params[key]; ok {
			if len(input) > 1 {
				input = append(input, ',')
			}
			input = append(append(append(input, rawjson.Quote(key)...), ':'), rawjson.Quote(v)...)
		}
	}
	for _, key := range []string{"start_line", "end_line"} {
		if n, err := strconv.Atoi(e.params[key]); err == nil {
			input = append(input, `,"`+key+`":`+strconv.Itoa(n)...)
		}
	}
	return Call{Name: e.name, Input: append(input, '}')}
}
