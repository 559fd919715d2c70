package memstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"memcurator/memstore"
)

// toolUse and toolResult are the blocks of the Messages API, as far as a loop needs them.
type toolUse struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	Content   string `json:"content"`
	IsError   bool   `json:"is_error,omitempty"`
}

// answer carries out the memory calls of one assistant message. The id of a call goes
// along, so that a recorder can say which call made a change.
func answer(ctx context.Context, store *memstore.Store, content []byte) ([]toolResult, error) {
	var blocks []toolUse
	if err := json.Unmarshal(content, &blocks); err != nil {
		return nil, err
	}
	var results []toolResult
	for _, b := range blocks {
		if b.Type != "tool_use" || b.Name != "memory" {
			continue
		}
		r := store.DoJSON(memstore.WithOrigin(ctx, memstore.Origin{ToolUseID: b.ID}), b.Input)
		results = append(results, toolResult{Type: "tool_result", ToolUseID: b.ID, Content: r.Content, IsError: r.IsError})
	}
	return results, nil
}

// The loop of an agent without any SDK: the content of an assistant message goes in, the
// content of the next user message comes out. A failed command is an answer
// like any other, the model reads it and goes on.
func Example_loop() {
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	ctx := context.Background()
	for _, content := range []string{
		`[{"type": "text", "text": "Let me check my memory."},
		  {"type": "tool_use", "id": "toolu_1", "name": "memory", "input": {"command": "view", "path": "/memories"}}]`,
		`[{"type": "tool_use", "id": "toolu_2", "name": "memory",
		   "input": {"command": "create", "path": "/memories/user.md", "file_text": "Prefers short answers.\n"}},
		  {"type": "tool_use", "id": "toolu_3", "name": "memory", "input": {"command": "delete", "path": "/memories/old.md"}}]`,
	} {
		results, err := answer(ctx, store, []byte(content))
		if err != nil {
			fmt.Println(err)
			return
		}
		out, err := json.MarshalIndent(results, "", " ")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(string(out))
	}
	// Output:
	// [
	//  {
	//   "type": "tool_result",
	//   "tool_use_id": "toolu_1",
	//   "content": "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n4.0K\t/memories"
	//  }
	// ]
	// [
	//  {
	//   "type": "tool_result",
	//   "tool_use_id": "toolu_2",
	//   "content": "File created successfully at: /memories/user.md"
	//  },
	//  {
	//   "type": "tool_result",
	//   "tool_use_id": "toolu_3",
	//   "content": "Error: The path /memories/old.md does not exist",
	//   "is_error": true
	//  }
	// ]
}

// capFile refuses an edit that leaves a file of more than most bytes, and tells the agent
// once a file is more than half full. What a guard says is one line of the result.
func capFile(most int64) memstore.Guard {
	return memstore.Guard{Check: func(_ context.Context, e *memstore.Edit) (string, error) {
		for _, c := range e.Changes {
			switch {
			case c.After == nil: // a removal, or a folder
			case c.After.Size() > most:
				return "", fmt.Errorf("%s would have %d bytes, the limit is %d. Shorten it or split it by topic", c.Path, c.After.Size(), most)
			case c.After.Size() > most/2:
				return fmt.Sprintf("Note: %s has %d of %d bytes.", c.Path, c.After.Size(), most), nil
			}
		}
		return "", nil
	}}
}

// printer is a recorder: it learns of an edit before it is made, and how it went.
type printer struct{}

func (printer) Begin(_ context.Context, e *memstore.Edit) (func(error), error) {
	return func(err error) {
		for _, c := range e.Changes {
			fmt.Printf("[%s %s %s %s: %s -> %s, failed: %v]\n", e.Origin.Actor, e.Origin.ToolUseID, e.Command.Name, c.Path,
				digest(c.Before), digest(c.After), err != nil)
		}
	}, nil
}

func digest(c *memstore.Content) string {
	if c == nil {
		return "nothing"
	}
	sum, err := c.Digest()
	if err != nil {
		return "unreadable"
	}
	return sum.String()[:8]
}

// A wrapper around the plain store that limits and records. What a guard refuses is never
// recorded, since nothing is going to change.
func Example_limitAndRecord() {
	store := memstore.New(memstore.NewMemory(), memstore.Options{
		Guards:    []memstore.Guard{capFile(40)},
		Recorders: []memstore.Recorder{printer{}},
	})
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{ToolUseID: "toolu_7"})
	fmt.Println(store.Create(ctx, "/memories/log.md", "session 1\n").Content)
	fmt.Println(store.Insert(ctx, "/memories/log.md", 1, "session 2: done\n").Content)
	refused := store.Insert(ctx, "/memories/log.md", 2, "session 3: this is more than there is room for\n")
	fmt.Println(refused.Content, errors.Is(refused.Err, memstore.ErrRefused))
	fmt.Println(store.Delete(ctx, "/memories/log.md").Content)
	// Output:
	// [agent toolu_7 create /memories/log.md: nothing -> 4b662bc7, failed: false]
	// File created successfully at: /memories/log.md
	// [agent toolu_7 insert /memories/log.md: 4b662bc7 -> 96eb05b9, failed: false]
	// The file /memories/log.md has been edited.
	// Note: /memories/log.md has 26 of 40 bytes.
	// Error: /memories/log.md would have 73 bytes, the limit is 40. Shorten it or split it by topic true
	// [agent toolu_7 delete /memories/log.md: 96eb05b9 -> nothing, failed: false]
	// Successfully deleted /memories/log.md
}
