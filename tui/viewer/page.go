package viewer

import (
	"errors"
	"io"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
)

// lineBytes is how much of one line a page holds; the rest of a longer line is
// reached by scrolling sideways, a segment at a time.
const lineBytes = 16 << 10

// segment is how far one step sideways goes in a line longer than lineBytes, in bytes.
// Two segments follow each other on a page, so that nothing is lost between two pages.
const segment = 8 << 10

// everyLine is the line of an [origin] that holds for all lines.
const everyLine = -1

// origin says from which byte on long lines are read: cut lines all scroll together, of
// wrapped lines each has its own parts and only the one that the user went along is
// not shown from its start.
type origin struct {
	base int64 // a multiple of segment
	line int   // body line that base holds for, or everyLine
}

// start returns where the text of a body line of some length begins on the page.
func (o origin) start(line int, length int64) int64 {
	if o.base == 0 || o.line == everyLine {
		return o.base
	}
	if line != o.line || length <= lineBytes {
		return 0
	}
	return min(o.base, lastBase(length))
}

// lastBase is the origin from which the end of a line can be seen, in bytes.
func lastBase(length int64) int64 {
	if length <= lineBytes {
		return 0
	}
	return max(0, (length-1)/segment-1) * segment
}

// piece is the part of a line that a page holds.
type piece struct {
	bigfile.Line       // Text is the part
	from         int64 // byte of the line where Text begins
}

// more reports whether the line continues after the part.
func (l piece) more() bool { return l.from+int64(len(l.Text)) < l.Length }

// whole trims the part to whole characters; what is cut off is on the page before
// or behind it.
func (l piece) whole() piece {
	if l.from > 0 {
		for n := 0; n < utf8.UTFMax-1 && len(l.Text) > 0 && !utf8.RuneStart(l.Text[0]); n++ {
			l.Text, l.from = l.Text[1:], l.from+1
		}
	}
	if !l.more() {
		return l
	}
	for n := 1; n < utf8.UTFMax && n <= len(l.Text); n++ {
		if tail := l.Text[len(l.Text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				l.Text = l.Text[:len(l.Text)-n]
			}
			break
		}
	}
	return l
}

// request is which page to read: a position, in terms of the body.
type request struct {
	first, count int
	from         origin
}

// window is the page that was read last, with what was worked out for its lines.
type window struct {
	of *document
	request
	lines   []piece
	partial bool  // the length of the last line was still unknown
	err     error // the page ends where it does because reading failed
	cache   cache
}

// read reads a page. It does I/O.
func (r request) read(d *document) *window {
	w := &window{of: d, request: r}
	if d.body == nil || r.count <= 0 {
		return w
	}
	lines, err := d.body.Page(r.first, r.count, lineBytes)
	w.err = err
	w.lines = make([]piece, len(lines))
	for i, line := range lines {
		part := piece{Line: line, from: r.from.start(line.Number, line.Length)}
		if part.from > 0 {
			part.Text = nil
			if part.from < line.Length {
				if part.Text, err = d.body.ReadLine(line.Number, part.from, lineBytes); err != nil && w.err == nil {
					w.err = err
				}
			}
		}
		w.lines[i] = part.whole()
		w.partial = w.partial || line.Partial
	}
	return w
}

// pageRead takes a page and finishes what waited for it.
func (p *Pane) pageRead(w *window) tea.Cmd {
	if w.of != p.layout.doc {
		return nil
	}
	p.layout.win = w
	if errors.Is(w.err, io.ErrUnexpectedEOF) {
		return p.retry() // the file was cut meanwhile
	}
	p.view.reveal()
	p.view.payBack()
	p.view.hitTarget()
	return p.view.ensure()
}
