//go:build unix

package watch

import "os"

// unlinkOpen takes the name of an open file away, so that nothing is left
// behind however the process ends.
func unlinkOpen(name string) bool { return os.Remove(name) == nil }
