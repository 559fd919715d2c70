package session

import (
	"os"
	"path/filepath"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/programs"
	"memcurator/memstore/statedir"
)

// UsualDir finds the store to use if none is named.
func (run *Session) UsualDir() (string, error) {
	if dir := run.Machine().Getenv(EnvDir); dir != "" {
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

// dialectOf is the dialect of the agent whose place dir is, else that of the documentation.
func (run *Session) dialectOf(dir string) memstore.Dialect {
	d, err := memstore.ParseDialect(run.Machine().DialectOf(dir))
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
func (run *Session) Name(word string) (n Named, err error) {
	if word == "" {
		return n, WrongUse("DIR is empty")
	}
	t := Target{Opening: Opening{Dir: word}}
	if err := run.inStore(&t, true); err != nil {
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

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isFile reports whether a path is the file by which a store is named: an instruction file, or the memory of another program.
func (run *Session) isFile(path string) bool {
	if _, ok := run.instructionsAt(path); ok {
		return true
	}
	_, ok := programs.Of(path)
	return ok
}

// Sealed reports whether the store at a path is encrypted, which one named by a file never is.
func (run *Session) Sealed(dir string) (bool, error) {
	if run.isFile(dir) {
		return false, nil
	}
	return age.Found(dir)
}

// OpenPlain opens a store that is not encrypted: a directory, instruction files, or the memory of another program.
func (run *Session) OpenPlain(dir string, create bool) (memstore.Backend, error) {
	if named, ok := run.instructionsAt(dir); ok {
		return run.openInstructions(named)
	}
	if a, ok := programs.Of(dir); ok {
		b, err := adapt.Open(a, dir)
		if err != nil {
			return nil, OpenError(dir, err, false)
		}
		return b, nil
	}
	b, err := memstore.OpenDir(dir, memstore.DirOptions{Create: create})
	if err != nil {
		return nil, OpenError(dir, err, create)
	}
	return b, nil
}
