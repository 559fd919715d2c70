// Package viewer is the view tab: the text that the memory tool would return for
// a path, byte for byte, with only a gutter and a scroll bar added beside it. Files of any
// size are shown page by page (render/bigfile); pages, searches and counts are read in
// jobs, never on the Bubble Tea goroutine. The root tells it which path to show.
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
	OwnerIndex   = "viewer.index"
	OwnerPage    = "viewer.page"
	OwnerFind    = "viewer.find"
	OwnerCount   = "viewer.count"
	OwnerRank    = "viewer.rank"
)

// Owners lists the owners of the viewer's jobs.
func Owners() []string {
	return []string{OwnerOpen, OwnerListing, OwnerIndex, OwnerPage, OwnerFind, OwnerCount, OwnerRank}
}

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "view" }

// position is where the user is: rows count from the header.
type position struct {
	line int    // row under the cursor
	top  int    // first row on the screen
	sub  int    // first screen row of top that is shown, when lines wrap
	col  int    // first cell of the content that is shown, when lines are cut
	from origin // byte of the lines where the content starts
}

// start is the position in a text that was opened again.
var start = position{from: origin{line: everyLine}}

// nowhere is the goal when there is none.
const nowhere = -1

// Pane is the view tab. Make it with [New].
type Pane struct {
	env     *ui.Env
	actions *ui.Actions
	store   *memstore.Store
	w, h    int
	opening ui.Opening
	retries int // how often a file was opened again because it got shorter while it was read
	doc     *document
	pos     position
	shown   position // last position whose page was there: drawn until the next page is
	win     *window
	wrap    bool
	goal    int // row to go to when the lines are counted, or nowhere
	owed    int // screen rows still to scroll when the page is there
	aim     aim
	search  searchState
	spots   []Spot  // where the user was in other texts, the newest first
	tail    bool    // stay at the end while the file grows
	landing *Target // match to go to as soon as its file is open
	loaded  Loaded
	files   func(path string) int // how many there are below; nil: not known
	kept    *document             // a large listing that was shown before; nil: none
	epoch   int                   // counts the states of the store
	reading reading               // what OwnerListing reads
}

// New makes an empty view.
func New(env *ui.Env, s *memstore.Store) *Pane {
	p := &Pane{env: env, store: s, wrap: true, pos: start, shown: start, goal: nowhere}
	p.actions = ui.NewActions(env, ui.Before(p.endTail, p.bindings())...)
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
	if p.doc == nil || p.doc.path != path {
		return nil
	}
	return p.doc.digest
}

// SeenBytes returns what the user has seen, for the diff of a conflict; nil when it is too large to be kept.
func (p *Pane) SeenBytes(path string) []byte {
	if p.doc == nil || p.doc.path != path {
		return nil
	}
	return p.doc.seen
}

// Show opens path, unless it is open already. The old text stays on the screen until the new one is there.
func (p *Pane) Show(path string) tea.Cmd {
	if path == p.opening.Target {
		return nil
	}
	p.opening.Target, p.goal, p.retries, p.tail = path, nowhere, 0, false
	return p.open()
}

// ShowMoved opens the file that is shown under the new name it was given; the place stays.
func (p *Pane) ShowMoved(path string) tea.Cmd {
	if p.doc != nil && p.doc.path == p.opening.Target {
		p.doc.path = path
	}
	p.opening.Target = path
	return p.open()
}

