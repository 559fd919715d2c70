package ccmemory

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// servers are the processes of this user that run a server of the program.
func servers() (pids []int, err error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		folder := filepath.Join("/proc", e.Name())
		info, err := os.Stat(folder)
		if err != nil {
			continue // it has ended
		}
		if st, ok := info.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Getuid() {
			continue
		}
		line, err := os.ReadFile(filepath.Join(folder, "cmdline"))
		if err != nil || len(line) == 0 {
			continue
		}
		var args []string
		for arg := range bytes.SplitSeq(bytes.TrimRight(line, "\x00"), []byte{0}) {
			args = append(args, string(arg))
		}
		work, _ := os.Readlink(filepath.Join(folder, "cwd")) // "" if it can't be known
		if isServer(args, work) {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}
