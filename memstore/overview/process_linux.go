package overview

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// hertz is the unit in which the kernel counts for other programs, on every machine that Go runs on.
const hertz = 100

// beganAt is when a process began, by proc(5).
func beganAt(pid int) (time.Time, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return time.Time{}, false
	}
	const startTime = 19 // of the fields after the name, which may hold anything
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= startTime {
		return time.Time{}, false
	}
	since, err := strconv.ParseInt(string(fields[startTime]), 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	system, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}, false
	}
	_, rest, _ := strings.Cut(string(system), "\nbtime ")
	line, _, _ := strings.Cut(rest, "\n")
	boot, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	return time.Unix(boot+since/hertz, 0), true
}
