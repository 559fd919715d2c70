//go:build !unix

package quietfile

// Flags of an open, which these systems don't have. Below a directory, Windows has no pipe or device that an open could wait for.
const (
	NoWait    = 0
	Directory = 0
)
