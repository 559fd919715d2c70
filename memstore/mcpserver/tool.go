package mcpserver

import (
	"context"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// toolName is the name of the one tool.
const toolName = "memory"

const toolDescription = `Store and retrieve information across conversations in files below /memories. ` +
	"Six commands: `view` shows a directory or a file with line numbers, `create` makes a new file, " +
	"`str_replace` replaces text that occurs exactly once in a file, `insert` puts text after a line, " +
	"`delete` removes a file or a directory with all its contents, `rename` moves a file or a directory."

const errorPrefix = "Error: "

func tool() *mcp.Tool {
	closed := false
	return &mcp.Tool{
		Name: toolName, Title: "Memory", Description: toolDescription, InputSchema: inputSchema,
		// Deleting is one of the commands; nothing outside the directory is reached.
		Annotations: &mcp.ToolAnnotations{Title: "Memory", OpenWorldHint: &closed},
	}
}

// session is the session of a call; client may be nil.
func (s *server) session(client *mcp.Implementation) string {
	if s.options.NameSession == nil || client == nil {
		return ""
	}
	return s.options.NameSession(client.Name)
}

// call carries out one command. The arguments go to the store as they came, so that every
// mistake in them gets the tool's sentence.
func (s *server) call(ctx context.Context, r *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			debug.PrintStack() // for whoever reads the client's log
			result, err = textResult(errorPrefix+"Something went wrong inside "+serverName+"; the command may not have been carried out", true), nil
		}
	}()
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Session: s.session(r.ClientInfo()), ToolUseID: toolUseID(r.Params.Meta)})
	answer := s.store.DoJSON(ctx, r.Params.Arguments)
	return textResult(answer.Content, answer.IsError), nil
}

func textResult(text string, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: isError}
}

// Under these keys clients send the id of the model's tool_use block: Claude Code
// under the first. The protocol has no key of its own for it.
var toolUseKeys = []string{"claudecode/toolUseId", "toolUseId", "tool_use_id"}

// longestToolUseID bounds what is recorded of a client's word, in bytes; the ids of the API have about 30.
const longestToolUseID = 256

func toolUseID(meta mcp.Meta) string {
	for _, key := range toolUseKeys {
		if id, ok := meta[key].(string); ok && id != "" && len(id) <= longestToolUseID {
			return id
		}
	}
	return ""
}
