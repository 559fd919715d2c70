package findings

import (
	"context"
	"path/filepath"

	"memcurator/memstore/statedir"
)

// cleanTyped removes the values from what the user typed in other stores: another store keeps its past, but the interface there may
// remember the value as the words of a search.
func (s *Scrubber) cleanTyped(ctx context.Context, list []otherFolder, p *Purged) {
	if s.Base == "" {
		return
	}
	folders := []stateFolder{{s.Base, ""}}
	for _, e := range list {
		if e.Relation == Stranger && e.Err == nil {
			folders = append(folders, e.folder())
		}
	}
	for _, of := range folders {
		names, err := statedir.Typed(of.dir)
		_ = err // the proof reports what it could not read
		s.onlyAccepted(func() {
			for _, at := range names {
				if ctx.Err() == nil {
					_ = s.cleanEntry(of, at, p) // the proof finds what remains
				}
			}
		})
	}
	_ = statedir.NotePurge(s.Base) // without it, only an interface that runs may write the value again, and the next purge finds it
}

// typed searches the files of the interface that are beside the state folders.
func (p *proof) typed() error {
	names, err := statedir.Typed(p.s.Base)
	if err != nil {
		p.skip(p.s.Base, Unreadable)
	}
	for _, at := range names {
		if err := p.onDisk("state: "+filepath.Base(at), at, true); err != nil {
			return err
		}
	}
	return nil
}
