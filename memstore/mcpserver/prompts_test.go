package mcpserver

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

func TestPromptOverTheProtocol(t *testing.T) {
	store, _ := twins(memstore.Options{})
	c := connect(t, store, Options{})
	got, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "memory_protocol"})
	if err != nil || len(got.Messages) != 1 || got.Messages[0].Content.(*mcp.TextContent).Text != Protocol {
		t.Errorf("%+v, %v", got, err)
	}
}
