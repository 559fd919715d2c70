//go:build linux || darwin

package cli

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// grid is a terminal's screen, as far as full-screen programs need it: text, moves of
// the cursor, erasing, inserting, deleting and scrolling. Colors, modes and questions are
// skipped. Each character takes one cell, which is right for what the benchmarks show.
type grid struct {
	w, h        int
	cells       [][]rune
	x, y        int
	top, bottom int // rows of the scroll region, bottom included
	rest        []byte
	last        rune
}

func newGrid(w, h int) *grid {
	g := &grid{w: w, h: h, bottom: h - 1}
	for range h {
		g.cells = append(g.cells, g.blank())
	}
	return g
}

func (g *grid) blank() []rune {
	return []rune(strings.Repeat(" ", g.w))
}

// contains reports whether a row of the screen contains text.
func (g *grid) contains(text string) bool {
	for _, row := range g.cells {
		if strings.Contains(string(row), text) {
			return true
		}
	}
	return false
}

func (g *grid) String() string {
	var b strings.Builder
	for _, row := range g.cells {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

// Write takes output of the program; a sequence that is cut waits for the rest.
func (g *grid) Write(p []byte) (int, error) {
	data := append(g.rest, p...)
	for len(data) > 0 {
		n := g.step(data)
		if n == 0 {
			break
		}
		data = data[n:]
	}
	g.rest = append([]byte(nil), data...)
	return len(p), nil
}

// step handles one character or sequence and returns its length, 0 where it is cut.
func (g *grid) step(p []byte) int {
	switch c := p[0]; {
	case c == 0x1b:
		return g.escape(p)
	case c < ' ' || c == 0x7f:
		g.control(c)
		return 1
	case !utf8.FullRune(p):
		return 0
	}
	r, n := utf8.DecodeRune(p)
	g.put(r)
	return n
}

func (g *grid) control(c byte) {
	switch c {
	case '\r':
		g.x = 0
	case '\n':
		g.lineFeed()
	case '\b':
		g.x = max(0, g.x-1)
	case '\t':
		g.x = min(g.w-1, g.x/8*8+8)
	}
}

func (g *grid) put(r rune) {
	if g.x >= g.w {
		g.x = 0
		g.lineFeed()
	}
	g.cells[g.y][g.x] = r
	g.x++
	g.last = r
}

func (g *grid) lineFeed() {
	if g.y == g.bottom {
		g.scroll(g.top, 1)
	} else {
		g.y = min(g.y+1, g.h-1)
	}
}

// scroll moves the rows from at to the end of the region up by n, down where n is negative.
func (g *grid) scroll(at, n int) {
	for ; n > 0; n-- {
		copy(g.cells[at:g.bottom+1], g.cells[at+1:g.bottom+1])
		g.cells[g.bottom] = g.blank()
	}
	for ; n < 0; n++ {
		copy(g.cells[at+1:g.bottom+1], g.cells[at:g.bottom])
		g.cells[at] = g.blank()
	}
}

// escape handles what begins with ESC.
func (g *grid) escape(p []byte) int {
	if len(p) < 2 {
		return 0
	}
	switch p[1] {
	case '[':
		for i := 2; i < len(p); i++ {
			if p[i] >= 0x40 && p[i] <= 0x7e {
				g.sequence(string(p[2:i]), p[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(p); i++ {
			if p[i] == 0x07 {
				return i + 1
			}
			if p[i] == 0x1b && i+1 < len(p) {
				return i + 2
			}
		}
		return 0
	case '(', ')', '#':
		if len(p) < 3 {
			return 0
		}
		return 3
	case 'M':
		if g.y == g.top {
			g.scroll(g.top, -1)
		} else {
			g.y = max(0, g.y-1)
		}
	}
	return 2
}

// numbers reads the parameters of a sequence; a missing one is missing's value.
func numbers(parameters string, missing int) [2]int {
	out := [2]int{missing, missing}
	for i, field := range strings.SplitN(parameters, ";", 3) {
		if n, err := strconv.Atoi(field); err == nil && i < 2 && n > 0 {
			out[i] = n
		}
	}
	return out
}

// sequence handles a control sequence: its parameters and final byte.
func (g *grid) sequence(parameters string, final byte) {
	if strings.ContainsAny(parameters, "?<=> $!\"'") {
		return
	}
	n := numbers(parameters, 1)
	if g.move(n, final) {
		return
	}
	switch final {
	case 'J':
		g.eraseScreen(numbers(parameters, 0)[0])
	case 'K':
		g.eraseLine(numbers(parameters, 0)[0])
	case 'X':
		g.clear(g.y, g.x, g.x+n[0])
	case '@':
		row := g.cells[g.y]
		copy(row[min(g.w, g.x+n[0]):], row[min(g.w, g.x):])
		g.clear(g.y, g.x, g.x+n[0])
	case 'P':
		row := g.cells[g.y]
		copy(row[min(g.w, g.x):], row[min(g.w, g.x+n[0]):])
		g.clear(g.y, g.w-n[0], g.w)
	case 'L':
		g.scroll(g.y, -n[0])
	case 'M':
		g.scroll(g.y, n[0])
	case 'S':
		g.scroll(g.top, n[0])
	case 'T':
		g.scroll(g.top, -n[0])
	case 'b':
		for range n[0] {
			g.put(g.last)
		}
	case 'r':
		g.top, g.bottom = n[0]-1, g.h-1
		if strings.Contains(parameters, ";") {
			g.bottom = min(g.h, n[1]) - 1
		}
		g.x, g.y = 0, 0
	}
}

// move handles the sequences that only move the cursor.
func (g *grid) move(n [2]int, final byte) bool {
	switch final {
	case 'A':
		g.y -= n[0]
	case 'B', 'e':
		g.y += n[0]
	case 'C', 'a':
		g.x += n[0]
	case 'D':
		g.x -= n[0]
	case 'E':
		g.x, g.y = 0, g.y+n[0]
	case 'F':
		g.x, g.y = 0, g.y-n[0]
	case 'G', '`':
		g.x = n[0] - 1
	case 'd':
		g.y = n[0] - 1
	case 'H', 'f':
		g.y, g.x = n[0]-1, n[1]-1
	case 'I':
		g.x = (g.x/8 + n[0]) * 8
	case 'Z':
		g.x = ((g.x+7)/8 - n[0]) * 8
	default:
		return false
	}
	g.x, g.y = max(0, min(g.x, g.w-1)), max(0, min(g.y, g.h-1))
	return true
}

func (g *grid) clear(y, from, to int) {
	for x := max(0, from); x < min(to, g.w); x++ {
		g.cells[y][x] = ' '
	}
}

func (g *grid) eraseLine(what int) {
	switch what {
	case 0:
		g.clear(g.y, g.x, g.w)
	case 1:
		g.clear(g.y, 0, g.x+1)
	case 2:
		g.clear(g.y, 0, g.w)
	}
}

func (g *grid) eraseScreen(what int) {
	g.eraseLine(what)
	for y := range g.h {
		if (what == 0 && y > g.y) || (what == 1 && y < g.y) || what >= 2 {
			g.clear(y, 0, g.w)
		}
	}
}
