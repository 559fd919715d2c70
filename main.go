// Command memcurator shows the people who run AI agents with a file memory what the
// agent remembers and each edit it makes. All of it lives in cli; this file embeds
// what the demo needs.
package main

import (
	"embed"
	"os"

	"memcurator/cli"
)

// The store is embedded with its dot files: the listing of an agent leaves them out, and the demo shows that.
//
//go:embed all:testdata/stores/demo testdata/demo
var assets embed.FS

func main() { os.Exit(cli.Main(assets)) }
