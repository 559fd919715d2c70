package findings

import (
	"cmp"
	"os"
	"path/filepath"

	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
)

// otherStore is another store whose state folder contains a value.
type otherStore struct {
	Path   string // of the store; "" if not recorded
	Gone   bool   // nothing is there any more
	Dir    string // its state folder
	Places int
}

// others searches the other state folders beside that of the store for the chosen values. It only names those that contain one: they belong to other
// stores, to this one under another path, or to a store that no longer exists.
func (p *proof) others() error {
	if p.s.StateDir == "" {
		return nil
	}
	base := filepath.Dir(p.s.StateDir)
	list, err := statedir.All(base)
	if err != nil {
		p.skip(base, Unreadable)
		return nil
	}
	own, err := os.Stat(p.s.StateDir)
	if err != nil {
		p.skip(p.s.StateDir, Unreadable)
		return nil
	}
	for _, f := range list {
		if info, err := os.Stat(f.Dir); err == nil && os.SameFile(own, info) {
			continue
		}
		one := p.s.newProof(p.ctx)
		one.residue.Common = p.residue.Common
		if err := one.other(f); err != nil {
			return err
		}
		p.residue.Files += one.residue.Files
		p.residue.Bytes += one.residue.Bytes
		for _, u := range one.residue.Unread {
			p.skip(u.Path, u.Why)
		}
		if n := len(one.residue.Left); n > 0 {
			_, gone := os.Stat(f.Path)
			p.residue.Stores = append(p.residue.Stores, otherStore{Path: f.Path, Gone: gone != nil, Dir: f.Dir, Places: n})
		}
	}
	return nil
}

// other searches one state folder.
func (p *proof) other(f statedir.Folder) error {
	name := cmp.Or(f.Path, f.Dir)
	if f.Err != nil {
		p.skip("state of "+name, Unreadable)
		return p.ctx.Err()
	}
	info, err := os.Stat(journal.Path(f.Dir))
	recorded := err == nil && info.Size() > 0
	if err := p.folder(stateFolder{f.Dir, name + ": "}, recorded || journal.IsOpen(f.Dir)); err != nil || !recorded {
		return err
	}
	j, err := journal.Open(f.Dir, journal.Options{Look: true})
	if err != nil {
		p.skip("journal of "+name, reasonOfJournal(err))
		return p.ctx.Err()
	}
	defer j.Close() // findings are already reported
	return p.past("journal of "+name+": ", j)
}
