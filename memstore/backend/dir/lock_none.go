//go:build unix && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package dir

// lockFile is empty: the standard library has no flock on these systems, so
// only the writers of one process are serialized.
type lockFile struct{}

func (*lockFile) close() {}

func (*openRoot) tryLock(string) (bool, error) { return true, nil }

func (*openRoot) unlock() {}
