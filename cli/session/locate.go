package session

import (
	"os"
	"path/filepath"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/statedir"
)

// Locator finds and opens stores by the words of a command: names of stores, paths of this machine, agent paths.
type Locator struct {
	machine discover.Machine
	state   State
}

// Locator finds the stores that a command names.
func (run *Session) Locator() Locator { return Locator{run.Machine(), run.State()} }

// UsualDir finds the store to use if none is named.
func (l Locator) UsualDir() (string, error) {
	if dir := l.machine.Getenv(EnvDir); dir != "" {
		return dir, nil
	}
	for _, dir := range usualDirs {
		if isDir(dir) {
			return dir, nil
		}
	}
	return "", Failed(ErrNoStore, "No memory directory: %s is not set and there is no %s here. "+
		"Pass DIR, or list this machine's: %s stores", EnvDir, strings.Join(usualDirs, " or "), Program)
}

// noteAt is the agent path of a file in a store, from its path on this machine as a shell completes it; "" for anything else.
func noteAt(store, file string) string {
	info, err := os.Stat(file)
	if store == "" || err != nil || !info.Mode().IsRegular() {
		return ""
	}
	note, err := filepath.Rel(Absolute(store), Absolute(file))
	if err != nil || !filepath.IsLocal(note) || isIn(store, file) {
		return ""
	}
	return memstore.AgentPath(filepath.ToSlash(note))
}

// dialectOf is the dialect of the agent whose place dir is, else that of the documentation.
func (l Locator) dialectOf(dir string) memstore.Dialect {
	d, err := memstore.ParseDialect(l.machine.DialectOf(dir))
	if dir == "" || err != nil {
		return memstore.Docs
	}
	return d
}

// Named is a store that a positional names.
type Named struct {
	Dir  string
	Path string // agent path of the file by which a store of instruction files was named, else ""
	Real string // Dir without links
}

// Name reads a positional as a store.
func (l Locator) Name(word string) (n Named, err error) {
	if word == "" {
		return n, WrongUse("DIR is empty")
	}
	t := Target{Opening: Opening{Dir: word}}
	if err := l.inStore(&t, true); err != nil {
		return n, err
	}
	n = Named{Dir: t.Dir, Path: t.AgentPath}
	if n.Real, err = filepath.Abs(t.Dir); err != nil {
		return n, err
	}
	if real, linked := statedir.Real(n.Real); linked == nil {
		n.Real = real
	}
	return n, nil
}

// isIn reports whether a store has something at a path relative to it.
func isIn(store, note string) bool {
	_, err := os.Lstat(filepath.Join(store, filepath.FromSlash(note)))
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
