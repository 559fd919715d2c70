//go:build linux || darwin

package cli

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/vt"
)

// grid is a terminal's screen.
type grid struct{ *vt.Emulator }

func newGrid(w, h int) *grid {
	g := &grid{vt.NewEmulator(w, h)}
	go func() { _, _ = io.Copy(io.Discard, g) }() // what it answers to questions
	return g
}

// contains reports whether the screen contains text.
func (g *grid) contains(text string) bool { return strings.Contains(g.String(), text) }

// lastRow is the text of the last row.
func (g *grid) lastRow() string {
	rows := strings.Split(g.String(), "\n")
	if len(rows) < g.Height() {
		return ""
	}
	return strings.TrimSpace(rows[g.Height()-1])
}
