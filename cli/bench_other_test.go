//go:build !linux

package cli

import "os"

// peakMemory is 0 where the system does not tell, or tells in another unit.
func peakMemory(*os.ProcessState) int64 { return 0 }
