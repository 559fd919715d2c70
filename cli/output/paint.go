package output

import (
	"regexp"
	"strconv"
	"strings"
)

// Colors of lines, from the sixteen of every terminal theme.
const (
	plain   = "\x1b[0m"
	bold    = "\x1b[1m"
	red     = "\x1b[31m"
	green   = "\x1b[32m"
	yellow  = "\x1b[33m"
	cyan    = "\x1b[36m"
	noColor = ""
)

// A Painter adds colors to a line for a terminal. The line has no control characters.
type Painter func(line string) string

func painted(color, s string) string {
	if color == noColor || s == "" {
		return s
	}
	return color + s + plain
}

// hunkHeader captures the line counts of both sides of a hunk.
var hunkHeader = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// DiffPainter paints unified diffs. Other text stays unpainted.
func DiffPainter() Painter {
	before, after := 0, 0 // remaining lines of the hunk
	return func(line string) string {
		if m := hunkHeader.FindStringSubmatch(line); m != nil && before+after == 0 {
			before, after = lineCount(m[1]), lineCount(m[2])
			return painted(cyan, line)
		}
		if before+after == 0 {
			if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "revision ") {
				return painted(bold, line)
			}
			return line
		}
		switch {
		case strings.HasPrefix(line, "+"):
			after--
			return painted(green, line)
		case strings.HasPrefix(line, "-"):
			before--
			return painted(red, line)
		case strings.HasPrefix(line, `\`):
			return line
		}
		before, after = max(before-1, 0), max(after-1, 0)
		return line
	}
}

// lineCount reads a count in a hunk header, which omits 1.
func lineCount(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}
