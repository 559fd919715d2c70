package ccmemory

import (
	"path/filepath"
	"slices"
	"strings"
)

// program is what its folder, its package and its commands are called.
const program = "cc-memory"

// runtimes run the program's scripts.
var runtimes = []string{"node", "nodejs", "bun", "deno", "tsx", "npx", "npm", "bash", "sh"}

// launching are the words with which a runtime is told to start something.
var launching = []string{"run", "exec", "x", "dlx"}

// entryScripts are the scripts of its servers, as they are started in its own folder.
var entryScripts = []string{"dist/index.js", "dist/http-server.js", "src/index.ts", "src/http-server.ts"}

// isServer reports whether a command line, in a working directory, is that of the program: one of its own commands, or a runtime with a
// script of it. An editor with one of its files isn't, nor is this program with its database.
func isServer(args []string, work string) bool {
	if len(args) == 0 {
		return false
	}
	first := filepath.Base(args[0])
	if strings.HasPrefix(first, program) {
		return true
	}
	if !slices.Contains(runtimes, first) && !strings.HasPrefix(first, "node") {
		return false
	}
	for _, arg := range args[1:] {
		if strings.HasPrefix(arg, "-") || slices.Contains(launching, arg) {
			continue
		}
		if slices.ContainsFunc(strings.Split(filepath.ToSlash(arg), "/"), func(s string) bool { return strings.HasPrefix(s, program) }) {
			return true
		}
		return slices.Contains(entryScripts, strings.TrimPrefix(filepath.ToSlash(arg), "./")) && strings.Contains(work, program)
	}
	return false
}
