// Package hexdump is the hex tab: the bytes of a file of any size, in rows of an offset, the
// bytes in groups, and the characters they encode. Only the bytes around the screen are
// read, by ReadAt and in jobs, and a search reads the file a piece at a time. The root sets
// which path to show, and only while it is seen.
package hexdump

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/ui"
)

// The owners of the tab's jobs.
const (
	OwnerOpen = "hex.open"
	ownerPage = "hex.page"
	OwnerFind = "hex.find"
)

// Owners lists them.
func Owners() []string { return []string{OwnerOpen, ownerPage, OwnerFind} }

// document is an open file, or why there is none.
type document struct {
	path string
	file memstore.File // nil: there is only the note
	size int64
	note string
}

func (d *document) close() {
	if d != nil && d.file != nil {
		_ = d.file.Close() // opened for reading: nothing can be lost here
	}
}

// page is a stretch of bytes that was read.
type page struct {
	of     *document
	offset int64
	data   []byte
	failed bool // the file ends, or cannot be read, where the data does
}

// Pane is the hex tab. Make it with [New]. Its place is the byte under the cursor and the byte
// the screen begins with, so that it means the same at every width.
type Pane struct {
	env     *ui.Env
	actions *ui.Actions
	store   *memstore.Store
	w, h    int
	opening ui.Opening
	doc     *document
	page    page
	top     int64  // offset of the first row on the screen, a multiple of the row's length
	cursor  int64  // offset of a byte in the row under the cursor
	want    *int64 // byte to go to when the file is open
	search  search
}

// New makes an empty tab.
func New(env *ui.Env, s *memstore.Store) *Pane {
	p := &Pane{env: env, store: s}
	p.actions = ui.NewActions(env, p.bindings()...)
	return p
}

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "hex" }

// SetStore reads from another store from the next [Pane.Show] or [Pane.Reload] on.
func (p *Pane) SetStore(s *memstore.Store) { p.store = s }

// Path implements [ui.Tab].
func (p *Pane) Path() string { return p.opening.Target }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Hex} }

// Show implements [ui.FileTab].
func (p *Pane) Show(path string) tea.Cmd {
	if path == p.opening.Target {
		return nil
	}
	p.opening.Target, p.want = path, nil
	return p.open()
}

// ShowMoved implements [ui.FileTab].
func (p *Pane) ShowMoved(path string) tea.Cmd {
	if p.doc != nil && p.doc.path == p.opening.Target {
		p.doc.path = path
	}
	p.opening.Target = path
	return p.open()
}

// Reload implements [ui.FileTab]. While a file is being opened it is opened again
// afterwards.
func (p *Pane) Reload() tea.Cmd {
	if !p.opening.Wanted() {
		return nil
	}
	return p.open()
}

// OpenFailed is called when opening ended in an error, so that the next reload begins afresh.
func (p *Pane) OpenFailed() { p.opening.Fail() }

// opened is a document with the bytes to show first.
type opened struct {
	doc  *document
	page page
}

// Discard frees a document that came too late to be shown.
func (o opened) Discard() { o.doc.close() }

func (p *Pane) open() tea.Cmd {
	store, path := p.store, p.opening.Begin()
	var at int64
	if p.doc != nil && p.doc.path == path {
		at = p.top
	}
	from, length := p.around(at)
	return p.env.Jobs.Start(OwnerOpen, ui.LabelOpen, func(ctx context.Context, _ *ui.Progress) (any, error) {
		d := load(store, path)
		if ctx.Err() != nil {
			d.close()
			return nil, ctx.Err()
		}
		return opened{d, d.read(from, length)}, nil
	})
}

const textFolder = "A folder has no bytes. [ returns to the view"

// load opens what path is now. It never fails: what has no bytes is a note.
func load(s *memstore.Store, path string) *document {
	d := &document{path: path}
	name := memstore.BackendName(path)
	if name == "." {
		d.note = textFolder
		return d
	}
	f, err := s.Backend().Open(name, memstore.Look)
	if err != nil {
		d.note = ui.TextFileUnread
		if errors.Is(err, memstore.ErrNotExist) {
			d.note = ui.TextFileGone
		}
		if info, statErr := s.Backend().Stat(name); statErr == nil && info.Kind == memstore.KindDir {
			d.note = textFolder
		}
		return d
	}
	info, err := f.Info()
	if err != nil {
		_ = f.Close() // nothing was read from it
		d.note = ui.TextFileUnread
		return d
	}
	d.file, d.size = f, info.Size
	if d.size == 0 {
		d.note = ui.TextFileEmpty
	}
	return d
}

