package config

import (
	"bytes"
	_ "embed"
	"slices"
)

//go:embed starter.toml
var starter []byte

// Starter is a file to begin with: every key, explained and commented out. It sets nothing.
func Starter() []byte { return slices.Clone(starter) }

// Recommended is the Starter as "config init" writes it: what an agent writes is scanned for secrets,
// which are reported and not changed.
func Recommended() []byte {
	return bytes.Replace(starter, []byte("[scrub]\n#on_write = \"off\"\n"), []byte("[scrub]\non_write = \"warn\"\n"), 1)
}
