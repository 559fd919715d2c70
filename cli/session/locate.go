package session

import (
	"os"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/programs"
	"memcurator/render/text"
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
		"Pass DIR, or list this machine's: %s stores", EnvDir, text.Or(usualDirs), Program)
}

// dialectOf is the dialect of the agent whose place dir is, else that of the documentation.
func (run *Session) dialectOf(dir string) memstore.Dialect {
	d, err := memstore.ParseDialect(run.Machine().DialectOf(dir))
	if dir == "" || err != nil {
		return memstore.Docs
	}
	return d
}

// Name reads a positional as a store, which the command may make with --create.
func (run *Session) Name(word string, create bool) (t Target, err error) {
	if word == "" {
		return t, WrongUse("DIR is empty")
	}
	t.Opening = Opening{Dir: word, Create: create, creates: true}
	return t, run.inStore(&t, true)
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
