package findings

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"path"
	"strings"

	"memcurator/memstore"
)

// leftovers removes files that killed writes and editors left in the store, if they contain a chosen value. It runs before the files are
// rewritten, because a rewritten temporary file would count as a write under way, and the journal would consider it gone. Removing a file
// visible in the store is recorded as the curator's; files unknown to the journal are removed under the store's lock, so that no write of
// this program is under way.
func (s *Scrubber) leftovers(ctx context.Context, p *Purged) error {
	snap, _, err := scanHidden(ctx, s.Store.Backend(), 1)
	if err != nil {
		return err
	}
	var shown []string
	if err := s.hiddenLeftovers(ctx, snap, &shown, p); err != nil {
		return err
	}
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: "scrub " + rand.Text(), As: "scrub"})
	for _, name := range shown {
		text, why := read(s.Store.Backend(), name, s.MaxFile)
		if why != "" {
			continue
		}
		at, sum := memstore.AgentPath(name), memstore.Sum(text)
		err := s.Store.Apply(ctx, memstore.Step{Kind: memstore.KindFile, Path: at, Remove: true, Expect: &sum})
		switch {
		case err == nil:
			p.Removed = append(p.Removed, at)
		case errors.Is(err, memstore.ErrChanged):
			// it is being written, so search it like a file
		default:
			if err := storeLeftToProof(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// hiddenLeftovers removes those that are not in snap, and lists the others.
func (s *Scrubber) hiddenLeftovers(ctx context.Context, snap *memstore.Snapshot, shown *[]string, p *Purged) error {
	unlock, err := s.Store.Backend().Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return eachFile(ctx, s.Store.Backend(), ".", func(string, error) {}, func(name string, i memstore.Info) error {
		if i.Kind != memstore.KindFile || !memstore.TempName(i.Name) && !swapName(i.Name) {
			return nil
		}
		text, why := read(s.Store.Backend(), name, s.MaxFile)
		if why != "" || len(s.find("", text)) == 0 && !s.holdsAny(text) {
			return nil
		}
		at := memstore.AgentPath(name)
		if snap.Find(at) != nil {
			*shown = append(*shown, name)
			return nil
		}
		err := s.Store.Backend().Remove(name)
		if err == nil {
			p.Removed = append(p.Removed, at)
		}
		return storeLeftToProof(err)
	})
}

// swapName reports whether base is the name of a vi swap file: it contains old and new text in pages, and is useless once its editor is
// gone.
func swapName(base string) bool {
	end := path.Ext(base)
	return strings.HasPrefix(base, ".") && len(end) == 4 && strings.HasPrefix(end, ".sw") && 'a' <= end[3] && end[3] <= 'p'
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
