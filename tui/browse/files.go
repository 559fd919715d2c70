package browse

import "memcurator/memstore"

// Files are those of the store, as far as they are known.
type Files struct{ snapshot *memstore.Snapshot }

// Snapshot is their tree; nil until it is read.
func (f *Files) Snapshot() *memstore.Snapshot { return f.snapshot }

// Node returns what is known of a path, nil if it does not exist.
func (f *Files) Node(path string) *memstore.Node {
	name, err := memstore.ParsePath(path)
	if err != nil || f.snapshot == nil {
		return nil
	}
	return f.snapshot.Find(memstore.AgentPath(name))
}

// below is how many files are known at a path and below it.
func (f *Files) below(path string) int {
	if n := f.Node(path); n != nil {
		return n.Files
	}
	return 0
}

// none reports whether the store is known to have no files.
func (f *Files) none() bool {
	return f.snapshot != nil && f.snapshot.Complete && f.below(memstore.Root) == 0
}

// Children lists the names in an agent folder for completion, folders with a slash.
func (f *Files) Children(path string) []string {
	if f.snapshot == nil {
		return nil
	}
	n := f.snapshot.Find(path)
	if n == nil {
		return nil
	}
	names := make([]string, 0, len(n.Children))
	for _, c := range n.Children {
		name := c.Name
		if c.Kind == memstore.KindDir {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}
