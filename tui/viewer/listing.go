package viewer

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/bigfile"
	"memcurator/tui/ui"
)

// A listing is read from the disk whenever a folder comes under the cursor, as the agent would
// read it. That of a large store takes every processor for a while, and the keys must not feel it:
// it is read when the user stays, it is kept for when the user returns, and while the
// folder changes without end it is read for a part of the time only.

// largeListing is from how many files below a folder on its listing is large: some 20 ms of work.
const largeListing = 5_000

// keptListing is the largest listing that is kept, in bytes: some 500,000 names.
const keptListing = 32 << 20

// restFactor is how much longer a large listing is left alone than it took to read, and
// restMost the longest such rest.
const (
	restFactor = 3
	restMost   = 2 * time.Second
)

// listings is when the listings of large folders are read, and what is kept of them.
type listings struct {
	files   func(path string) int // how many there are below; nil: unknown
	kept    *document             // a large listing that was shown before; nil: none
	epoch   int                   // counts the states of the store
	reading reading               // what OwnerListing reads
}

// Weigh sets how the view counts the known files below an agent path; files is
// called on the Bubble Tea goroutine.
func (p *Pane) Weigh(files func(path string) int) { p.listings.files = files }

// StoreChanged discards all listings, since the store changed.
func (p *Pane) StoreChanged() {
	p.listings.epoch++
	p.listings.kept = nil
}

// keep holds on to the large listing that goes out of sight.
func (l *listings) keep(d *document) {
	if d != nil && d.large && d.epoch == l.epoch && !d.refused && d.info.Size <= keptListing {
		l.kept = d
	}
}

// patience is how long to wait before path is read: not at all, or for a large folder debounce, and longer where it is read
// again; before is then what is on the screen, else nil.
func (l *listings) patience(path string, before *document, debounce time.Duration) (wait time.Duration, large bool) {
	if l.files == nil || l.files(path) < largeListing {
		return 0, false
	}
	if before != nil && debounce > 0 {
		return max(debounce, min(restFactor*before.took, restMost)), true
	}
	return debounce, true
}

// loadListing shows a directory: the listing exactly as the agent gets it.
func loadListing(ctx context.Context, s *memstore.Store, path string) *document {
	begun := time.Now()
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
	r := s.Do(ctx, memstore.Command{Name: memstore.CmdView, Path: path})
	if r.IsError {
		return &document{path: path, refused: true, header: r.Content}
	}
	body := []byte(r.Content)
	d := &document{path: path, info: memstore.Info{Kind: memstore.KindDir, Size: int64(len(body))}, took: time.Since(begun)}
	d.over(bigfile.Bytes(body))
	return d
}

// stayed says that the user stayed at a large folder for long enough.
type stayed struct{ path string }

// openLarge reads a large listing, or takes the one that was kept. A reading that has begun goes
// on when the user moves along, so that it is done once and not at each pass.
func (p *Pane) openLarge(wait time.Duration) tea.Cmd {
	path := p.opening.Target
	if kept := p.listings.kept; kept != nil && kept.path == path && p.layout.doc != kept {
		return p.readListing(OwnerOpen, func(context.Context) *document { return kept })
	}
	p.env.Jobs.Cancel(OwnerOpen)
	if p.listings.reading.path == path && p.listings.reading.epoch == p.listings.epoch && p.env.Jobs.Running(OwnerListing) {
		return nil
	}
	return p.env.Jobs.Start(OwnerOpen, ui.LabelOpen, func(ctx context.Context, _ *ui.Progress) (any, error) {
		return stayed{path}, ui.Debounce(ctx, wait)
	})
}

// readLarge reads the listing of the folder at which the user stayed.
func (p *Pane) readLarge(v stayed) tea.Cmd {
	if v.path != p.opening.Target {
		return nil
	}
	store, epoch := p.store, p.listings.epoch
	p.listings.reading = reading{v.path, epoch}
	return p.readListing(OwnerListing, func(ctx context.Context) *document {
		d := read(ctx, store, v.path)
		d.epoch, d.large = epoch, d.info.Kind == memstore.KindDir
		return d
	})
}

func (p *Pane) readListing(owner string, read func(context.Context) *document) tea.Cmd {
	want := p.firstPage(p.opening.Target)
	return p.env.Jobs.Start(owner, ui.LabelOpen, func(ctx context.Context, progress *ui.Progress) (any, error) {
		d := read(ctx)
		if d.body != nil {
			_ = d.index(ctx, progress) // the index job meets and reports the same error
		}
		if ctx.Err() != nil {
			d.close()
			return nil, ctx.Err()
		}
		return opened{d, want.read(d)}, nil
	})
}

// reading is the large listing that is read now, and of which state of the store.
type reading struct {
	path  string
	epoch int
}