// OpenFailed is called when opening ended in an error, so that the next reload begins afresh.
func (p *Pane) OpenFailed() {
	p.opening.Fail()
	p.landing, p.search.owed = nil, nil
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
	same := p.doc != nil && p.doc.path == path
	if wait, large := p.patience(path, same); large {
		return p.openLarge(wait)
	}
	want := p.firstPage(path)
	var before *document
	if same && p.tail {
		copied := *p.doc // the job must not read what is written here
		before = &copied
	}
	return p.env.Jobs.Start(OwnerOpen, ui.LabelOpen, func(ctx context.Context, progress *ui.Progress) (any, error) {
		d := load(ctx, store, path)
		d.cut = loaded.cut(d)
		if body := before.grown(d); body != nil {
			d.body = body
		}
		// What is on the screen stays until all of the new text can take its place.
		if d.body != nil && (same || d.info.Size <= indexAtOnce) {
			_ = d.index(ctx, progress) // the index job meets the same error and tells it
			d.judge(store.Dialect())
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
	if p.doc != nil && p.doc.path == path {
		return p.request(p.doc.headRows())
	}
	want := request{count: 3 * p.h, from: start.from}
	if s, ok := p.spot(path); ok {
		want.first = max(0, s.Top-p.h)
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
		return p.foundHit(v)
	case counted:
		p.search.counted(v)
	case ranked:
		p.search.ranked(v)
	}
	return nil
}

// adopt puts a freshly opened document on the screen.
func (p *Pane) adopt(o opened) tea.Cmd {
	d := o.doc
	if d.path != p.opening.Target { // a large listing that was left: another path is being read
		p.keep(d)
		d.close()
		return nil
	}
	p.opening.End(d.path)
	for _, owner := range []string{OwnerPage, OwnerIndex, OwnerFind, OwnerRank} {
		p.env.Jobs.Cancel(owner) // they read the old file
	}
	same := p.doc != nil && p.doc.path == d.path
	if same {
		by := d.headRows() - p.doc.headRows()
		if p.tail {
			p.tellGrowth(p.doc, d)
		} else {
			by += p.moved(o.win)
		}
		p.pos.line = max(0, p.pos.line+by)
		p.pos.top = max(0, p.pos.top+by)
	}
	if !same {
		p.noteSpot()
		p.keep(p.doc)
	}
	p.doc.close()
	p.doc, p.win = d, o.win
	if !same {
		p.pos, p.shown, p.aim, p.owed = start, start, aim{}, 0
		p.search.forget()
		if p.goal == nowhere {
			p.recall()
		}
	}
	p.settle()
	if p.tail {
		p.goTo(math.MaxInt)
	}
	cmds := []tea.Cmd{p.index(), p.ensure(), p.recount(), p.land()}
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
	d := p.doc
	if d.body == nil || d.counted() && (d.digest != nil || d.file == nil || d.info.Size > digestUpTo) {
		return nil
	}
	return p.env.Jobs.Start(OwnerIndex, "reading lines", func(ctx context.Context, progress *ui.Progress) (any, error) {
		out := indexed{of: d, digest: d.digest, seen: d.seen, err: d.index(ctx, progress)}
		if out.err == nil && out.digest == nil {
			out.digest, out.seen = d.remember()
		}
		return out, ctx.Err()
	})
}

func (p *Pane) indexDone(v indexed) tea.Cmd {
	if v.of != p.doc {
		return nil
	}
	switch {
	case errors.Is(v.err, io.ErrUnexpectedEOF):
		p.doc.broken = true
		return p.retry()
	case v.err != nil:
		p.doc.broken = true
		p.env.Emit(ui.Say{Level: ui.Fail, Text: ui.TextRestUnreadable})
	}
	p.doc.digest, p.doc.seen = v.digest, v.seen
	p.settle()
	return p.ensure()
}

// settle puts the cursor where it belongs in a text of which more is known now.
func (p *Pane) settle() {
	p.doc.judge(p.store.Dialect())
	row := p.pos.line // beyond the end if the file became shorter
	if p.goal != nowhere && p.doc.counted() {
		row, p.goal = p.goal, nowhere
	}
	p.moveTo(row)
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) {
	if w == p.w && h == p.h {
		return
	}
	p.w, p.h = w, h
	p.moveTo(p.pos.line)
}

// Settle reads what a resize made visible; the root calls it once after a layout.
func (p *Pane) Settle() tea.Cmd { return p.ensure() }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.View} }

// Close frees the open file.
func (p *Pane) Close() { p.doc.close() }

// GoTo puts the cursor on a line of the file, counted from 1.
func (p *Pane) GoTo(line int) tea.Cmd {
	if p.doc == nil {
		return nil
	}
	p.goTo(p.doc.headRows() + max(1, line) - 1)
	return p.ensure()
}

// Line is the number of the file's line under the cursor, 0 on the header: the place below
// which insert puts a text. false: no file is shown. The empty row behind a final newline
// counts as the last line.
func (p *Pane) Line() (n int, ok bool) {
	if p.doc == nil || p.doc.file == nil || p.doc.path != p.opening.Target {
		return 0, false
	}
	n = max(0, p.pos.line-p.doc.headRows()+1)
	if line, here := p.bodyLine(p.pos.line); here && line.Length == 0 && n > 0 && p.doc.counted() && p.pos.line == p.known()-1 {
		n--
	}
	return n, true
}

// LineReader returns a function that reads the file's own bytes of the line under
// the cursor; nil when the cursor is on no line. The function does I/O. Its error is a
// sentence; a line longer than limit bytes is one too.
func (p *Pane) LineReader(limit int) func() (string, error) {
	if p.doc == nil || p.doc.body == nil || p.pos.line < p.doc.headRows() {
		return nil
	}
	body, line := p.doc.body, p.pos.line-p.doc.headRows()
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
