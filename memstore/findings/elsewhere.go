package findings

import (
	"io/fs"
	"os"

	"memcurator/memstore/statedir"
)

// Relation is how the store of another state folder relates to the store being purged.
type Relation int

// Relations between stores. A purge cleans all but the first.
const (
	Stranger Relation = iota // another store, or a folder that doesn't name its store
	Earlier                  // the same directory, at its former path or through another path
	Orphan                   // a store that no longer exists
)

// otherFolder is a state folder other than the store's own.
type otherFolder struct {
	statedir.Folder
	Relation Relation
}

// Name is how people know the folder: the path of its store, or its own.
func (e otherFolder) Name() string {
	if e.Path != "" {
		return e.Path
	}
	return e.Dir
}

// live reports whether the folder's store is still the recorded directory.
func (e otherFolder) live() bool {
	if e.Path == "" {
		return false
	}
	now, err := statedir.Identify(e.Path)
	return err == nil && (now.Inode == 0 || now.SameDirectory(e.Identity))
}

// FindElsewhere lists the state folders below base other than stateDir, with the relation of each to the store in directory dir.
func FindElsewhere(base, stateDir, dir string) ([]otherFolder, error) {
	all, err := statedir.All(base)
	if err != nil {
		return nil, err
	}
	now, err := statedir.Identify(dir)
	if err != nil {
		return nil, err
	}
	var seen []fs.FileInfo
	if own, err := os.Stat(stateDir); err == nil {
		seen = append(seen, own)
	}
	var list []otherFolder
next:
	for _, f := range all {
		if info, err := os.Stat(f.Dir); err == nil {
			for _, one := range seen {
				if os.SameFile(one, info) { // a link to this store's own folder
					continue next
				}
			}
			seen = append(seen, info)
		}
		list = append(list, otherFolder{f, relationOf(f, now)})
	}
	return list, nil
}

func relationOf(f statedir.Folder, now statedir.Identity) Relation {
	switch {
	case f.Path == "":
		return Stranger
	case f.Path == now.Path || f.SameDirectory(now):
		return Earlier
	case f.Orphaned():
		return Orphan
	}
	return Stranger
}

// elsewhere returns the other state folders.
func (s *Scrubber) elsewhere() ([]otherFolder, error) {
	if s.Base == "" || s.StateDir == "" || s.Dir == "" {
		return nil, nil
	}
	return FindElsewhere(s.Base, s.StateDir, s.Dir)
}

// otherStore is another store whose state folder contains a value.
type otherStore struct {
	Path   string // of the store; "" if not recorded
	Dir    string // its state folder
	Places int
}
