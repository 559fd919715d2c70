package tui

import (
	"strings"
	"testing"
)

// A file that is not text shows the first of its bytes.
func TestBytesOfABinaryFile(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.bin": strings.Repeat("\x00\x01\x1b\xff", 5000) + "needle"}), w: 120, h: 24, theme: dark})
	d.opens("/memories/a.bin")
	d.press("]", "]")
	d.sees("00000000  00 01 1b ff 00 01 1b ff")
	d.press("G")
	d.sees("00000ff0  00 01 1b ff")
}
