//go:build unix && !linux

package ccmemory

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// servers are the processes of this user that run a server of the program.
func servers() (pids []int, err error) {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,uid=,command=").Output()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[1] != strconv.Itoa(os.Getuid()) {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		if err == nil && pid != os.Getpid() && isServer(fields[2:], "") {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}
