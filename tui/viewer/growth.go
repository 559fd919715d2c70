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
	if p.doc == nil || p.doc.file == nil {
		p.env.Emit(ui.Say{Text: "only a file can grow; this is none"})
		return
	}
	p.tail = true
	p.goTo(math.MaxInt)
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
		p.env.Emit(ui.Say{Level: ui.Warn, Text: "the file got shorter; staying at its new end"})
	case old.seen != nil && now.seen != nil && !bytes.HasPrefix(now.seen, old.seen), old.seen == nil && now.info.ID != old.info.ID:
		p.env.Emit(ui.Say{Level: ui.Warn, Text: "the file was replaced by another text; staying at its end"})
	}
}

// moved looks for the lines that were on the screen among those of a file that was replaced,
// and tells by how many rows they went down (below 0: up). It looks as far as the page goes.
func (p *Pane) moved(w *window) int {
	if p.win == nil || p.win.of != p.doc || w == nil || len(w.lines) == 0 || p.h <= 0 {
		return 0
	}
	// The text by line number, and the rows that were on the screen.
	now := map[int][]byte{}
	for _, l := range w.lines {
		now[l.Number] = l.Text
	}
	head := p.doc.headRows()
	var old []piece
	for row := max(p.pos.top, head); row < p.pos.top+p.h; row++ {
		if l, ok := p.bodyLine(row); ok && len(bytes.TrimSpace(l.Text)) > 0 {
			old = append(old, l)
		}
	}
	score := func(by int) (same int) {
		for _, l := range old {
			if text, ok := now[l.Number+by]; ok && bytes.Equal(text, l.Text) {
				same++
				if l.Number == p.pos.line-head {
					same += 2 // the line under the cursor is what the user reads
				}
			}
		}
		return same
	}
	best, most := 0, score(0)
	for by := 1; by <= 2*p.h; by++ {
		for _, d := range []int{by, -by} {
			if s := score(d); s > most {
				best, most = d, s
			}
		}
	}
	return best
}
