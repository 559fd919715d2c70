package age

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// HeaderName is the name of the header file of a store.
const HeaderName = backend.SealedHeader

const (
	headerFormat  = "memcurator encrypted store"
	headerVersion = 1
	maxHeader     = 64 << 10 // bytes; ours have a few hundred
)

// header is the one file of a store that is not encrypted.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Mark is derived from the identity. It detects a wrong identity without revealing anything about it.
	Mark string `json:"mark"`
	// Identity is the identity encrypted with a passphrase, as an age file; empty
	// in a store opened with an identity file.
	Identity []byte `json:"identity,omitempty"`
}

func newHeader(k *keys) header {
	return header{Format: headerFormat, Version: headerVersion, Mark: k.mark}
}

func (h header) encode() ([]byte, error) {
	data, err := json.MarshalIndent(h, "", "  ")
	return append(data, '\n'), err
}

// parseHeader reads a header from arbitrary bytes.
func parseHeader(data []byte) (header, error) {
	var h header
	if err := json.Unmarshal(data, &h); err != nil || h.Format != headerFormat {
		return header{}, fmt.Errorf("%w: its header %s cannot be read", ErrNoStore, HeaderName)
	}
	if h.Version != headerVersion {
		return header{}, fmt.Errorf("%w: it has version %d, this program reads version %d", ErrNoStore, h.Version, headerVersion)
	}
	return h, nil
}

// readHeader reads the header on disk and returns it, its bytes, and the metadata of its file.
func readHeader(disk *dir.Dir) (header, []byte, backend.Info, error) {
	f, err := disk.Open(HeaderName, backend.Look)
	if errors.Is(err, backend.ErrNotExist) {
		err = fmt.Errorf("%w: it has no header %s", ErrNoStore, HeaderName)
	}
	if err != nil {
		return header{}, nil, backend.Info{}, err
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		return header{}, nil, info, err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, min(info.Size, maxHeader)))
	if err != nil {
		return header{}, nil, info, err
	}
	h, err := parseHeader(data)
	return h, data, info, err
}

// lockIdentity encrypts the identity with a passphrase and stores it in the header.
func (h *header) lockIdentity(k *keys, p Key) error {
	if p.passphrase == "" {
		return fmt.Errorf("%w: the passphrase is empty", ErrKey)
	}
	recipient, err := age.NewScryptRecipient(p.passphrase)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrKey, err)
	}
	recipient.SetWorkFactor(p.work)
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, recipient)
	if err == nil {
		_, err = io.WriteString(w, k.text+"\n")
	}
	if err == nil {
		err = w.Close()
	}
	h.Identity = sealed.Bytes()
	return err
}

// unlock returns the keys of the store with this header.
func (h header) unlock(key Key) (*keys, error) {
	id := key.identity
	if id == nil {
		var err error
		if id, err = h.unlockIdentity(key.passphrase); err != nil {
			return nil, err
		}
	}
	k, err := deriveKeys(id)
	if err != nil {
		return nil, err
	}
	if !k.marked(h.Mark) {
		return nil, fmt.Errorf("%w: the store belongs to another identity", ErrKey)
	}
	return k, nil
}

func (h header) unlockIdentity(passphrase string) (age.Identity, error) {
	switch {
	case len(h.Identity) == 0:
		return nil, fmt.Errorf("%w: the store opens with an identity file, not with a passphrase", ErrKey)
	case passphrase == "":
		return nil, fmt.Errorf("%w: the passphrase is empty", ErrKey)
	}
	lock, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	lock.SetMaxWorkFactor(maxScryptWork)
	r, err := age.Decrypt(bytes.NewReader(h.Identity), lock)
	if errors.Is(err, age.ErrIncorrectIdentity) {
		return nil, fmt.Errorf("%w: the passphrase is wrong", ErrKey)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the identity in its header: %w", ErrDamaged, err)
	}
	list, err := age.ParseIdentities(io.LimitReader(r, maxHeader))
	if err != nil {
		return nil, fmt.Errorf("%w: the identity in its header: %w", ErrDamaged, err)
	}
	return list[0], nil
}
