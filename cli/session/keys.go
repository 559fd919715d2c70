package session

import (
	"errors"
	"io/fs"
	"os"

	filippo "filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
)

// Opening describes how to open a store: where it is, and where its key comes from.
type Opening struct {
	Dir      string
	Create   bool   // make the directory
	creates  bool   // the command can make it, by --create
	identity string // file of --identity
}

// For is the opening of another store: its identity is for encrypted stores only.
func (o Opening) For(dir string) Opening {
	other := Opening{Dir: dir, identity: o.identity}
	if sealed, err := age.Found(dir); dir != o.Dir && (err != nil || !sealed) {
		other.identity = ""
	}
	return other
}

// OpenBackend opens the store in a directory: a plain one, or an encrypted one with the key from a flag.
func (run *Session) OpenBackend(o Opening) (memstore.Backend, error) {
	sealed, err := run.Sealed(o.Dir)
	missing := errors.Is(err, memstore.ErrNotExist)
	switch {
	case err != nil && !(missing && o.Create):
		return nil, run.openError(o, err)
	case sealed:
		return openSealed(o)
	case o.identity != "" && o.Create:
		return createSealed(o)
	case o.identity != "":
		return nil, WrongUse("The store %s is not encrypted. Drop --identity", o.Dir)
	}
	return run.OpenPlain(o.Dir, o.Create)
}

// createSealed makes an encrypted store for the first identity. It refuses a directory with plain files.
func createSealed(o Opening) (memstore.Backend, error) {
	keys, err := readIdentities(o.identity)
	if err != nil {
		return nil, err
	}
	b, err := age.Create(o.Dir, keys[0])
	switch {
	case err == nil:
		return b, nil
	case errors.Is(err, age.ErrNotEmpty):
		return nil, Failed(err, "%s has files that are not encrypted. Drop --identity, or use an empty directory", o.Dir)
	}
	return nil, OpenError(o.Dir, err, true)
}

// openSealed opens an encrypted store.
func openSealed(o Opening) (memstore.Backend, error) {
	if o.identity == "" {
		return nil, WrongUse("The store %s is encrypted. Pass --identity FILE", o.Dir)
	}
	keys, err := readIdentities(o.identity)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		var b *age.EncryptedDir
		if b, err = age.Open(o.Dir, key); err == nil {
			return b, nil
		}
		if !errors.Is(err, age.ErrKey) {
			return nil, sealedError(o.Dir, err)
		}
	}
	return nil, Failed(err, "%s doesn't open the encrypted store %s", o.identity, o.Dir)
}

// readIdentities reads the keys of an identity file.
func readIdentities(file string) ([]filippo.Identity, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, Failed(err, "Can't read the identity file %s: %s", file, Reason(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return nil, Failed(err, "Can't read the identity file %s: it is a directory", file)
	}
	keys, err := age.ReadIdentities(f)
	var read *fs.PathError
	switch {
	case errors.As(err, &read):
		return nil, Failed(err, "Can't read the identity file %s: %s", file, Reason(err))
	case err != nil:
		// The contents of the file are secret, so show none of them.
		return nil, Failed(err, "%s is not an age identity file: no line begins with AGE-SECRET-KEY-. "+
			"Decrypt it first with age -d if it is encrypted", file)
	}
	return keys, nil
}

// sealedError is the sentence for an encrypted store that can't be opened with any key.
func sealedError(dir string, err error) error {
	switch {
	case errors.Is(err, age.ErrNoStore), errors.Is(err, age.ErrDamaged):
		return Failed(err, "Can't read the header of the encrypted store %s: its file %s is damaged or from a newer version. "+
			"Restore a copy of it, or remove it if the store is not encrypted",
			dir, age.HeaderName)
	}
	return OpenError(dir, err, false)
}
