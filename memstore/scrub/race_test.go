//go:build race

package scrub

// The race detector makes everything some ten times slower.
func init() { hostileSize /= 4 }
