//go:build race

package tui

// slow: the race detector makes drawing and measuring about twenty times slower.
const slow = true
