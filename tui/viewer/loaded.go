package viewer

import (
	"errors"
	"io"

	"memcurator/render/loadlimit"
)

// Loaded says how much of a file a client loads by itself, in lines and bytes; 0: there is no limit. It is
// called in jobs. The rest is marked in the gutter, and a line of the program's own says where it begins.
type Loaded func(agentPath string) (lines, bytes int64)

// SetLoaded is told by the root where the limits come from; nil: there are none.
func (p *Pane) SetLoaded(l Loaded) { p.loaded = l }

// cut is how many lines of a document come before the part that is not loaded, 0 where all of it is. It does I/O.
func (l Loaded) cut(d *document) int {
	if l == nil || d.file == nil || d.refused || !d.numbered {
		return 0
	}
	lines, limit := l(d.path)
	if lines <= 0 && limit <= 0 {
		return 0
	}
	head := make([]byte, min(loadlimit.MaxBytes, d.info.Size)) // a limit that falls beyond is not shown
	n, err := d.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0
	}
	return loadlimit.Cut(head[:n], lines, limit)
}

// notesAbove counts the rows of the program's own above a line, where lines wrap.
func (p *Pane) notesAbove(line piece) int {
	switch {
	case line.from > 0:
		return 1 // that the line began before
	case p.doc.cut > 0 && line.Number == p.doc.cut:
		return 1 // that it is not loaded
	}
	return 0
}

// notLoadedFrom reports whether the note about what is not loaded is above this row.
func (p *Pane) notLoadedFrom(s shape) bool {
	_, body := p.onPage(s.row)
	return body && p.doc.cut > 0 && s.line.from == 0 && s.line.Number == p.doc.cut
}
