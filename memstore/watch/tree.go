package watch

import (
	"iter"
	"path"

	"memcurator/memstore"
)

// keeper says which folders a look need not read.
type keeper struct {
	*loop
	all  bool
	near map[string]bool // folders at or above which something may have happened
}

func (k *keeper) mark(names iter.Seq[string]) {
	for name := range names {
		for ; name != "." && !k.near[name]; name = path.Dir(name) {
			k.near[name] = true
		}
	}
}

// keep implements [memstore.ScanOptions].Keep.
func (k *keeper) keep(name string, i memstore.Info) *memstore.Node {
	known := find(k.tree, name)
	if k.all || k.near[name] || known == nil || known.Kind != memstore.KindDir || known.ID != i.ID || known.Problem != nil ||
		!k.watches.covers(name, i.ID) {
		return nil
	}
	if known.Mode == i.Mode && known.ModTime.Equal(i.ModTime) && known.Size == i.Size {
		return known
	}
	n := *known
	n.Info = i
	return &n
}

func find(s *memstore.Snapshot, name string) *memstore.Node { return s.Find(memstore.AgentPath(name)) }

// merge adds the names that differ between two trees, and keeps in folders that can't be read the children last known of them:
// unreadable is not empty. It reports whether it changed the totals of now.
func merge(name string, was, now *memstore.Node, differ map[string]bool) (changed bool) {
	if was == now {
		return false
	}
	if now.Problem != nil && len(now.Children) == 0 && was.Kind == memstore.KindDir {
		now.Children, now.Files, now.Bytes = was.Children, was.Files, was.Bytes
		return true
	}
	if was.ID != now.ID || was.Problem != nil {
		differ[name] = true // with everything below it
	}
	old := was.Children
	for _, n := range now.Children {
		for len(old) > 0 && old[0].Name < n.Name {
			differ[join(name, old[0].Name)] = true
			old = old[1:]
		}
		if len(old) == 0 || old[0].Name != n.Name {
			differ[join(name, n.Name)] = true
			continue
		}
		o := old[0]
		old = old[1:]
		switch {
		case o.Kind == memstore.KindDir && n.Kind == memstore.KindDir:
			changed = merge(join(name, n.Name), o, n, differ) || changed
		case o.Kind != n.Kind || o.ID != n.ID || o.Size != n.Size || o.Mode != n.Mode || !o.ModTime.Equal(n.ModTime):
			differ[join(name, n.Name)] = true
		}
	}
	for _, o := range old {
		differ[join(name, o.Name)] = true
	}
	if changed {
		now.Files, now.Bytes = 0, 0
		for _, n := range now.Children {
			now.Files += n.Files
			now.Bytes += n.Bytes
		}
	}
	return changed
}

func join(dir, base string) string {
	if dir == "." {
		return base
	}
	return dir + "/" + base
}
