package age

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"hash"
	"strings"
	"sync"
)

const (
	// maxName is the longest name of a file or directory, in bytes. Encrypted it
	// has 235 characters, which fits the 255 of a file system.
	maxName = 160

	nameTag   = 16 // bytes of the tag before an encrypted name
	nameBlock = 16 // names are padded to a multiple of this, to blur their lengths
)

// nameEncoding has no dot, so an encrypted name never looks like a temporary file or the header. It is case-sensitive, which is harmless
// on a file system that ignores case: tags that differ only in case don't occur in practice.
var nameEncoding = base64.RawURLEncoding.Strict()

var errName = errors.New("not the name of an entry of this store")

// nameCipher encrypts one name at a time, always to the same text, so that a
// name can be found without a list of names. It is the SIV construction: the
// tag is a keyed hash of the name and the initial counter of the stream that
// encrypts it. So a changed name is detected, and only equality of names is
// visible.
type nameCipher struct {
	hashes *sync.Pool // keyed hash.Hash values: making one costs more than using it
	block  cipher.Block
}

func newNameCipher(tagKey, streamKey []byte) (nameCipher, error) {
	block, err := aes.NewCipher(streamKey)
	hashes := &sync.Pool{New: func() any { return hmac.New(sha256.New, tagKey) }}
	return nameCipher{hashes: hashes, block: block}, err
}

// tag hashes a padded name.
func (c nameCipher) tag(filled []byte) (tag [nameTag]byte) {
	h := c.hashes.Get().(hash.Hash)
	h.Reset()
	h.Write(filled)
	var sum [sha256.Size]byte
	copy(tag[:], h.Sum(sum[:0]))
	c.hashes.Put(h)
	return tag
}

// seal encrypts a name that validName accepts.
func (c nameCipher) seal(name string) string {
	size := (len(name) + nameBlock - 1) / nameBlock * nameBlock
	out := make([]byte, nameTag+size)
	body := out[nameTag:]
	copy(body, name)
	tag := c.tag(body)
	copy(out, tag[:])
	cipher.NewCTR(c.block, out[:nameTag]).XORKeyStream(body, body)
	return nameEncoding.EncodeToString(out)
}

// open decrypts a name on disk. It accepts any text, and returns errName for
// names that seal didn't make with the same key.
func (c nameCipher) open(disk string) (string, error) {
	// The decoder skips newlines, which would let one name have several forms.
	if len(disk) > nameEncoding.EncodedLen(nameTag+maxName) || strings.ContainsAny(disk, "\r\n") {
		return "", errName
	}
	raw, err := nameEncoding.DecodeString(disk)
	if err != nil || len(raw) < nameTag+nameBlock || len(raw)%nameBlock != 0 {
		return "", errName
	}
	tag, body := raw[:nameTag], raw[nameTag:]
	cipher.NewCTR(c.block, tag).XORKeyStream(body, body)
	if want := c.tag(body); !hmac.Equal(tag, want[:]) {
		return "", errName
	}
	name := string(bytes.TrimRight(body, "\x00"))
	if !validName(name) || len(body)-len(name) >= nameBlock {
		return "", errName
	}
	return name, nil
}

// validName reports whether a segment can be the name of an entry, apart from its length. A name with a NUL is invalid on every file
// system, and couldn't be separated from the padding.
func validName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}
