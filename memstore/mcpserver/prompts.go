package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Protocol is what the API puts into the system prompt of a model that has the memory tool, word for word from the tool's documentation.
const Protocol = "IMPORTANT: ALWAYS VIEW YOUR MEMORY DIRECTORY BEFORE DOING ANYTHING ELSE.\n" +
	"MEMORY PROTOCOL:\n" +
	"1. Use the `view` command of your `memory` tool to check for earlier progress.\n" +
	"2. ... (work on the task) ...\n" +
	"     - As you make progress, record status / progress / thoughts etc in your memory.\n" +
	"ASSUME INTERRUPTION: Your context window might be reset at any moment, so you risk losing any progress that is not recorded " +
	"in your memory directory."

// instructions are what the server tells a client about itself; clients put them
// into the system prompt, where the API would put the protocol.
const instructions = "The `memory` tool keeps files below /memories that last across conversations.\n\n" + Protocol

func (s *server) addPrompts() {
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: "memory_protocol", Title: "Memory protocol",
		Description: "How to work with the memory directory, in the words of the memory tool's documentation",
	}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{
			Description: "The memory protocol",
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: Protocol}}},
		}, nil
	})
}
