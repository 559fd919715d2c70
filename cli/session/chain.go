package session

import (
	"errors"
	"os"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/backend/chain"
	"memcurator/memstore/config"
)

// chains describes this machine to package chain.
func (run *Session) chains() chain.Machine {
	m := run.Machine()
	return chain.Machine{System: m.System, Home: config.Home(run.Env.Getenv), Getenv: run.Env.Getenv}
}

// chainAt returns the path that names the chain of an instruction file; ok is false for anything else, and for a path at which no file of
// the chain is.
func (run *Session) chainAt(file string) (named string, ok bool) {
	m := run.chains()
	agent, named, ok := chain.Locate(file, m)
	if !ok {
		return "", false
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
	return "", false
}

// openChain opens the chain that an instruction file belongs to.
func (run *Session) openChain(file string) (memstore.Backend, error) {
	c, err := chain.Open(file, run.chains())
	if err != nil {
		return nil, OpenError(filepath.Dir(file), err, false)
	}
	return c, nil
}

// sealedAt reports whether the store at a path is encrypted, which a chain never is.
func (run *Session) sealedAt(dir string) (bool, error) {
	if _, ok := run.chainAt(dir); ok {
		return false, nil
	}
	return age.Found(dir)
}

// OpenPlain opens a store that is not encrypted: a directory or a chain.
func (run *Session) OpenPlain(dir string, create bool) (memstore.Backend, error) {
	if named, ok := run.chainAt(dir); ok {
		return run.openChain(named)
	}
	b, err := memstore.OpenDir(dir, memstore.DirOptions{Create: create})
	if err != nil {
		return nil, OpenError(dir, err, create)
	}
	return b, nil
}

// chained makes a target that is an instruction file its chain. With takesPath, the file is the target's path too.
func (run *Session) chained(t *Target, takesPath bool) error {
	named, ok := run.chainAt(t.Dir)
	if !ok {
		return nil
	}
	file := t.Dir
	t.Dir = named
	if !takesPath || t.AgentPath != "" {
		return nil
	}
	b, err := run.openChain(named)
	if err != nil {
		return err
	}
	defer b.Close()
	if name, ok := b.(*chain.Chain).NameOf(file); ok {
		t.AgentPath, t.file = memstore.AgentPath(name), true
		return nil
	}
	return Failed(errors.New("not part of its chain"), "%s is not read by the agent. List what is: %s ls --dir %s", file, Program, named)
}
