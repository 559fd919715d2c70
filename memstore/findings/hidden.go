package findings

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"sync"

	"memcurator/memstore"
)

// hidden are what a snapshot omits that can have text: the temporary files of processes that were killed. A scan reads them, and
// redaction and purge name those that hold a value.
type hidden struct {
	mu    sync.Mutex
	files []string
}

// note is [memstore.ScanOptions.Hidden].
func (h *hidden) note(name string, i memstore.Info) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ours, alive := memstore.IsTemp(i.Name); ours && !alive {
		h.files = append(h.files, name)
	}
}

// scanHidden reads the tree of a store, and what a snapshot of it omits.
func scanHidden(ctx context.Context, b memstore.Backend, workers int) (*memstore.Snapshot, *hidden, error) {
	h := &hidden{}
	look := memstore.New(b, memstore.Options{ReadOnly: true, Workers: workers, Origin: memstore.Origin{Actor: memstore.Curator}})
	snap, err := look.ScanFrom(ctx, memstore.ScanOptions{Hidden: h.note})
	slices.Sort(h.files)
	return snap, h, err
}

// listHidden lists files that no listing shows but that may contain text.
func (s *scanner) listHidden(h *hidden) {
	for _, name := range h.files {
		if at := memstore.AgentPath(name); !s.known[at] {
			s.known[at] = true
			s.sources = append(s.sources, &source{path: at, name: name, fleeting: true})
		}
	}
}

// mayHold reports whether a name, or the file it names, contains or may contain a chosen value.
func (s *Scrubber) mayHold(name string, i memstore.Info) bool {
	if len(s.find("", []byte(i.Name))) > 0 || s.holdsAny([]byte(i.Name)) {
		return true
	}
	var text []byte
	var why Reason
	switch i.Kind {
	case memstore.KindFile:
		text, why = read(s.Store.Backend(), name, s.MaxFile)
	case memstore.KindLink:
		to, err := s.Store.Backend().Readlink(name)
		if text = []byte(to); err != nil {
			why = reasonOf(err)
		}
	}
	if why != "" {
		return why != gone && !why.ByRule()
	}
	return len(s.find(memstore.AgentPath(name), text)) > 0 || s.holdsAny(text)
}

// sayHidden reports chosen values that remain where a redaction, which must be undoable, doesn't reach.
func (s *Scrubber) sayHidden(h *hidden, d *Done) {
	for _, name := range h.files {
		if s.mayHold(name, memstore.Info{Name: path.Base(name), Kind: memstore.KindFile}) {
			d.Failed = append(d.Failed, Skipped{Path: memstore.AgentPath(name), Why: leftOver})
		}
	}
}

// eachFile visits everything below a folder of a store as it is on disk, including what the agent never sees. unread gets the folders
// that can't be read; if visit returns [fs.SkipDir], the folder is skipped.
func eachFile(ctx context.Context, b memstore.Backend, dir string, unread func(name string, err error),
	visit func(name string, i memstore.Info) error) error {
	list, err := b.ReadDir(dir)
	if err != nil {
		if errors.Is(err, memstore.ErrUnavailable) {
			return err
		}
		unread(dir, err)
		return ctx.Err()
	}
	for _, i := range list {
		name := path.Join(dir, i.Name)
		err := visit(name, i)
		if errors.Is(err, fs.SkipDir) {
			continue
		}
		if err == nil && i.Kind == memstore.KindDir {
			err = eachFile(ctx, b, name, unread, visit)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
