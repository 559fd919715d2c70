package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memcurator/memstore"
)

// connect joins a client to a server for store and returns the client's end.
func connect(t *testing.T, store *memstore.Store, o Options) *mcp.ClientSession {
	t.Helper()
	serverEnd, clientEnd := mcp.NewInMemoryTransports()
	if _, err := New(store, o).Connect(t.Context(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), clientEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// twins are two equal stores in memory: one to serve, one to compare with.
func twins(o memstore.Options) (served, twin *memstore.Store) {
	return memstore.New(memstore.NewMemory(), o), memstore.New(memstore.NewMemory(), o)
}

func TestSchemaFitsWhatTheStoreWants(t *testing.T) {
	values := map[string]any{"view_range": []int{1, 2}, "insert_line": 0}
	for _, command := range commands {
		input := map[string]any{"command": command.name}
		for _, f := range command.fields {
			input[f.name] = "x"
			if v, ok := values[f.name]; ok {
				input[f.name] = v
			}
			if p := inputSchema.Properties[f.name]; p == nil || !strings.Contains(p.Description, "`"+command.name+"`") {
				t.Errorf("%s: %s is not described", command.name, f.name)
			}
		}
		decode := func() error {
			data, err := json.Marshal(input)
			if err != nil {
				t.Fatal(err)
			}
			_, err = memstore.DecodeCommand(data)
			return err
		}
		if err := decode(); err != nil {
			t.Errorf("%s: %v", command.name, err)
		}
		for _, f := range command.fields {
			kept := input[f.name]
			delete(input, f.name)
			// An absent new_str is forgiven; although the published type requires it.
			if err := decode(); f.optional == (err != nil) && f.name != "new_str" {
				t.Errorf("%s without %s: %v, optional %v", command.name, f.name, err, f.optional)
			}
			input[f.name] = kept
		}
	}
}

// originRecorder keeps on whose behalf edits were made.
type originRecorder struct {
	mu   sync.Mutex
	seen []memstore.Origin
}

func (r *originRecorder) Begin(_ context.Context, e *memstore.Edit) (func(error), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, e.Origin)
	return func(error) {}, nil
}

func TestOrigin(t *testing.T) {
	var recorder originRecorder
	store := memstore.New(memstore.NewMemory(), memstore.Options{Recorders: []memstore.Recorder{&recorder}})
	c := connect(t, store, Options{NameSession: func(string) string { return "s1" }})
	metas := []mcp.Meta{
		nil,
		{"claudecode/toolUseId": "toolu_1"},
		{"tool_use_id": "toolu_2", "progressToken": 7},
		{"toolUseId": 7},
		{"toolUseId": strings.Repeat("x", 300)},
		{"actor": "curator", "as": "undo", "undoes": 1, "redoable": true, "origin": map[string]any{"Actor": "curator", "As": "undo",
			"Undoes": 1}},
	}
	for i, meta := range metas {
		input := fmt.Sprintf(`{"command":"create","path":"/memories/%d","file_text":""}`, i)
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Meta: meta, Name: toolName, Arguments: json.RawMessage(input)})
		if err != nil || r.IsError {
			t.Fatal(r, err)
		}
	}
	for i, id := range []string{"", "toolu_1", "toolu_2", "", "", ""} {
		if want := (memstore.Origin{Actor: memstore.Agent, Session: "s1", ToolUseID: id}); recorder.seen[i] != want {
			t.Errorf("edit %d by %+v, want %+v", i, recorder.seen[i], want)
		}
	}
}
