package transcript

import (
	"bytes"
	"strings"
)

// The formats that are told apart. All of them are read by the shapes of their parts, so that a
// file that mixes them is read too; the name says what a file mostly is.
const (
	FormatMessages   = "messages"
	FormatClaudeCode = "claude-code"
	FormatStreamJSON = "stream-json"
	FormatBatch      = "batch"
	FormatManaged    = "managed-agents"
	FormatVSCode     = "vscode"
	FormatSSE        = "sse"
	FormatLog        = "log"
	FormatInspect    = "inspect"
	FormatYAML       = "yaml"
	FormatOther      = "other"
)

// Formats are the names of the formats.
func Formats() []string {
	return []string{FormatMessages, FormatClaudeCode, FormatStreamJSON, FormatBatch, FormatManaged, FormatVSCode, FormatSSE, FormatLog, FormatInspect, FormatYAML, FormatArchive, FormatOther}
}

// voters is how many lines decide on a format.
const voters = 20

// detect names the format of a file by its beginning. spread: its JSON values are spread over lines.
func detect(head []byte) (format string, spread bool) {
	text := bytes.TrimLeft(head, " \t\r\n\x1e")
	for _, p := range []string{"event:", "data:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(text, []byte(p)) {
			return FormatSSE, false
		}
	}
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return FormatOther, false
	}
	first, _, more := bytes.Cut(text, []byte{'\n'})
	if more && !valid(bytes.TrimSpace(first)) && opensValue(first) {
		return kindOf(text, true), true
	}
	votes := map[string]int{}
	best := FormatOther
	for line := range bytes.Lines(text) {
		name := kindOf(bytes.TrimSpace(line), false)
		if votes[name]++; name != FormatOther && (best == FormatOther || votes[name] > votes[best]) {
			best = name
		}
		if votes[FormatClaudeCode] > 0 {
			return FormatClaudeCode, false // its other lines have many shapes
		}
		if votes[""]++; votes[""] == voters {
			break
		}
	}
	return best, false
}

// opensValue tells a line that begins a value which goes on in the next one from a broken one:
// all that it opens is not closed yet.
func opensValue(line []byte) bool {
	return len(bytes.TrimSpace(line)) <= 2 || valueEnd(line, 0) == len(line) && !bytes.HasSuffix(bytes.TrimSpace(line), []byte("}"))
}

// kindOfMost is the first format that is known of the elements at the beginning of a list.
func kindOfMost(list value) string {
	kind, n := FormatOther, 0
	list.each(func(e value) {
		if n++; kind == FormatOther && n <= voters && !bytes.HasPrefix(e, []byte{'['}) {
			kind = kindOf(e, false)
		}
	})
	return kind
}

// kindOf names the format that the keys at the top of a value speak for.
func kindOf(v value, cut bool) string {
	if v.isArray() {
		v = bytes.TrimLeft(v[1:], " \t\r\n")
	}
	if !v.isObject() {
		return FormatOther
	}
	o := v.object()
	has := func(keys ...string) bool {
		for _, k := range keys {
			if o.get(k) == nil {
				return false
			}
		}
		return true
	}
	kind := o.text("type")
	for _, key := range []string{"data", "loglines"} { // a list of an API, a session that was fetched
		if list := o.get(key); list.isArray() {
			return kindOfMost(list)
		}
	}
	switch {
	case has("uuid", "sessionId", "type"), kind == "summary" && has("leafUuid"), kind == "file-history-snapshot":
		return FormatClaudeCode
	case has("session_id") && (has("message") || has("subtype") || has("event")):
		return FormatStreamJSON
	case has("eval", "samples"), has("epoch", "messages"), has("epoch", "events"):
		return FormatInspect
	case has("custom_id"):
		return FormatBatch
	case has("kind", "v"), has("requests", "version"), has("prompts", "exportedAt"):
		return FormatVSCode
	case strings.HasPrefix(kind, "agent.") || strings.HasPrefix(kind, "user."):
		return FormatManaged
	case has("request"), has("response"), has("log"), has("request_body"), has("interactions"), has("payload"):
		return FormatLog
	case has("messages"), has("role", "content"), has("role", "tool_calls"):
		return FormatMessages
	}
	return FormatOther
}
