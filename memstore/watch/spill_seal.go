package watch

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"io"
)

// seal encrypts the copies with a key that only this process has and never writes down: of an
// encrypted store, too, nothing readable comes to lie on the disk, nor is left there when the
// process ends. Nothing is authenticated: nobody else has the file, which has no name.
type seal struct{ block cipher.Block }

func newSeal() seal {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails, by its contract
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // 32 bytes are a key
	}
	return seal{block}
}

// stream is what hides a content from the byte off on. number is used for one content only.
func (s seal) stream(number uint64, off int64) cipher.Stream {
	var iv [aes.BlockSize]byte
	binary.BigEndian.PutUint64(iv[:8], number)
	binary.BigEndian.PutUint64(iv[8:], uint64(off/aes.BlockSize))
	stream := cipher.NewCTR(s.block, iv[:])
	var skip [aes.BlockSize]byte
	stream.XORKeyStream(skip[:off%aes.BlockSize], skip[:off%aes.BlockSize])
	return stream
}

// sealAtOnce is how much is encrypted before it is written, in bytes.
const sealAtOnce = 256 << 10

// writeAt writes data hidden.
func (s seal) writeAt(w io.WriterAt, number uint64, data []byte, at int64) error {
	stream := s.stream(number, 0)
	buf := make([]byte, min(len(data), sealAtOnce))
	for len(data) > 0 {
		n := min(len(data), len(buf))
		stream.XORKeyStream(buf[:n], data[:n])
		if _, err := w.WriteAt(buf[:n], at); err != nil {
			return err
		}
		data, at = data[n:], at+int64(n)
	}
	return nil
}
