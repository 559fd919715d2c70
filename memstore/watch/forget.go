package watch

import (
	"maps"
	"slices"

	"memcurator/memstore"
)

// Copies lists the contents that the watch has copies of: of files as they were, and on either side of changes.
func (w *Watcher) Copies() []memstore.Digest {
	s := w.spill
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Keys(s.blobs))
}

// Forget gives up the copies that keep has no place for, for good: after a purge they hold what was purged. Their
// versions tell so, in the changes that were told and in those that are told after. keep is called under a lock.
func (w *Watcher) Forget(keep func(memstore.Digest) bool) {
	s := w.spill
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range slices.Collect(maps.Values(s.blobs)) {
		if !keep(b.digest) {
			s.drop(b, whyPurged)
		}
	}
}
