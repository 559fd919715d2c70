// Package viewer is the view tab: the text that the memory tool would return for
// a path, byte for byte, with only a gutter and a scroll bar added beside it. Files of any
// size are shown page by page (render/bigfile); pages, searches and counts are read in
// jobs, never on the Bubble Tea goroutine. The root sets which path to show.
package viewer

import (
	"context"
	"errors"
	"io"
	"math"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/bigfile"
	"memcurator/tui/ui"
)

// The owners of the viewer's jobs.
const (
	OwnerOpen    = "viewer.open"
	OwnerListing = "viewer.listing"
	ownerIndex   = "viewer.index"
	ownerPage    = "viewer.page"
	OwnerFind    = "viewer.find"
	OwnerCount   = "viewer.count"
	ownerRank    = "viewer.rank"
)

// Owners lists the owners of the viewer's jobs.
func Owners() []string {
	return []string{OwnerOpen, OwnerListing, ownerIndex, ownerPage, OwnerFind, OwnerCount, ownerRank}
}

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "view" }

// Pane is the view tab. Make it with [New].
type Pane struct {
	env      *ui.Env
	actions  *ui.Actions
	store    *memstore.Store
	opening  ui.Opening
	line     int // where the file that is being opened begins, from 1; 0: at its place
	retries  int // how often a file was opened again because it got shorter while it was read
	layout   layout
	view     viewport
	Finder   Finder
	spots    spots
	tail     tail
	loaded   Loaded
	listings listings
}

// New makes an empty view.
func New(env *ui.Env, s *memstore.Store) *Pane {
	p := &Pane{env: env, store: s, layout: layout{env: env, wrap: true}}
	p.view = viewport{env: env, layout: &p.layout, pos: start, shown: start, goal: nowhere}
	p.Finder = Finder{env: env, view: &p.view, opening: &p.opening}
	p.tail = tail{env: env, view: &p.view}
	p.actions = ui.NewActions(env, ui.Before(p.tail.left, p.bindings())...)
	return p
}

// SetStore shows the open path as another store over the same bytes answers it.
func (p *Pane) SetStore(s *memstore.Store) tea.Cmd {
	p.store = s
	p.StoreChanged()
	return p.Reload()
}

// Path returns the agent path that is shown or about to be.
func (p *Pane) Path() string { return p.opening.Target }

// Seen returns what the user has seen last, for the conflict check of an edit; nil if not known.
func (p *Pane) Seen(path string) *memstore.Digest {
	if p.layout.doc == nil || p.layout.doc.path != path {
		return nil
	}
	return p.layout.doc.digest
}

// SeenBytes returns what the user has seen, for the diff of a conflict; nil when it is too large to be kept.
func (p *Pane) SeenBytes(path string) []byte {
	if p.layout.doc == nil || p.layout.doc.path != path {
		return nil
	}
	return p.layout.doc.seen
}

// Show opens path, unless it is open already. The old text stays on the screen until the new one is there.
func (p *Pane) Show(path string) tea.Cmd {
	if path == p.opening.Target {
		return nil
	}
	p.opening.Target, p.view.goal, p.retries, p.tail.on, p.line = path, nowhere, 0, false, 0
	return p.open()
}

// ShowMoved opens the file that is shown under the new name it was given; the place stays.
func (p *Pane) ShowMoved(path string) tea.Cmd {
	if p.layout.doc != nil && p.layout.doc.path == p.opening.Target {
		p.layout.doc.path = path
	}
	p.opening.Target = path
	return p.open()
}

// Search implements [ui.searchable].
func (p *Pane) Search() ui.Searcher { return &p.Finder }

// OpenFailed is called when opening ended in an error, so that the next reload begins afresh.
func (p *Pane) OpenFailed() {
	p.opening.Fail()
	p.Finder.landing, p.Finder.owed = nil, nil
}

// Reload reads the open path again after a change; the place stays.
func (p *Pane) Reload() tea.Cmd {
	p.retries = 0
	return p.reopen()
}

// reopen opens the path again. While that is under way already it is done again
// afterwards: a file that changes faster than it is read would never be shown otherwise.
func (p *Pane) reopen() tea.Cmd {
	if !p.opening.Wanted() {
		return nil
	}
	return p.open()
}

