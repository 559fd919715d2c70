package session

import (
	"errors"
	"os"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/backend/chain"
	"memcurator/memstore/programs"
)

// chains describes this machine to package chain.
func (l Locator) chains() chain.Machine {
	return chain.Machine{System: l.machine.System, Home: l.machine.Home, Getenv: l.machine.Getenv}
}

// chainAt returns the path that names the chain of an instruction file, or that of a document alone; ok is false for anything else, and for
// a path at which there is, and was, no file.
func (l Locator) chainAt(file string) (named string, ok bool) {
	m := l.chains()
	agent, named, ok := chain.Locate(file, m)
	if !ok {
		return l.alone(file)
	}
	if info, err := os.Stat(file); err == nil {
		return named, info.Mode().IsRegular()
	}
	for _, f := range agent.Files { // the path that names a chain may have no file
		info, err := os.Stat(filepath.Join(filepath.Dir(named), filepath.FromSlash(f)))
		if err == nil && info.Mode().IsRegular() && file == named {
			return named, true
		}
	}
	return named, l.state.HasJournal(named) // its files were deleted
}

// alone returns the path of a document that is in no store, which is a store of its own.
func (l Locator) alone(file string) (named string, ok bool) {
	if !chain.IsDocument(file) {
		return "", false
	}
	info, err := os.Stat(file)
	switch {
	case err == nil && !info.Mode().IsRegular(), err != nil && !l.state.HasJournal(file): // one with a journal was deleted
		return "", false
	}
	if store, _ := l.note(file); store != "" {
		return "", false
	}
	named, err = filepath.Abs(file)
	return named, err == nil
}

// IsChain reports whether a path names a chain of instruction files, or a document alone.
func (l Locator) IsChain(path string) bool {
	_, ok := l.chainAt(path)
	return ok
}

// openChain opens the chain that an instruction file belongs to.
func (l Locator) openChain(file string) (memstore.Backend, error) {
	c, err := chain.Open(file, l.chains())
	if err != nil {
		return nil, OpenError(filepath.Dir(file), err, false)
	}
	return c, nil
}

// isFile reports whether a path is the file by which a store is named: a chain, or the memory of another program.
func (l Locator) isFile(path string) bool {
	if _, ok := l.chainAt(path); ok {
		return true
	}
	_, ok := programs.Of(path)
	return ok
}

// Sealed reports whether the store at a path is encrypted, which one named by a file never is.
func (l Locator) Sealed(dir string) (bool, error) {
	if l.isFile(dir) {
		return false, nil
	}
	return age.Found(dir)
}

// graphName is what the MCP memory server calls its file.
const graphName = "memory.jsonl"

// OpenPlain opens a store that is not encrypted: a directory, a chain, or the memory of another program.
func (l Locator) OpenPlain(dir string, create bool) (memstore.Backend, error) {
	if named, ok := l.chainAt(dir); ok {
		return l.openChain(named)
	}
	if a, ok := programs.Of(dir); ok {
		b, err := adapt.Open(a, dir)
		if err != nil {
			return nil, OpenError(dir, err, false)
		}
		return b, nil
	}
	if _, err := os.Lstat(dir); create && filepath.Base(dir) == graphName && errors.Is(err, os.ErrNotExist) {
		return nil, Failed(err, "Can't create %s: it would be a directory. Make an empty file for a graph, or pass another name", dir)
	}
	b, err := memstore.OpenDir(dir, memstore.DirOptions{Create: create})
	if err != nil {
		return nil, OpenError(dir, err, create)
	}
	return b, nil
}

// chained makes a target that is an instruction file its chain. With takesPath, the file is the target's path too. For a command without
// paths, a note of a store names the store; only the interface, which shows the note, can use that.
func (l Locator) chained(t *Target, takesPath bool) error {
	file := t.Dir
	named, ok := l.chainAt(file)
	if !ok {
		return nil
	}
	t.Dir = named
	if t.AgentPath != "" {
		return nil
	}
	b, err := l.openChain(named)
	if err != nil {
		return err
	}
	defer b.Close()
	switch name, ok := b.(*chain.Chain).NameOf(file); {
	case ok && takesPath:
		t.AgentPath, t.file = memstore.AgentPath(name), true
	case ok:
		t.note = memstore.AgentPath(name)
	case takesPath:
		return Failed(errors.New("not part of its chain"), "The agent doesn't read %s. List what it reads: %s ls --dir %s", file, Program, named)
	}
	return nil
}

// NamedNote makes a target that is a note its store, at that note.
func (l Locator) NamedNote(t *Target) {
	if t.note != "" || t.AgentPath != "" {
		return
	}
	if store, note := l.note(t.Dir); store != "" && !isDir(t.Dir) {
		t.Dir, t.note = store, memstore.AgentPath(note)
	}
}
