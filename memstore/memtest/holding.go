package memtest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// FilesHolding counts the files below some folders that hold a value as it is.
func FilesHolding(t testing.TB, value string, dirs ...string) (n int) {
	t.Helper()
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(at)
			if bytes.Contains(data, []byte(value)) {
				n++
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return n
}