// maxRetries bounds how often a file is opened again that turns out to be shorter than
// it says; some file systems never tell the truth.
const maxRetries = 3

// retry opens a file again that got shorter while it was read.
func (p *Pane) retry() tea.Cmd {
	if p.retries >= maxRetries {
		return nil
	}
	p.retries++
	return p.reopen()
}

// opened is a document with the page to show first.
type opened struct {
	doc *document
	win *window
}

// Discard frees a document that came too late to be shown.
func (o opened) Discard() { o.doc.close() }

func (p *Pane) open() tea.Cmd {
	store, path, loaded := p.store, p.opening.Begin(), p.loaded
	same := p.layout.doc != nil && p.layout.doc.path == path
	var before *document // the job must not read what is written here
	if same {
		copied := *p.layout.doc
		before = &copied
	}
	if wait, large := p.listings.patience(path, before, p.env.Debounce); large {
		return p.openLarge(wait)
	}
	want := p.firstPage(path)
	if !p.tail.on {
		before = nil
	}
	return p.env.Jobs.Start(OwnerOpen, ui.LabelOpen, func(ctx context.Context, progress *ui.Progress) (any, error) {
		d := read(ctx, store, path)
		d.gap = loaded.gap(ctx, d)
		if body := before.grown(d); body != nil {
			d.body = body
		}
		// What is on the screen stays until all of the new text can take its place.
		if d.body != nil && (same || d.info.Size <= indexAtOnce) {
			_ = d.index(ctx, progress) // the index job meets and reports the same error
			d.judge()
		}
		if ctx.Err() != nil {
			d.close()
			return nil, ctx.Err()
		}
		if before != nil && d.counted() && d.body != nil {
			want.first = max(0, d.body.Facts().Lines-want.count) // the end is what will be shown
		}
		return opened{d, want.read(d)}, nil
	})
}

// firstPage is what is read of a path with its text.
func (p *Pane) firstPage(path string) request {
	if p.layout.doc != nil && p.layout.doc.path == path {
		return p.view.request(p.layout.doc.headRows())
	}
	want := request{count: 3 * p.layout.h, from: start.from}
	if s, ok := p.spots.of(path); ok {
		want.first = max(0, s.Top-p.layout.h)
	}
	return want
}

// Receive implements [ui.Pane].
func (p *Pane) Receive(done ui.Done) tea.Cmd {
	switch v := done.Value.(type) {
	case opened:
		return p.adopt(v)
	case stayed:
		return p.readLarge(v)
	case *window:
		return p.pageRead(v)
	case indexed:
		return p.indexDone(v)
	case found:
		return p.Finder.foundHit(v)
	case counted:
		p.Finder.counted(v)
	case ranked:
		p.Finder.ranked(v)
	}
	return nil
}

// adopt puts a freshly opened document on the screen.
func (p *Pane) adopt(o opened) tea.Cmd {
	d := o.doc
	if d.path != p.opening.Target { // a large listing that was left: another path is being read
		p.listings.keep(d)
		d.close()
		return nil
	}
	p.opening.End(d.path)
	for _, owner := range []string{ownerPage, ownerIndex, OwnerFind, ownerRank} {
		p.env.Jobs.Cancel(owner) // they read the old file
	}
	same := p.layout.doc != nil && p.layout.doc.path == d.path
	if same {
		by := d.headRows() - p.layout.doc.headRows()
		if p.tail.on {
			p.tail.grew(p.layout.doc, d)
		} else {
			by += p.view.moved(o.win)
		}
		p.view.pos.line = max(0, p.view.pos.line+by)
		p.view.pos.top = max(0, p.view.pos.top+by)
	}
	if !same {
		p.noteSpot()
		p.listings.keep(p.layout.doc)
	}
	p.layout.doc.close()
	p.layout.doc, p.layout.win = d, o.win
	if !same {
		p.view.pos, p.view.shown, p.view.aim, p.view.owed = start, start, aim{}, 0
		p.Finder.forget()
		if p.view.goal == nowhere {
			if s, ok := p.spots.of(d.path); ok {
				p.view.recall(s)
			}
		}
	}
	p.view.settle()
	switch {
	case p.tail.on:
		p.view.goTo(math.MaxInt)
	case p.line > 0:
		p.view.goTo(d.headRows() + p.line - 1)
	}
	p.line = 0
	cmds := []tea.Cmd{p.index(), p.view.ensure(), p.Finder.recount(), p.Finder.land()}
	if p.opening.Again() {
		cmds = append(cmds, p.open())
	}
	return tea.Batch(cmds...)
}

