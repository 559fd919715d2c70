// Package viewer is the view tab: the text that the memory tool would return for
// a path, byte for byte, with only a gutter and a scroll bar added beside it. Files of any
// size are shown page by page (render/bigfile); pages, searches and counts are read in
// jobs, never on the Bubble Tea goroutine. The root tells it which path to show.
package viewer

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/bigfile"
	"memcurator/tui/pane"
)

// The owners of the viewer's jobs.
const (
	OwnerOpen  = "viewer.open"
	OwnerIndex = "viewer.index"
	OwnerPage  = "viewer.page"
	OwnerFind  = "viewer.find"
	OwnerCount = "viewer.count"
)

// lineBytes is how much of one line a page holds; the rest of a longer line is
// reached by scrolling sideways, a segment at a time.
const lineBytes = 16 << 10

// segment is how far one step sideways goes in a line longer than lineBytes, in bytes.
const segment = 8 << 10

// position is where the user is: rows count from the header.
type position struct {
	line int   // row under the cursor
	top  int   // first row on the screen
	sub  int   // first screen row of top that is shown, when lines wrap
	col  int   // first cell of the content that is shown
	base int64 // byte of each line where the content starts: a multiple of segment
}

// window is the page that was read last.
type window struct {
	first int // body line of lines[0]
	base  int64
	lines []bigfile.Line
	asked int // lines asked for: fewer came when the file ended
}

// Pane is the view tab. Make it with [New].
type Pane struct {
	env    *pane.Env
	store  *memstore.Store
	w, h   int
	target string // path to show
	doc    *document
	pos    position
	shown  position // last position whose page was there: drawn until the next page is
	win    window
	wrap   bool
	toEnd  bool // go to the last row when the lines are counted
	search search
}

// New makes an empty view.
func New(env *pane.Env, s *memstore.Store) *Pane { return &Pane{env: env, store: s, wrap: true} }

// Path returns the agent path that is shown or about to be.
func (p *Pane) Path() string { return p.target }

// Seen returns what the user has looked at last, for the conflict check of an edit; nil if not known.
func (p *Pane) Seen(path string) *memstore.Digest {
	if p.doc == nil || p.doc.path != path {
		return nil
	}
	return p.doc.digest
}

// Show opens path, unless it is open already. The old text stays on the screen until the new one is there.
func (p *Pane) Show(path string) tea.Cmd {
	if path == p.target {
		return nil
	}
	p.target = path
	p.toEnd = false
	return p.open()
}

// Reload reads the open path again after a change; the place stays.
func (p *Pane) Reload() tea.Cmd {
	if p.target == "" {
		return nil
	}
	return p.open()
}

func (p *Pane) open() tea.Cmd {
	store, path := p.store, p.target
	return p.env.Jobs.Start(OwnerOpen, pane.LabelOpen, func(ctx context.Context, _ *pane.Progress) (any, error) {
		d := load(ctx, store, path)
		if ctx.Err() != nil {
			d.close()
			return nil, ctx.Err()
		}
		return d, nil
	})
}

// Receive implements [pane.Pane].
func (p *Pane) Receive(done pane.Done) tea.Cmd {
	switch v := done.Value.(type) {
	case *document:
		return p.adopt(v)
	case window:
		p.win = v
		return p.ensure()
	case indexed:
		return p.indexDone(v)
	case found:
		return p.foundHit(v)
	case counted:
		p.search.counted(v)
	}
	return nil
}

// adopt puts a freshly opened document on the screen.
func (p *Pane) adopt(d *document) tea.Cmd {
	if d.path != p.target {
		d.close()
		return nil
	}
	same := p.doc != nil && p.doc.path == d.path
	p.doc.close()
	p.doc = d
	p.win = window{}
	p.env.Jobs.Cancel(OwnerPage)
	if !same {
		p.pos = position{}
		p.shown = position{}
	}
	return tea.Batch(p.index(), p.ensure(), p.recount())
}

// indexed is the outcome of the index job.
type indexed struct{ of *document }

// index counts the lines in the background; pages can be read meanwhile.
func (p *Pane) index() tea.Cmd {
	d := p.doc
	if d.body == nil {
		return nil
	}
	return p.env.Jobs.Start(OwnerIndex, pane.LabelIndex, func(ctx context.Context, progress *pane.Progress) (any, error) {
		err := d.body.Index(ctx, func(at bigfile.Progress) { progress.Set(at.Bytes, at.Total) })
		return indexed{d}, err
	})
}

