package session

import (
	"errors"
	"os"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/backend/files"
)

// filesOn describes this machine to package files.
func (run *Session) filesOn() files.Machine {
	return files.Machine{Home: run.Machine().Home, Getenv: run.Machine().Getenv}
}

// instructionsAt returns the path that names the store of an instruction file; ok is false for anything else, and for a path at which
// there is, and was, no file.
func (run *Session) instructionsAt(file string) (named string, ok bool) {
	m := run.filesOn()
	agent, named, ok := files.Locate(file, m)
	if !ok {
		return "", false
	}
	if info, err := os.Stat(file); err == nil {
		return named, info.Mode().IsRegular()
	}
	for _, f := range agent.Files { // the path that names a store may have no file
		info, err := os.Stat(filepath.Join(filepath.Dir(named), filepath.FromSlash(f)))
		if err == nil && info.Mode().IsRegular() && file == named {
			return named, true
		}
	}
	return named, run.State().HasJournal(named) // its files were deleted
}

// IsInstructions reports whether a path names a store of instruction files.
func (run *Session) IsInstructions(path string) bool {
	_, ok := run.instructionsAt(path)
	return ok
}

// openInstructions opens the store that an instruction file belongs to.
func (run *Session) openInstructions(file string) (memstore.Backend, error) {
	c, err := files.Open(file, run.filesOn())
	if err != nil {
		return nil, OpenError(filepath.Dir(file), err, false)
	}
	return c, nil
}

// inStore makes a target that is an instruction file its store. With takesPath, the file is the target's path too. For a command without
// paths, a note of a store names the store; only the interface, which shows the note, can use that.
func (run *Session) inStore(t *Target, takesPath bool) error {
	file := t.Dir
	named, ok := run.instructionsAt(file)
	if !ok {
		return nil
	}
	t.Dir = named
	if t.AgentPath != "" {
		return nil
	}
	b, err := run.openInstructions(named)
	if err != nil {
		return err
	}
	defer b.Close()
	switch name, ok := b.(*files.Folder).NameOf(file); {
	case ok && takesPath:
		t.AgentPath, t.file = memstore.AgentPath(name), true
	case ok:
		t.note = memstore.AgentPath(name)
	case takesPath:
		return Failed(errors.New("not part of its store"), "The agent doesn't read %s. List what it reads: %s ls --dir %s", file, Program, named)
	}
	return nil
}
