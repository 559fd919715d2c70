package viewer

import (
	"bytes"
	"math"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/bigfile"
	"memcurator/tui/ui"
)

// OnFile reports whether the view shows a file that can be read.
func (p *Pane) OnFile() bool { return p.layout.doc != nil && p.layout.doc.file != nil }

// Tailing reports whether the view stays at the end of a growing file.
func (p *Pane) Tailing() bool { return p.tail }

// Peel ends what esc ends first: staying at the end.
func (p *Pane) Peel() (tea.Cmd, bool) {
	if !p.tail {
		return nil, false
	}
	p.tail = false
	return nil, true
}

// toggleTail begins or ends to stay at the end.
func (p *Pane) toggleTail() {
	if p.tail {
		p.tail = false
		return
	}
	if !p.OnFile() {
		p.env.Emit(ui.Say{Text: "Only files can be followed"})
		return
	}
	p.tail = true
	p.view.goTo(math.MaxInt)
}

// endTail leaves the end when the user moves away from it.
func (p *Pane) endTail(id keymap.ID) {
	switch id {
	case keymap.Up, keymap.HalfUp, keymap.PageUp, keymap.Top, keymap.SearchNext, keymap.SearchPrev:
		p.tail = false
	}
}

// grown returns a body for a file that is opened again while the view stays at its end: what
// is known of the lines so far stays known, so that an append to a gigabyte costs what was
// appended. nil where the file may be another one.
func (d *document) grown(next *document) *bigfile.File {
	if d == nil || d.file == nil || next.file == nil || !d.counted() || d.broken ||
		next.info.Size < d.info.Size || next.info.Size <= indexAtOnce {
		return nil
	}
	if next.info.ID == d.info.ID && d.info.ID != (memstore.FileID{}) {
		return d.body.Grown(fileSource{next.file})
	}
	return nil
}

// tellGrowth says, while the view stays at the end, that a file did more than grow.
func (p *Pane) tellGrowth(old, now *document) {
	switch {
	case !p.tail || old.file == nil:
	case now.file == nil:
		p.tail = false // gone: the view says so itself
	case now.info.Size < old.info.Size:
		p.env.Emit(ui.Say{Level: ui.Warn, Text: "The file got shorter; following its new end"})
	case old.seen != nil && now.seen != nil && !bytes.HasPrefix(now.seen, old.seen), old.seen == nil && now.info.ID != old.info.ID:
		p.env.Emit(ui.Say{Level: ui.Warn, Text: "The file has new text; following its end"})
	}
}
