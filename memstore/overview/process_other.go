//go:build !linux

package overview

import "time"

// beganAt is unknown on this system.
func beganAt(int) (time.Time, bool) { return time.Time{}, false }
