package cli

import (
	"os"
	"syscall"
)

// peakMemory is the largest resident set of a process that has ended, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Maxrss) << 10
	}
	return 0
}
