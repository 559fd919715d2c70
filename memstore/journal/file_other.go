//go:build !unix

package journal

import "os"

// canWrite reports whether this process may write the file at path, which it does not open.
func canWrite(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o200 != 0
}

// isOpenElsewhere: a file that is open cannot be renamed here.
func isOpenElsewhere(string) bool { return false }