// indexed is the outcome of the index job.
type indexed struct {
	of     *document
	digest *memstore.Digest
	seen   []byte
	err    error
}

// index counts the lines. It does I/O.
func (d *document) index(ctx context.Context, progress *ui.Progress) error {
	return d.body.Index(ctx, func(at bigfile.Progress) { progress.Set(at.Bytes, at.Total) })
}

// index counts the lines in the background; pages can be read meanwhile.
func (p *Pane) index() tea.Cmd {
	d := p.layout.doc
	if d.body == nil || d.counted() && (d.digest != nil || d.file == nil || d.info.Size > digestUpTo) {
		return nil
	}
	return p.env.Jobs.Start(ownerIndex, "reading lines", func(ctx context.Context, progress *ui.Progress) (any, error) {
		out := indexed{of: d, digest: d.digest, seen: d.seen, err: d.index(ctx, progress)}
		if out.err == nil && out.digest == nil {
			out.digest, out.seen = d.remember()
		}
		return out, ctx.Err()
	})
}

func (p *Pane) indexDone(v indexed) tea.Cmd {
	if v.of != p.layout.doc {
		return nil
	}
	switch {
	case errors.Is(v.err, io.ErrUnexpectedEOF):
		p.layout.doc.broken = true
		return p.retry()
	case v.err != nil:
		p.layout.doc.broken = true
		p.env.Emit(ui.Say{Level: ui.Fail, Text: ui.TextRestUnreadable})
	}
	p.layout.doc.digest, p.layout.doc.seen = v.digest, v.seen
	p.view.settle()
	return p.view.ensure()
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) {
	if w == p.layout.w && h == p.layout.h {
		return
	}
	p.layout.w, p.layout.h = w, h
	p.view.moveTo(p.view.pos.line)
}

// Settle reads what a resize made visible; the root calls it once after a layout.
func (p *Pane) Settle() tea.Cmd { return p.view.ensure() }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.View} }

// Close frees the open file.
func (p *Pane) Close() { p.layout.doc.close() }

// GoTo puts the cursor on a line of the file, counted from 1.
func (p *Pane) GoTo(line int) tea.Cmd {
	if p.layout.doc == nil || p.layout.doc.path != p.opening.Target {
		p.line = max(1, line)
		return nil
	}
	p.view.goTo(p.layout.doc.headRows() + max(1, line) - 1)
	return p.view.ensure()
}

// Line is the number of the file's line under the cursor, 0 on the header: the place below
// which insert puts a text. false: no file is shown. The empty row behind a final newline
// counts as the last line.
func (p *Pane) Line() (n int, ok bool) {
	if p.layout.doc == nil || p.layout.doc.file == nil || p.layout.doc.path != p.opening.Target {
		return 0, false
	}
	n = max(0, p.view.pos.line-p.layout.doc.headRows()+1)
	last := p.layout.doc.counted() && p.view.pos.line == p.layout.known()-1
	if line, here := p.layout.bodyLine(p.view.pos.line); last && here && line.Length == 0 && n > 0 {
		n--
	}
	return n, true
}

// LineReader returns a function that reads the file's own bytes of the line under
// the cursor; nil when the cursor is on no line. The function does I/O. Its error is a
// sentence; a line longer than limit bytes is one too.
func (p *Pane) LineReader(limit int) func() (string, error) {
	if p.layout.doc == nil || p.layout.doc.body == nil || p.view.pos.line < p.layout.doc.headRows() {
		return nil
	}
	body, line := p.layout.doc.body, p.view.pos.line-p.layout.doc.headRows()
	return func() (string, error) {
		data, err := body.ReadLine(line, 0, limit+1)
		switch {
		case err != nil:
			return "", errors.New(ui.TextLineUnread)
		case len(data) > limit:
			return "", errors.New(ui.TextLineTooLong)
		}
		return string(data), nil
	}
}
