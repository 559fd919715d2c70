//go:build race

package viewer

// slow: the race detector makes drawing and measuring about twenty times slower.
const slow = true
