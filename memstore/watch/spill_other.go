//go:build !unix

package watch

// unlinkOpen reports that an open file keeps its name here: it is removed on close.
func unlinkOpen(string) bool { return false }
