package findings

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore"
)

// link is a file that had several hard links when a purge began. The purge replaces it by a new file; names outside the store keep the
// old bytes.
type link struct {
	Device, Inode uint64
	Names         uint64 // in the whole file system
}

// linkedFile is a file that contained a value and has names outside the store that still do.
type linkedFile struct {
	Path   string // agent path
	Others int    // number of names outside the store
	Inode  uint64 // to find those names with
}

// findLinks records the files of the store that have several names, before they are rewritten.
func (s *Scrubber) findLinks(ctx context.Context) {
	s.eachInode(ctx, func(name string, l link) {
		if _, known := s.links[name]; !known && l.Names > 1 {
			s.links[name] = l
		}
	})
}

// eachInode visits the files of the store on disk; on systems without inodes it visits none.
func (s *Scrubber) eachInode(ctx context.Context, visit func(name string, l link)) {
	if s.Dir == "" {
		return
	}
	// the scan reports unreadable folders
	_ = eachFile(ctx, s.Store.Backend(), ".", func(string, error) {}, func(name string, i memstore.Info) error {
		if i.Kind != memstore.KindFile {
			return nil
		}
		if info, err := os.Lstat(s.onDisk(name)); err == nil {
			if l, ok := linkOf(info); ok {
				visit(name, l)
			}
		}
		return nil
	})
}

// onDisk is where a file of the store is on this machine.
func (s *Scrubber) onDisk(name string) string {
	if b, ok := s.Store.Backend().(memstore.PathFinder); ok {
		return b.PathOf(name)
	}
	return filepath.Join(s.Dir, filepath.FromSlash(name))
}

// linked returns the rewritten files that have names outside the store.
func (s *Scrubber) linked(ctx context.Context) (list []linkedFile) {
	type file struct{ device, inode uint64 }
	inside, still := map[file]int{}, map[file]bool{}
	for _, l := range s.links {
		inside[file{l.Device, l.Inode}]++
	}
	if len(inside) == 0 {
		return nil
	}
	s.eachInode(ctx, func(_ string, l link) { still[file{l.Device, l.Inode}] = true })
	told := map[file]bool{}
	for name, l := range s.links {
		f := file{l.Device, l.Inode}
		if others := int(l.Names) - inside[f]; others > 0 && !still[f] && !told[f] {
			told[f] = true
			list = append(list, linkedFile{memstore.AgentPath(name), others, l.Inode})
		}
	}
	slices.SortFunc(list, func(a, b linkedFile) int { return strings.Compare(a.Path, b.Path) })
	return list
}
