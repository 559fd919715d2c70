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

// disk is the store as files on this machine.
type disk struct {
	backend memstore.Backend
	dir     string // "": it is on none
}

// findLinks records in links the files that have several names, before they are rewritten.
func (d disk) findLinks(ctx context.Context, links map[string]link) {
	d.eachInode(ctx, func(name string, l link) {
		if _, known := links[name]; !known && l.Names > 1 {
			links[name] = l
		}
	})
}

// eachInode visits the files; on systems without inodes it visits none.
func (d disk) eachInode(ctx context.Context, visit func(name string, l link)) {
	if d.dir == "" {
		return
	}
	// the scan reports unreadable folders
	_ = eachFile(ctx, d.backend, ".", func(string, error) {}, func(name string, i memstore.Info) error {
		if i.Kind != memstore.KindFile {
			return nil
		}
		if info, err := os.Lstat(d.pathOf(name)); err == nil {
			if l, ok := linkOf(info); ok {
				visit(name, l)
			}
		}
		return nil
	})
}

// pathOf is where a file of the store is.
func (d disk) pathOf(name string) string {
	if b, ok := d.backend.(memstore.PathFinder); ok {
		return b.PathOf(name)
	}
	return filepath.Join(d.dir, filepath.FromSlash(name))
}

// linked returns those of links that were rewritten and have names outside the store.
func (d disk) linked(ctx context.Context, links map[string]link) (list []linkedFile) {
	type file struct{ device, inode uint64 }
	inside, still := map[file]int{}, map[file]bool{}
	for _, l := range links {
		inside[file{l.Device, l.Inode}]++
	}
	if len(inside) == 0 {
		return nil
	}
	d.eachInode(ctx, func(_ string, l link) { still[file{l.Device, l.Inode}] = true })
	told := map[file]bool{}
	for name, l := range links {
		f := file{l.Device, l.Inode}
		if others := int(l.Names) - inside[f]; others > 0 && !still[f] && !told[f] {
			told[f] = true
			list = append(list, linkedFile{memstore.AgentPath(name), others, l.Inode})
		}
	}
	slices.SortFunc(list, func(a, b linkedFile) int { return strings.Compare(a.Path, b.Path) })
	return list
}
