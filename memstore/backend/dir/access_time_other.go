//go:build !linux && !darwin

package dir

import (
	"os"
	"time"
)

// Windows keeps access times only where somebody has turned that on, and does not say whether.
func statAccessTime(os.FileInfo) (time.Time, bool) { return time.Time{}, false }

func keepsAccessTimes(*os.File) bool { return false }
