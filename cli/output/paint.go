package output

import (
	"strings"
)

// Colors of lines, from the sixteen of every terminal theme.
const (
	plain = "\x1b[0m"
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	cyan  = "\x1b[36m"
)

// A Painter adds colors to a line for a terminal. The line has no control characters.
type Painter func(line string) string

func painted(color, s string) string { return color + s + plain }

// PaintDiff paints a line of a unified diff by its beginning.
func PaintDiff(line string) string {
	switch {
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "revision "):
		return painted(bold, line)
	case strings.HasPrefix(line, "@@ "):
		return painted(cyan, line)
	case strings.HasPrefix(line, "+"):
		return painted(green, line)
	case strings.HasPrefix(line, "-"):
		return painted(red, line)
	}
	return line
}
