package viewer

import (
	"errors"
	"io"

	"memcurator/render/loadlimit"
)

// Loaded says how much of a file a client loads by itself, in lines and bytes; 0: no limit. It is
// called in jobs. The rest is marked in the gutter, and a line of the program's own says where it begins.
type Loaded func(agentPath string) (lines, bytes int64)

// SetLoaded sets where the limits come from; nil: no limits.
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
