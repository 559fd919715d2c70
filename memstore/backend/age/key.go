package age

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
)

// ReadIdentities returns all identities in an identity file as age-keygen writes it; it must have at least one.
func ReadIdentities(r io.Reader) ([]age.Identity, error) {
	list, err := age.ParseIdentities(io.LimitReader(r, maxIdentities))
	if err != nil {
		// The cause quotes line numbers, but nothing else of the file.
		return nil, fmt.Errorf("%w: no identity file: %w", ErrKey, err)
	}
	return list, nil
}

// maxIdentities is the maximum size of an identity file, in bytes.
const maxIdentities = 1 << 20

// keys is everything that is derived from one identity. It is immutable.
type keys struct {
	identity  age.Identity
	recipient age.Recipient
	names     nameCipher
	mark      string // identifies, in the header, the identity of a store
	overhead  int64  // bytes of a sealed file before its first chunk
}

// deriveKeys derives everything from id.
func deriveKeys(id age.Identity) (*keys, error) {
	k := &keys{identity: id}
	var text string
	switch id := id.(type) {
	case *age.X25519Identity:
		text, k.recipient = id.String(), id.Recipient()
	case *age.HybridIdentity:
		text, k.recipient = id.String(), id.Recipient()
	default:
		return nil, fmt.Errorf("%w: needs an X25519 or a hybrid identity, not %T", ErrKey, id)
	}
	secret := func(purpose string) ([]byte, error) {
		return hkdf.Key(sha256.New, []byte(text), nil, "memcurator agestore 1 "+purpose, sha256.Size)
	}
	tag, err1 := secret("name tag")
	stream, err2 := secret("name stream")
	mark, err3 := secret("mark")
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	var err error
	if k.names, err = newNameCipher(tag, stream); err != nil {
		return nil, err
	}
	k.mark = hex.EncodeToString(mark)
	empty, err := k.seal(nil)
	if err != nil {
		return nil, err
	}
	k.overhead = int64(len(empty)) - chunkTag
	return k, nil
}

// marked reports whether the mark of a header belongs to this identity.
func (k *keys) marked(mark string) bool { return hmac.Equal([]byte(mark), []byte(k.mark)) }

// seal encrypts the bytes of a file.
func (k *keys) seal(data []byte) ([]byte, error) {
	chunks := int64(len(data))/chunkSize + 1
	buf := bytes.NewBuffer(make([]byte, 0, max(k.overhead, 256)+int64(len(data))+chunks*chunkTag))
	w, err := age.Encrypt(buf, k.recipient)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// The payload of an age file is split into chunks, each followed by a tag. The last one may be short, but is only empty if it is the only
// one.
const (
	chunkSize = 64 << 10
	chunkTag  = 16
)

// plainSize computes the size of a text from that of its encrypted file. It
// returns 0 for an impossible size: such a file doesn't open.
func (k *keys) plainSize(sealed int64) int64 {
	payload := sealed - k.overhead
	if payload < chunkTag {
		return 0
	}
	chunks := (payload + chunkSize + chunkTag - 1) / (chunkSize + chunkTag)
	size := payload - chunks*chunkTag
	if size > 0 && (size+chunkSize-1)/chunkSize != chunks || size < 0 {
		return 0
	}
	return size
}
