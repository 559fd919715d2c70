package session

import (
	"os"
	"path/filepath"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend/files"
	"memcurator/memstore/discover"
	"memcurator/memstore/programs"
	"memcurator/memstore/statedir"
)

// Locator finds and opens stores by the words of a command: names of stores, paths of this machine, agent paths.
type Locator struct {
	machine discover.Machine
	state   State
}

// Locator finds the stores that a command names.
func (run *Session) Locator() Locator { return Locator{run.Machine(), run.State()} }

// around finds the store that a directory of this machine is, or is in: the nearest one with a journal, else the nearest of a usual
// name. It is "" if there is none.
func (l Locator) around(dir string, names ...string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	named := ""
	for {
		if l.state.HasJournal(dir) {
			return dir
		}
		for _, name := range names {
			if named == "" && filepath.Base(dir) == name {
				named = dir
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return named
		}
		dir = parent
	}
}

// note reads a word as a file or folder of this machine, as a shell completes it; store is "" if it is not in a store. A folder is only
// in a store with a journal: any other may be a store itself.
func (l Locator) note(word string) (store, note string) {
	info, err := os.Stat(word)
	if err != nil {
		return l.recorded(word)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return "", ""
	}
	file, err := filepath.Abs(word)
	if err != nil || info.IsDir() && l.state.HasJournal(file) {
		return "", ""
	}
	if _, ok := programs.Of(file); ok { // it is a store itself
		return "", ""
	}
	var names []string
	if !info.IsDir() {
		names = []string{"memories", "memory"} // the user named a file in it
	}
	if store = l.around(filepath.Dir(file), names...); store == "" {
		return "", ""
	}
	note, err = filepath.Rel(store, file)
	if err != nil {
		return "", ""
	}
	return store, filepath.ToSlash(note)
}

// recorded reads a word as a record or a folder in the memory of another program, by the path of its file: memory.jsonl/person/Ann.md.
func (l Locator) recorded(word string) (store, note string) {
	for store = filepath.Clean(word); filepath.Dir(store) != store; store = filepath.Dir(store) {
		info, err := os.Stat(store)
		switch {
		case err != nil:
			continue
		case !info.Mode().IsRegular():
			return "", ""
		}
		if _, ok := programs.Of(store); !ok {
			return "", ""
		}
		if note, err = filepath.Rel(store, word); err != nil {
			return "", ""
		}
		return store, filepath.ToSlash(note)
	}
	return "", ""
}

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
	if dir := l.around(".", "memories"); dir != "" {
		return dir, nil
	}
	return "", Failed(ErrNoStore, "No memory directory: %s is not set and there is no %s here. "+
		"Pass DIR, or list this machine's: %s stores", EnvDir, strings.Join(usualDirs, " or "), Program)
}

// dialectOf is the dialect of the agent whose place dir is, else that of the documentation.
func (l Locator) dialectOf(dir string) memstore.Dialect {
	d, err := memstore.ParseDialect(l.machine.DialectOf(dir))
	if dir == "" || err != nil {
		return memstore.Docs
	}
	return d
}

// Named is the target of one positional: a store, or a note or folder in one.
type Named struct {
	Dir    string
	Path   string // agent path; "" for the whole store
	Real   string // Dir without links
	ByFile bool   // instruction files, and the one by which they were named
}

// Name reads a positional as a store, or as a note or folder in one: an agent path, a path relative to the usual store, or one of this
// machine.
func (l Locator) Name(word string) (n Named, err error) {
	switch {
	case word == "":
		return n, WrongUse("DIR is empty")
	case IsAgentPath(word):
		n.Dir, err = l.UsualDir()
		n.Path = word
	case isRelativePath(word):
		dir, usualErr := l.UsualDir()
		if usualErr == nil && isIn(dir, word) {
			return resolved(Named{Dir: dir, Path: memstore.AgentPath(filepath.ToSlash(word))})
		}
		fallthrough
	default:
		n = l.located(word)
	}
	if err != nil {
		return n, err
	}
	return resolved(n)
}

// located reads a path of this machine. A file whose store isn't known by its name or its journal is in the store that its folder is.
func (l Locator) located(word string) Named {
	if store, note := l.note(word); store != "" && note != "." {
		return Named{Dir: store, Path: memstore.AgentPath(note)}
	}
	if _, _, ok := files.Locate(word, l.filesOn()); ok {
		t := Target{Opening: Opening{Dir: word}}
		if err := l.inStore(&t, true); err == nil && t.file {
			return Named{Dir: t.Dir, Path: t.AgentPath, ByFile: true}
		}
		return Named{Dir: word}
	}
	if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
		if _, ok := programs.Of(word); !ok {
			return Named{Dir: filepath.Dir(word), Path: memstore.AgentPath(filepath.Base(word))}
		}
	}
	return Named{Dir: word}
}

// resolved follows the links of the directory.
func resolved(n Named) (Named, error) {
	if n.Path == memstore.Root {
		n.Path = ""
	}
	full, err := filepath.Abs(n.Dir)
	if err == nil {
		n.Real = full
		if real, linked := statedir.Real(full); linked == nil {
			n.Real = real
		}
	}
	return n, err
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
