package findings

import (
	"cmp"
	"context"
	"path"
	"strings"

	"memcurator/memstore"
)

// leftovers removes what writes and editors that were killed have left in the store, where it holds an accepted
// value. It is in the store's turn, so that no write of ours is under way.
func (s *Scrubber) leftovers(ctx context.Context, p *Purged) error {
	unlock, err := s.Store.Backend().Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return eachFile(ctx, s.Store.Backend(), ".", func(name string, i memstore.Info) error {
		if i.Kind != memstore.KindFile || !memstore.TempName(i.Name) && !swapName(i.Name) {
			return nil
		}
		text, why := read(s.Store.Backend(), name, s.MaxFile)
		if why != "" || len(s.find("", text)) == 0 && !s.holdsAny(text) {
			return nil
		}
		err := s.Store.Backend().Remove(name)
		if err == nil {
			p.Removed = append(p.Removed, memstore.AgentPath(name))
		}
		return ignoreStoreGone(err)
	})
}

// swapName tells whether base is the name of a file in which vi keeps what is being edited: it has old and new text in
// pages of its own, and is of no use once its editor is gone.
func swapName(base string) bool {
	end := path.Ext(base)
	return strings.HasPrefix(base, ".") && len(end) == 4 && strings.HasPrefix(end, ".sw") && 'a' <= end[3] && end[3] <= 'p'
}

// eachFile visits everything below a folder of a store, as it is on the disk: also what is no file of the agent. What
// cannot be read is left out.
func eachFile(ctx context.Context, b memstore.Backend, dir string, visit func(name string, i memstore.Info) error) error {
	list, err := b.ReadDir(dir)
	if err != nil {
		return ignoreStoreGone(err)
	}
	for _, i := range list {
		name := path.Join(dir, i.Name)
		err := visit(name, i)
		if err == nil && i.Kind == memstore.KindDir {
			err = eachFile(ctx, b, name, visit)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
