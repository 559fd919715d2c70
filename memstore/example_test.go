package memstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

func Example() {
	dir, err := os.MkdirTemp("", "memories")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := memstore.Open(dir, memstore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	ctx := context.Background()
	store.Create(ctx, "/memories/notes.txt", "Hello World\nThis is line two\n")
	fmt.Println(store.View(ctx, "/memories/notes.txt", []int{1, 2}).Content)
	// Output:
	// Here's the content of /memories/notes.txt with line numbers:
	//      1	Hello World
	//      2	This is line two
}

// The input of a tool_use block goes in as it came from the model.
func ExampleStore_DoJSON() {
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	ctx := context.Background()
	for _, input := range []string{
		`{"command": "create", "path": "/memories/todo.txt", "file_text": "- plan\n- ship"}`,
		`{"command": "insert", "path": "/memories/todo.txt", "insert_line": 1, "insert_text": "- test\n"}`,
		`{"command": "str_replace", "path": "/memories/todo.txt", "old_str": "ship", "new_str": "ship it"}`,
		`{"command": "view", "path": "/memories/../etc"}`,
	} {
		result := store.DoJSON(ctx, []byte(input))
		fmt.Println(result.IsError, result.Content)
	}
	// Output:
	// false File created successfully at: /memories/todo.txt
	// false The file /memories/todo.txt has been edited.
	// false The memory file has been edited. Here is the snippet showing the change (with line numbers):
	//      1	- plan
	//      2	- test
	//      3	- ship it
	// true Error: Path /memories/../etc would escape /memories directory
}

// Preview shows the answer and the bytes on both sides, and writes nothing.
func ExampleStore_Preview() {
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	ctx := context.Background()
	store.Create(ctx, "/memories/a.md", "one")
	result, edit := store.Preview(ctx, memstore.Command{
		Name: memstore.CmdInsert, Path: "/memories/a.md", InsertLine: 1, InsertText: "two",
	})
	after, _ := edit.Changes[0].After.Bytes()
	fmt.Printf("%s\n%q\n", result.Content, after)
	fmt.Println(store.View(ctx, "/memories/a.md", []int{1, -1}).Content)
	// Output:
	// The file /memories/a.md has been edited.
	// "one\ntwo"
	// Here's the content of /memories/a.md with line numbers:
	//      1	one
}

func ExampleStore_Replace() {
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	ctx := context.Background()
	store.Create(ctx, "/memories/a.md", "what was looked at")
	seen := memstore.Sum([]byte("what was looked at"))
	store.StrReplace(ctx, "/memories/a.md", "looked at", "changed since")

	result := store.Replace(ctx, "/memories/a.md", []byte("what was edited"), &seen)
	fmt.Println(errors.Is(result.Err, backend.ErrChanged))
	// Output:
	// true
}
