//go:build !race

package journal

// raced: the race detector is on.
const raced = false
