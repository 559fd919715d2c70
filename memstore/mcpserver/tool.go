package mcpserver

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

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
	if s.options.Session != "" || s.options.NameSession == nil || client == nil {
		return s.options.Session
	}
	return s.options.NameSession(client.Name)
}

// call carries out one command. The arguments go to the store as they came, so that every
// mistake in them gets the tool's sentence.
func (s *server) call(ctx context.Context, r *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "value", p, "stack", string(debug.Stack()))
			result, err = textResult(errorPrefix+"Something went wrong inside "+serverName+"; the command may not have been carried out", true), nil
		}
	}()
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Session: s.session(r.ClientInfo()), ToolUseID: toolUseID(r.Params.Meta)})
	answer := s.do(ctx, r.Params.Arguments)
	return textResult(answer.Content, answer.IsError), nil
}

// longestView is the most text that a result may hold, in bytes: a message of the protocol is whole, and in
// memory several times over, in JSON up to six times as long.
const longestView = 64 << 20

const viewTooLong = errorPrefix + "The view has more than 64 MiB of text. Use view_range to view a part of the file"

// do carries out an input. A view is written to a bounded buffer, so that one that is too
// long ends where it reaches the limit.
func (s *server) do(ctx context.Context, input []byte) memstore.Result {
	c, bad := memstore.DecodeCommand(input)
	if bad != nil {
		return s.store.DoJSON(ctx, input) // which has the sentence for it
	}
	return s.run(ctx, c)
}

func (s *server) run(ctx context.Context, c memstore.Command) memstore.Result {
	if c.Name != memstore.CmdView {
		return s.store.Do(ctx, c)
	}
	b := bounded{most: s.longest}
	switch err := s.store.ViewTo(ctx, &b, c); {
	case err == nil:
		return memstore.Result{Content: b.text.String()}
	case errors.Is(err, errTooLong):
		return memstore.Result{Content: viewTooLong, IsError: true, Err: errTooLong}
	}
	// A view that failed has its sentence from the store, which tries again where the file changed meanwhile.
	r := s.store.Do(ctx, c)
	if len(r.Content) > s.longest {
		return memstore.Result{Content: viewTooLong, IsError: true, Err: errTooLong}
	}
	return r
}

var errTooLong = errors.New("a view is too long for a message")

// bounded keeps text up to a limit.
type bounded struct {
	text strings.Builder
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > b.most {
		return 0, errTooLong
	}
	return b.text.Write(p)
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
