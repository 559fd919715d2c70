package tables

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// runtimes run the program's scripts.
var runtimes = []string{"node", "nodejs", "bun", "deno", "tsx", "npx", "npm", "bash", "sh"}

// launching are the words with which a runtime is told to start something.
var launching = []string{"run", "exec", "x", "dlx"}

// entryScripts are the scripts of its servers, as they are started in its own folder.
var entryScripts = []string{"dist/index.js", "dist/http-server.js", "src/index.ts", "src/http-server.ts"}

// servers are the processes of this user that run a server of the program, as ps lists them.
func servers() (pids []int, err error) {
	if runtime.GOOS == "windows" {
		return nil, errors.ErrUnsupported
	}
	out, err := exec.Command("ps", "-axww", "-o", "pid=,uid=,command=").Output()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[1] != strconv.Itoa(os.Getuid()) {
			continue
		}
		work, _ := os.Readlink("/proc/" + fields[0] + "/cwd") // "" where it can't be known, as on macOS
		pid, err := strconv.Atoi(fields[0])
		if err == nil && pid != os.Getpid() && isServer(fields[2:], work) {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// isServer reports whether a command line, in a working directory, is that of cc-memory: one of its own commands, or a runtime with a
// script of it. An editor with one of its files isn't, nor is this program with its database.
func isServer(args []string, work string) bool {
	if len(args) == 0 {
		return false
	}
	first := filepath.Base(args[0])
	if strings.HasPrefix(first, ccMemory.name) {
		return true
	}
	if !slices.Contains(runtimes, first) && !strings.HasPrefix(first, "node") {
		return false
	}
	script := false // ps doesn't show where an argument ends: what follows may be more of the script's path
	for _, arg := range args[1:] {
		switch option := strings.HasPrefix(arg, "-"); {
		case option && script:
			return false
		case option || slices.Contains(launching, arg):
			continue
		}
		script = true
		if slices.ContainsFunc(strings.Split(filepath.ToSlash(arg), "/"), func(s string) bool { return strings.HasPrefix(s, ccMemory.name) }) {
			return true
		}
		if slices.Contains(entryScripts, strings.TrimPrefix(filepath.ToSlash(arg), "./")) && strings.Contains(work, ccMemory.name) {
			return true
		}
	}
	return false
}
