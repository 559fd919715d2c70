package age_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	filippo "filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
)

// An encrypted store answers as any other; on disk lies nothing that can be read.
func Example() {
	parent, err := os.MkdirTemp("", "age")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(parent)
	id, err := filippo.GenerateX25519Identity()
	if err != nil {
		fmt.Println(err)
		return
	}
	dir := filepath.Join(parent, "memories")
	backend, err := age.Create(dir, id)
	if err != nil {
		fmt.Println(err)
		return
	}
	store := memstore.New(backend, memstore.Options{})
	defer store.Close()

	ctx := context.Background()
	fmt.Println(store.Create(ctx, "/memories/notes.md", "the secret plan").Content)
	fmt.Println(store.View(ctx, "/memories/notes.md", nil).Content)
	entries, err := os.ReadDir(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range entries {
		fmt.Println(len(e.Name()), "characters on disk, the plain name:", e.Name() == "notes.md")
	}
	// Unordered output:
	// File created successfully at: /memories/notes.md
	// Here's the content of /memories/notes.md with line numbers:
	//      1	the secret plan
	// 43 characters on disk, the plain name: false
	// 19 characters on disk, the plain name: false
}
