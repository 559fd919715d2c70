package format

import (
	"regexp"
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Cline is the name of the conversations of Cline and Roo Code (api_conversation_history.json). Calls are
// blocks as in the Messages API; those of old versions, in XML, are not read.
//
// Read: cline/cline, apps/vscode/src/core (assistant-message, task/tools, prompts/responses.ts), version 3.89.2;
// RooCodeInc/Roo-Code, src/core (tools, assistant-message) and src/utils/mcp-name.ts, version 3.52.1.
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

// resultHeader begins the text of a result.
var resultHeader = regexp.MustCompile(`^(?s:(\[\w+ for '.*?')[^\n]*?\] Result:(?:\n|$))`)

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
