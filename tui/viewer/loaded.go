package viewer

import (
	"context"
	"errors"
	"io"

	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/tui/ui"
)

// Loaded says which lines of a file the agent is not given when a session starts, by the beginning of its text. It is called in jobs. They
// are marked in the gutter, and a line of the program's own says where they begin.
type Loaded func(ctx context.Context, agentPath string, head []byte) load.Gap

// SetLoaded sets who says so; nil: all is loaded.
func (p *Pane) SetLoaded(l Loaded) { p.loaded = l }

// gap is the part of a document that isn't loaded. It does I/O.
func (l Loaded) gap(ctx context.Context, d *document) load.Gap {
	if l == nil || d.file == nil || d.refused || !d.numbered {
		return load.Gap{}
	}
	head := make([]byte, min(loadlimit.MaxBytes, d.info.Size)) // a limit that falls beyond is not shown
	n, err := d.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return load.Gap{}
	}
	return l(ctx, d.path, head[:n])
}

// notLoaded reports whether a line of the text is not loaded.
func (d *document) notLoaded(line int) bool {
	return d.gap.Some && line >= d.gap.From && (d.gap.To == 0 || line < d.gap.To)
}

// gapText is the line above what is not loaded.
func (d *document) gapText() string {
	switch {
	case d.gap.To > 0:
		return "not loaded at start up to line " + ui.Number(d.gap.To)
	case d.gap.From == 0:
		return "not loaded at start: the files before it use up the limit"
	}
	return "not loaded at start from here on"
}
