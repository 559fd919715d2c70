package memstore

import (
	"context"

	"memcurator/memstore/backend"
)

// Scan reads the tree of the store, whole depth, on [Options].Workers
// goroutines that have ended when it returns. report (nil: none) gets growing
// snapshots on the caller's goroutine: the root's own entries as soon as they are read, then
// more, at most 10 a second; the last one is what Scan returns. Links are not
// followed. Temporary files of writes under way are left out. A folder that cannot be read
// says so in its Problem. When the root itself cannot be read the error wraps [ErrUnavailable].
func (s *Store) Scan(ctx context.Context, report func(*backend.Snapshot)) (*backend.Snapshot, error) {
	return s.ScanFrom(ctx, backend.ScanOptions{Report: report})
}

// ScanFrom is Scan with settings. The root of the snapshot is the folder that was
// asked for. A folder below the root that cannot be read is no error, but a Problem;
// one that is not there is [ErrNotExist] or [ErrNotDir].
func (s *Store) ScanFrom(ctx context.Context, o backend.ScanOptions) (*backend.Snapshot, error) {
	return backend.Scan(ctx, s.backend, s.options.Workers, o)
}
