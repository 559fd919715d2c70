package mcpserver

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

func TestPromptOverTheProtocol(t *testing.T) {
	store, _ := twins(memstore.Options{})
	c := connect(t, store, Options{}, nil)
	list, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 1 || list.Prompts[0].Name != "memory_protocol" {
		t.Fatalf("prompts: %+v, %v", list, err)
	}
	for _, p := range []struct {
		args  map[string]string
		want  string
		fails string
	}{
		{nil, protocol, ""},
		{map[string]string{"tidy": "no"}, protocol, ""},
		{map[string]string{"tidy": "Yes", "topic": "ferries"}, protocol + "\n\n" + tidy +
			"\n\nOnly write down information relevant to ferries in your memory system.", ""},
		{map[string]string{"pattern": "multi-session"}, protocol + "\n\n" + multiSession, ""},
		{map[string]string{"tidy": "maybe"}, "", "yes or no"},
		{map[string]string{"topic": "a\nb"}, "", "one line"},
		{map[string]string{"pattern": "x"}, "", "multi-session"},
	} {
		got, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "memory_protocol", Arguments: p.args})
		if p.fails != "" {
			if err == nil || !strings.Contains(err.Error(), p.fails) {
				t.Errorf("%v: %v", p.args, err)
			}
			continue
		}
		if err != nil || len(got.Messages) != 1 {
			t.Errorf("%v: %+v, %v", p.args, got, err)
			continue
		}
		if text := got.Messages[0].Content.(*mcp.TextContent).Text; text != p.want || got.Messages[0].Role != "user" {
			t.Errorf("%v: %q", p.args, text)
		}
	}
}
