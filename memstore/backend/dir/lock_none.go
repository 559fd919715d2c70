//go:build unix && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package dir

// lockFile is empty: these systems have no flock in the standard library, so only
// the writers of one process take turns.
type lockFile struct{}

func (*lockFile) close() {}

func (*openRoot) tryLock(string) (bool, error) { return true, nil }

func (*openRoot) unlock() {}
