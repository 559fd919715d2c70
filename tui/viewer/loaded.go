package viewer

import (
	"bytes"
	"errors"
	"io"
)

// Loaded says how much of a file a client loads by itself, in lines and bytes; 0: there is no limit. It is
// called in jobs. The rest is marked in the gutter, and a line of ours says where it begins.
type Loaded func(agentPath string) (lines, bytes int64)

// SetLoaded is told by the root where the limits come from; nil: there are none.
func (p *Pane) SetLoaded(l Loaded) { p.loaded = l }

// loadedMost bounds the bytes that are read to find where a limit falls; a limit beyond is not shown.
const loadedMost = 1 << 20

// cut is the first line of a document that is not loaded, 0 where all of it is. It does I/O.
func (l Loaded) cut(d *document) int {
	if l == nil || d.file == nil || d.refused || !d.numbered {
		return 0
	}
	lines, limit := l(d.path)
	if lines <= 0 && limit <= 0 {
		return 0
	}
	head := make([]byte, min(loadedMost, d.info.Size))
	n, err := d.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0
	}
	head = head[:n]
	cut := 0
	if limit > 0 && limit < int64(n) {
		cut = bytes.Count(head[:limit], []byte{'\n'})
		if head[limit-1] != '\n' {
			cut++ // the line that the limit falls into is loaded in part, and the mark stands behind it
		}
	}
	if lines > 0 && lines <= maxRows && (cut == 0 || int(lines) < cut) && longer(head, int(lines)) {
		cut = int(lines)
	}
	return cut
}

// longer tells whether a text has something behind so many lines.
func longer(head []byte, lines int) bool {
	for ; lines > 0; lines-- {
		end := bytes.IndexByte(head, '\n')
		if end < 0 {
			return false
		}
		head = head[end+1:]
	}
	return len(head) > 0
}

// notesAbove counts the rows of ours above a line, where lines wrap.
func (p *Pane) notesAbove(line piece) int {
	switch {
	case line.from > 0:
		return 1 // that the line began before
	case p.doc.cut > 0 && line.Number == p.doc.cut:
		return 1 // that it is not loaded
	}
	return 0
}

// notLoadedFrom tells whether the note about what is not loaded stands above this row.
func (p *Pane) notLoadedFrom(s shape) bool {
	_, body := p.onPage(s.row)
	return body && p.doc.cut > 0 && s.line.from == 0 && s.line.Number == p.doc.cut
}
