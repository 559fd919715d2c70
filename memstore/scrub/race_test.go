//go:build race

package scrub

// raced: the race detector is on.
const raced = true
