//go:build !unix

package database

import "os"

// CanWrite reports whether this process may write the file at path, which it does not open.
func CanWrite(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o200 != 0
}

// IsOpenElsewhere: a file that is open cannot be renamed here.
func IsOpenElsewhere(string) bool { return false }
