package watch

import (
	"path"

	"memcurator/memstore"
)

// keeper is [memstore.ScanOptions].Keep for a look at some names: folders that are neither one of them nor above one need no reading. It
// must not run beside a change of names.
func keeper(tree *memstore.Snapshot, names map[string]bool) func(string, memstore.Info) *memstore.Node {
	near := map[string]bool{}
	for name := range names {
		for ; name != "." && !near[name]; name = path.Dir(name) {
			near[name] = true
		}
	}
	return func(name string, i memstore.Info) *memstore.Node {
		known := find(tree, name)
		if near[name] || known == nil || known.Kind != memstore.KindDir || known.ID != i.ID || known.Problem != nil {
			return nil
		}
		return known
	}
}

func find(s *memstore.Snapshot, name string) *memstore.Node { return s.Find(memstore.AgentPath(name)) }

// settle compares what was known of a path with what a scan found, which it completes: a folder that can't be read keeps the children last
// known of it, since unreadable is not empty, and where nothing differs the known node is returned. gone reports whether a folder
// is no longer where it was.
func settle(was, now *memstore.Node) (n *memstore.Node, gone bool) {
	if was == now {
		return was, false
	}
	gone = was.Kind == memstore.KindDir && (now.Kind != was.Kind || now.ID != was.ID)
	if now.Problem != nil && len(now.Children) == 0 {
		now.Children = was.Children
	}
	same := was.Info == now.Info && (was.Problem == nil) == (now.Problem == nil) && len(was.Children) == len(now.Children)
	for _, o := range was.Children {
		gone = gone || o.Kind == memstore.KindDir && now.Child(o.Name) == nil
	}
	for i, c := range now.Children {
		o := was.Child(c.Name)
		if o == nil {
			same = false
			continue
		}
		kept, away := settle(o, c)
		if kept != c {
			now.Children[i] = kept
		}
		gone, same = gone || away, same && kept == o
	}
	if same {
		return was, gone
	}
	if now.Kind == memstore.KindDir {
		now.Files, now.Bytes = 0, 0
		for _, c := range now.Children {
			now.Files += c.Files
			now.Bytes += c.Bytes
		}
	}
	return now, gone
}
