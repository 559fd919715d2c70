//go:build !race

package tui

const slow = false
