//go:build linux || darwin

package cli

import (
	"io"

	"github.com/charmbracelet/x/vt"
)

// grid is a terminal's screen.
type grid struct{ *vt.Emulator }

func newGrid(w, h int) *grid {
	g := &grid{vt.NewEmulator(w, h)}
	go func() { _, _ = io.Copy(io.Discard, g) }() // what it answers to questions
	return g
}
