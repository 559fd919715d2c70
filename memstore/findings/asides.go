package findings

import (
	"context"
	"errors"
	"path"
	"slices"
	"sync"

	"memcurator/memstore"
)

// A folder is moved aside before it is removed, and listings omit it from then on. If the process is killed, the remains still have their
// contents, and so does a temporary file too young to be listed: a scan reads both, and a purge removes them.

// hidden is what a snapshot omits.
type hidden struct {
	mu    sync.Mutex
	files []string // temporary files of dead processes
	dirs  []string // folders being removed
}

// note is [memstore.ScanOptions.Hidden].
func (h *hidden) note(name string, i memstore.Info) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ours, alive := memstore.IsTemp(i.Name)
	switch {
	case memstore.IsAside(i):
		h.dirs = append(h.dirs, name)
	case ours && !alive:
		h.files = append(h.files, name)
	}
}

// scanHidden reads the tree of a store, and what a snapshot of it omits.
func scanHidden(ctx context.Context, b memstore.Backend, workers int) (*memstore.Snapshot, *hidden, error) {
	h := &hidden{}
	look := memstore.New(b, memstore.Options{ReadOnly: true, Workers: workers, Origin: memstore.Origin{Actor: memstore.Curator}})
	snap, err := look.ScanFrom(ctx, memstore.ScanOptions{Hidden: h.note})
	slices.Sort(h.files)
	slices.Sort(h.dirs)
	return snap, h, err
}

// listHidden lists files that no listing shows but that may contain text.
func (s *scanner) listHidden(ctx context.Context, h *hidden) error {
	visit := func(name string, i memstore.Info) error {
		at := memstore.AgentPath(name)
		if s.known[at] {
			return nil
		}
		s.known[at] = true
		switch i.Kind {
		case memstore.KindDir:
			s.dirs = append(s.dirs, at)
		case memstore.KindFile:
			s.sources = append(s.sources, &source{path: at, name: name, fleeting: true})
		}
		return nil
	}
	for _, name := range h.files {
		_ = visit(name, memstore.Info{Name: path.Base(name), Kind: memstore.KindFile}) // a temporary file
	}
	for _, dir := range h.dirs {
		_ = visit(dir, memstore.Info{Name: path.Base(dir), Kind: memstore.KindDir})
		unread := func(name string, err error) {
			if reasonOf(err) != gone {
				s.skip(Skipped{Path: memstore.AgentPath(name), Why: Unreadable})
			}
		}
		if err := eachFile(ctx, s.Backend, dir, unread, visit); err != nil {
			return err
		}
	}
	return nil
}

// abandoned reports whether the process that moved a folder aside is gone.
func abandoned(dir string) bool {
	_, alive := memstore.IsTemp(path.Base(dir))
	return !alive
}

// inAside lists the names below a folder that was moved aside which contain a chosen value, or can't be read and so may contain one.
func (s *Scrubber) inAside(ctx context.Context, dir string) (names []string, err error) {
	unread := func(name string, err error) {
		if reasonOf(err) != gone {
			names = append(names, name)
		}
	}
	err = eachFile(ctx, s.Store.Backend(), dir, unread, func(name string, i memstore.Info) error {
		if s.mayHold(name, i) {
			names = append(names, name)
		}
		return nil
	})
	return names, err
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

// removeAsides removes folders that dead processes moved aside, if they contain a chosen value. They are no longer part of the memory, so
// this is not recorded. If a folder can't be removed whole, only its files with a value go; the proof reports the rest.
func (s *Scrubber) removeAsides(ctx context.Context, dirs []string, p *Purged) error {
	for _, dir := range dirs {
		if !abandoned(dir) {
			continue // its process will remove it, or move it back
		}
		names, err := s.inAside(ctx, dir)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			continue
		}
		k, ok := s.Store.Backend().(memstore.AsideKeeper)
		if ok && k.Removable(ctx, dir) == nil && k.RemoveAside(dir) == nil {
			p.Removed = append(p.Removed, memstore.AgentPath(dir))
			continue
		}
		for _, name := range names {
			info, err := s.Store.Backend().Lstat(name)
			if err != nil || info.Kind == memstore.KindDir {
				continue
			}
			if err := s.Store.Backend().Remove(name); err == nil {
				p.Removed = append(p.Removed, memstore.AgentPath(name))
			} else if errors.Is(err, memstore.ErrUnavailable) {
				return err
			}
		}
	}
	return ctx.Err()
}

// sayHidden reports chosen values that remain where a redaction, which must be undoable, doesn't reach.
func (s *Scrubber) sayHidden(ctx context.Context, h *hidden, d *Done) error {
	for _, dir := range h.dirs {
		if !abandoned(dir) {
			continue
		}
		names, err := s.inAside(ctx, dir)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			d.Failed = append(d.Failed, Skipped{Path: memstore.AgentPath(dir), Why: leftOver})
		}
	}
	for _, name := range h.files {
		if s.mayHold(name, memstore.Info{Name: path.Base(name), Kind: memstore.KindFile}) {
			d.Failed = append(d.Failed, Skipped{Path: memstore.AgentPath(name), Why: leftOver})
		}
	}
	return nil
}
