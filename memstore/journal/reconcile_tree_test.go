package journal

import (
	"context"

	"memcurator/memstore"
)

// scan is the tree of the disk now, as a watcher has it.
func (d *desk) scan() *memstore.Snapshot {
	d.t.Helper()
	snap, err := d.store.Scan(context.Background(), nil)
	d.must(err)
	return snap
}