func (p *Pane) indexDone(v indexed) tea.Cmd {
	if v.of != p.doc {
		return nil
	}
	p.doc.judge(p.store.Dialect())
	if p.toEnd {
		p.toEnd = false
		p.moveTo(p.doc.lines() - 1)
	}
	p.moveTo(p.pos.line) // the file may have become shorter
	return tea.Batch(p.ensure(), p.resolveHit())
}

// ensure reads the page around the position if it is not there.
func (p *Pane) ensure() tea.Cmd {
	d := p.doc
	if d == nil || d.body == nil || p.h <= 0 {
		return nil
	}
	d.judge(p.store.Dialect())
	if p.covered(p.pos) {
		return nil
	}
	first := max(0, p.pos.top-d.headRows()-p.h)
	count, base := 3*p.h, p.pos.base
	return p.env.Jobs.Start(OwnerPage, pane.LabelOpen, func(context.Context, *pane.Progress) (any, error) {
		lines, err := readPage(d.body, first, count, base)
		if err != nil && len(lines) == 0 {
			return window{first: first, base: base, asked: count}, nil
		}
		return window{first: first, base: base, lines: lines, asked: count}, nil
	})
}

func readPage(f *bigfile.File, first, count int, base int64) ([]bigfile.Line, error) {
	lines, err := f.Page(first, count, lineBytes)
	if base == 0 {
		return lines, err
	}
	for i := range lines {
		lines[i].Text = nil
		if lines[i].Length > base {
			part, rerr := f.ReadLine(lines[i].Number, base, lineBytes)
			if rerr != nil && err == nil {
				err = rerr
			}
			lines[i].Text = part
		}
	}
	return lines, err
}

// covered tells whether the page that was read holds every row of the screen at pos.
func (p *Pane) covered(pos position) bool {
	d := p.doc
	if d == nil || d.body == nil {
		return true
	}
	from := max(0, pos.top-d.headRows())
	to := max(0, pos.top+p.h-d.headRows())
	if facts := d.body.Facts(); facts.Complete {
		to = min(to, facts.Lines)
	}
	if to <= from {
		return true
	}
	if p.win.asked == 0 || p.win.base != pos.base || from < p.win.first {
		return false
	}
	if to <= p.win.first+len(p.win.lines) {
		return true
	}
	// A short page that starts here is all that the file has for now.
	return len(p.win.lines) < p.win.asked && p.win.first <= from && !p.grew()
}

// grew tells whether lines were counted since the page was read that it should hold.
func (p *Pane) grew() bool {
	return p.doc.body.Facts().Lines > p.win.first+len(p.win.lines)
}

// rowText returns the text of any row, of the head or of the body, as far as it was read.
func (p *Pane) rowText(row int) ([]byte, bool) {
	if row < p.doc.headRows() {
		return []byte(p.doc.headRow(row)), true
	}
	line, ok := p.bodyLine(row)
	return line.Text, ok
}

// bodyLine returns the text of a row's body line from the page.
func (p *Pane) bodyLine(row int) (bigfile.Line, bool) {
	i := row - p.doc.headRows() - p.win.first
	if row < p.doc.headRows() || i < 0 || i >= len(p.win.lines) {
		return bigfile.Line{}, false
	}
	return p.win.lines[i], true
}

// Resize implements [pane.Pane].
func (p *Pane) Resize(w, h int) {
	p.w, p.h = w, h
	p.moveTo(p.pos.line)
}

// Settle reads what a resize made visible; the root calls it once after a layout.
func (p *Pane) Settle() tea.Cmd { return p.ensure() }

// Scopes implements [pane.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.View} }

// Close frees the open file.
func (p *Pane) Close() { p.doc.close() }

// GoTo puts the cursor on a line of the file, counted from 1.
func (p *Pane) GoTo(line int) tea.Cmd {
	if p.doc == nil {
		return nil
	}
	p.moveTo(p.doc.headRows() + line - 1)
	return p.ensure()
}

// LineReader returns a function that reads the file's own bytes of the line under
// the cursor, up to a limit; nil when the cursor is on no line. The function does I/O.
func (p *Pane) LineReader(limit int) func() (string, error) {
	if p.doc == nil || p.doc.body == nil || p.pos.line < p.doc.headRows() {
		return nil
	}
	body, line := p.doc.body, p.pos.line-p.doc.headRows()
	return func() (string, error) {
		data, err := body.ReadLine(line, 0, limit)
		return string(data), err
	}
}

// SeenBytes returns what the user has looked at, for the diff of a conflict; nil when it is too large to be kept.
func (p *Pane) SeenBytes(path string) []byte {
	if p.doc == nil || p.doc.path != path {
		return nil
	}
	return p.doc.seen
}
