//go:build !linux && !darwin

package dir

import (
	"os"
	"time"
)

// Windows keeps access times only where that was turned on, and does not say whether it was.
func statAccessTime(os.FileInfo) (time.Time, bool) { return time.Time{}, false }

func keepsAccessTimes(*os.File) bool { return false }
