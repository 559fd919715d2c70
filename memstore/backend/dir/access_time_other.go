//go:build !linux && !darwin

package dir

import (
	"os"
	"time"
)

// Windows updates access times only if that is turned on, and offers no way to ask.
func statAccessTime(os.FileInfo) (time.Time, bool) { return time.Time{}, false }

func keepsAccessTimes(*os.File) bool { return false }