// read reads a stretch of bytes. It does I/O.
func (d *document) read(offset int64, length int) page {
	g := page{of: d, offset: offset}
	if d.file == nil || length <= 0 || offset >= d.size {
		return g
	}
	buf := make([]byte, min(int64(length), d.size-offset))
	n, err := d.file.ReadAt(buf, offset)
	g.data = buf[:n]
	g.failed = err != nil && (!errors.Is(err, io.EOF) || n < len(buf))
	return g
}

// Receive implements [ui.Pane].
func (p *Pane) Receive(done ui.Done) tea.Cmd {
	switch v := done.Value.(type) {
	case opened:
		return p.adopt(v)
	case page:
		if v.of == p.doc {
			p.page = v
			return p.ensure()
		}
	case found:
		return p.received(v)
	}
	return nil
}

// adopt puts a freshly opened file on the screen; the place stays if it is the same one.
func (p *Pane) adopt(o opened) tea.Cmd {
	if !p.opening.End(o.doc.path) {
		o.doc.close()
		return nil
	}
	p.env.Jobs.Cancel(ownerPage) // they read the old file
	p.env.Jobs.Cancel(OwnerFind)
	if p.doc == nil || p.doc.path != o.doc.path {
		p.top, p.cursor = 0, 0
		p.search.forget()
	}
	p.doc.close()
	p.doc, p.page = o.doc, o.page
	if p.want != nil {
		p.cursor, p.want = *p.want, nil
	}
	p.moveTo(p.cursor)
	cmds := []tea.Cmd{p.ensure()}
	if p.opening.Again() {
		cmds = append(cmds, p.open())
	}
	return tea.Batch(cmds...)
}

// around is the stretch to read for a screen that begins at an offset: the screen, the one
// above it and the one below.
func (p *Pane) around(top int64) (offset int64, length int) {
	screen := p.perRow() * max(1, p.h)
	return max(0, top-int64(screen)), 3 * screen
}

// ensure reads the bytes of the screen if they are not there.
func (p *Pane) ensure() tea.Cmd {
	if p.doc == nil || p.doc.file == nil || p.covered() {
		return nil
	}
	d := p.doc
	offset, length := p.around(p.top)
	return p.env.Jobs.Start(ownerPage, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		return d.read(offset, length), nil
	})
}

// covered reports whether the bytes of the screen are there, as far as they can be.
func (p *Pane) covered() bool {
	g := p.page
	if g.of != p.doc || p.top < g.offset {
		return false
	}
	end := min(p.doc.size, p.top+int64(p.perRow()*p.h))
	have := g.offset + int64(len(g.data))
	return end <= have || g.failed && p.top <= have
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) {
	if w == p.w && h == p.h {
		return
	}
	p.w, p.h = w, h
	if p.doc != nil {
		p.top -= p.top % int64(p.perRow())
		p.moveTo(p.cursor)
	}
}

// Settle implements [ui.Settler].
func (p *Pane) Settle() tea.Cmd { return p.ensure() }

// Close frees the open file.
func (p *Pane) Close() { p.doc.close() }

// LineReader implements [ui.Tab]: the row under the cursor as drawn.
func (p *Pane) LineReader(int) func() (string, error) {
	if p.doc == nil || p.doc.file == nil || p.doc.size == 0 {
		return nil
	}
	d, n := p.doc, p.perRow()
	at := p.cursor - p.cursor%int64(n)
	digits, o, hidden := p.offsetDigits(), p.env.Text(0), p.secrets()
	return func() (string, error) {
		g := d.read(at, n)
		if len(g.data) == 0 {
			return "", errors.New(ui.TextLineUnread)
		}
		return plainRow(at, g.data, n, digits, o, hidden), nil
	}
}

// Forget drops the file and the search, as if nothing had been shown.
func (p *Pane) Forget() {
	for _, owner := range Owners() {
		p.env.Jobs.Cancel(owner)
	}
	p.Close()
	*p = Pane{env: p.env, actions: p.actions, store: p.store, w: p.w, h: p.h}
}
