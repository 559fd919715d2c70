package config

import (
	_ "embed"
	"slices"
)

//go:embed starter.toml
var starter []byte

// Starter is a file to begin with: every key, explained and commented out. It sets nothing, and has no table that one which is pasted
// into it would repeat.
func Starter() []byte { return slices.Clone(starter) }
