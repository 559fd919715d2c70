package policy_test

import (
	"context"
	"fmt"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
)

// A program that embeds the tool holds its agent to a configuration.
func ExampleNewEnforcer() {
	c, err := config.Parse("limits.toml", []byte(`
[[rule]]
match = ["**"]
max_file_bytes = "1KB"
[[rule]]
match = ["rules.md"]
lock = true
`), "/home/me")
	if err != nil {
		fmt.Println(err)
		return
	}
	backend := memstore.NewMemory() // or memstore.OpenDir
	e := policy.NewEnforcer(backend, c.General())
	store := memstore.New(backend, memstore.Options{Guards: []memstore.Guard{e.Guard()}, ViewChars: e.ViewChars})
	fmt.Println(store.Create(context.Background(), "/memories/rules.md", "no rules\n").Content)
	// Output:
	// Error: /memories/rules.md is locked by the user and cannot be changed, moved or deleted. Leave it as it is and write to another path
}
