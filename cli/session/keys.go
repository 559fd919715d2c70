package session

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/render/text"
)

// Opening describes how to open a store: where it is, and where its key comes from.
type Opening struct {
	Dir        string
	Create     bool     // make the directory
	identities []string // files of --identity
	passphrase string
}

// Unlocked is the opening of a store with a key that the user typed into the interface: its passphrase, or the path of an identity file;
// the other one is "".
func (o Opening) Unlocked(passphrase, identity string) Opening {
	if o.passphrase = passphrase; identity != "" {
		o.identities = []string{identity}
	}
	return o
}

// Locked is the cause of the error for an encrypted store that the interface can open with a key that the user types. Passphrase: the key
// is one; else it is an identity file. Wrong: the one that was typed doesn't fit.
type Locked struct{ Passphrase, Wrong bool }

func (Locked) Error() string { return "the store is encrypted" }

// For is the opening of another store: its identities are for encrypted stores only.
func (o Opening) For(dir string) Opening {
	other := Opening{Dir: dir, identities: o.identities}
	if dir == o.Dir {
		other.passphrase = o.passphrase // it was typed for this store
	}
	if sealed, err := age.Found(dir); dir != o.Dir && (err != nil || !sealed) {
		other.identities = nil
	}
	return other
}

// identityFlag adds --identity.
func identityFlag(c *cobra.Command) {
	c.Flags().StringArray("identity", nil, "age identity `FILE` of an encrypted store; repeatable")
	if err := c.MarkFlagFilename("identity"); err != nil {
		panic(err) // a bug: the flag is not defined
	}
}

// OpenBackend opens the store in a directory: a plain one, or an encrypted one with the key from a flag or a passphrase that the user
// types.
func (run *Session) OpenBackend(o Opening) (memstore.Backend, error) {
	if run.State().holds(o.Dir) {
		return nil, Failed(nil, "%s holds journals of stores, not notes. %s stores lists the stores", o.Dir, Program)
	}
	sealed, err := run.Locator().Sealed(o.Dir)
	missing := errors.Is(err, memstore.ErrNotExist)
	switch {
	case err != nil && !(missing && o.Create):
		return nil, run.State().openError(o.Dir, err, o.Create)
	case sealed:
		return run.openSealed(o)
	case len(o.identities) > 0 && o.Create:
		return createSealed(o)
	case len(o.identities) > 0 && run.each == nil:
		return nil, WrongUse("The store %s is not encrypted. Drop --identity", o.Dir)
	}
	return run.Locator().OpenPlain(o.Dir, o.Create)
}

// createSealed makes an encrypted store for the first identity. It refuses a directory with plain files.
func createSealed(o Opening) (memstore.Backend, error) {
	keys, err := identities(o.identities)
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
func (run *Session) openSealed(o Opening) (memstore.Backend, error) {
	byPassphrase, err := age.WantsPassphrase(o.Dir)
	if err != nil {
		return nil, sealedError(o.Dir, err)
	}
	switch {
	case run.beside && run.each == nil:
		return openUnlocked(o, byPassphrase)
	case len(o.identities) > 0:
		return openByIdentity(o)
	case run.each != nil:
		return nil, Failed(nil, "The store is encrypted. Pass --identity FILE")
	case !byPassphrase:
		return nil, WrongUse("The store %s is encrypted. Pass --identity FILE", o.Dir)
	case run.Env.Passphrase == nil:
		return nil, WrongUse("Not a terminal to ask for the passphrase of %s. Pass --identity FILE", o.Dir)
	}
	return run.openByPassphrase(o.Dir)
}

// openUnlocked opens an encrypted store with a key that is known. Without one the error is [Locked].
func openUnlocked(o Opening, byPassphrase bool) (memstore.Backend, error) {
	if o.passphrase == "" && len(o.identities) == 0 {
		if byPassphrase {
			return nil, Failed(Locked{Passphrase: true}, "The store %s needs its passphrase", o.Dir)
		}
		return nil, Failed(Locked{}, "The store %s needs its identity file", o.Dir)
	}
	if o.passphrase == "" {
		b, err := openByIdentity(o)
		if err != nil {
			err = Failed(errors.Join(Locked{Passphrase: byPassphrase, Wrong: true}, err), "%s", err)
		}
		return b, err
	}
	b, err := age.Open(o.Dir, age.Passphrase(o.passphrase))
	switch {
	case errors.Is(err, age.ErrKey):
		return nil, Failed(Locked{Passphrase: true, Wrong: true}, "Wrong passphrase, so the store %s stays closed", o.Dir)
	case err != nil:
		return nil, sealedError(o.Dir, err)
	}
	return b, nil
}

func openByIdentity(o Opening) (memstore.Backend, error) {
	keys, err := identities(o.identities)
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
	whose := "The identity in " + o.identities[0] + " doesn't open"
	if len(keys) > 1 {
		whose = "None of the identities opens"
	}
	return nil, Failed(err, "%s the encrypted store %s", whose, o.Dir)
}

// passphraseTries is how many attempts the user has at the passphrase.
const passphraseTries = 3

func (run *Session) openByPassphrase(dir string) (memstore.Backend, error) {
	for try := 1; ; try++ {
		typed, err := run.Env.Passphrase(text.Clean("Passphrase for " + dir + ": "))
		if err != nil || typed == "" {
			return nil, Failed(err, "No passphrase, so the store %s stays closed", dir)
		}
		b, err := age.Open(dir, age.Passphrase(typed))
		switch {
		case err == nil:
			return b, nil
		case !errors.Is(err, age.ErrKey):
			return nil, sealedError(dir, err)
		case try == passphraseTries:
			return nil, Failed(err, "Wrong passphrase, so the store %s stays closed", dir)
		}
		run.Say("Wrong passphrase. Try again, or press enter to stop")
	}
}

// identities reads the keys in identity files.
func identities(files []string) ([]age.Key, error) {
	var all []age.Key
	for _, file := range files {
		keys, err := readIdentities(file)
		if err != nil {
			return nil, err
		}
		all = append(all, keys...)
	}
	return all, nil
}

func readIdentities(file string) ([]age.Key, error) {
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
