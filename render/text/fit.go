package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of cells of clean text.
func Width(s string) int {
	return ansi.StringWidth(s)
}

// Truncate shortens clean text to at most width cells. If it cuts anything,
// the result ends in tail, within the width. It never splits a character; if
// a wide one doesn't fit, the result is one cell short.
func Truncate(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if Width(s) <= width {
		return s
	}
	w := Width(tail)
	if w >= width {
		end, _ := cut(tail, width)
		return tail[:end]
	}
	end, _ := cut(s, width-w)
	return s[:end] + tail
}

// TruncateLeft shortens clean text to at most width cells and keeps its end,
// the informative part of a path. If it cuts anything, the result begins with
// head, within the width.
func TruncateLeft(s string, width int, head string) string {
	if width <= 0 {
		return ""
	}
	total := Width(s)
	if total <= width {
		return s
	}
	w := Width(head)
	if w >= width {
		end, _ := cut(head, width)
		return head[:end]
	}
	start, cells := 0, total
	for cells > width-w {
		n, c := first(s[start:])
		start += n
		cells -= c
	}
	return head + s[start:]
}

// Pad makes clean text exactly width cells wide, by cutting it or adding
// spaces.
func Pad(s string, width int) string {
	s, missing := fit(s, width)
	if missing == 0 {
		return s
	}
	return s + strings.Repeat(" ", missing)
}

// PadLeft is Pad with spaces on the left, for numbers.
func PadLeft(s string, width int) string {
	s, missing := fit(s, width)
	if missing == 0 {
		return s
	}
	return strings.Repeat(" ", missing) + s
}

// fit cuts clean text to width cells and returns how many remain free.
func fit(s string, width int) (string, int) {
	if width <= 0 {
		return "", 0
	}
	w := Width(s)
	if w > width {
		var end int
		end, w = cut(s, width)
		s = s[:end]
	}
	return s, width - w
}

// cut returns how many bytes of clean text fit into width cells, and their
// cells.
func cut(s string, width int) (end, cells int) {
	for end < len(s) {
		n, c := first(s[end:])
		if cells+c > width {
			break
		}
		end += n
		cells += c
	}
	return end, cells
}

// first returns the bytes and cells of the first character of s.
func first(s string) (n, cells int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		if s[0] < 0x20 || s[0] == 0x7f {
			return 1, 0
		}
		return 1, 1
	}
	c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return max(len(c), 1), w
}
