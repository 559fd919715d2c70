//go:build !(linux && (amd64 || arm64))

package dir

import (
	"os"
	"time"
)

// fixed: nothing is known before it is removed.
func fixed(*os.File, string) error { return nil }

// changeTime is not known: nothing is old.
func changeTime(os.FileInfo) time.Time { return time.Now() }
