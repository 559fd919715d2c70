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
func (p *Pane) OnFile() bool { return p.layout.onFile() }

// Tailing reports whether the view stays at the end of a growing file.
func (p *Pane) Tailing() bool { return p.tail.on }

// Peel ends what esc ends first: staying at the end.
func (p *Pane) Peel() (tea.Cmd, bool) {
	was := p.tail.on
	p.tail.on = false
	return nil, was
}

// tail keeps the view at the end of a file while it grows.
type tail struct {
	env  *ui.Env
	view *viewport
	on   bool
}

// toggle begins or ends to stay at the end.
func (t *tail) toggle() {
	switch {
	case t.on:
		t.on = false
	case !t.view.layout.onFile():
		t.env.Emit(ui.Say{Text: "Only files can be followed"})
	default:
		t.on = true
		t.view.goTo(math.MaxInt)
	}
}

// left ends it when the user moves away from the end.
func (t *tail) left(id keymap.ID) {
	switch id {
	case keymap.Up, keymap.HalfUp, keymap.PageUp, keymap.Top, keymap.SearchNext, keymap.SearchPrev:
		t.on = false
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

// grew says that the file whose end is shown did more than grow.
func (t *tail) grew(old, now *document) {
	switch {
	case old.file == nil:
	case now.file == nil:
		t.on = false // gone: the view says so itself
	case now.info.Size < old.info.Size:
		t.env.Emit(ui.Say{Level: ui.Warn, Text: "The file got shorter; following its new end"})
	case old.seen != nil && now.seen != nil && !bytes.HasPrefix(now.seen, old.seen), old.seen == nil && now.info.ID != old.info.ID:
		t.env.Emit(ui.Say{Level: ui.Warn, Text: "The file has new text; following its end"})
	}
}
