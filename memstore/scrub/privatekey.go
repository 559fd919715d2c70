package scrub

import (
	"bytes"
)

// maxPEM bounds a private key, with its line ends escaped or indented.
const maxPEM = 16 << 10

// pem takes a private key from its first line to its last.
func (s *scan) pem(start int) {
	b := s.text
	head := b[start:min(len(b), start+80)]
	if i := bytes.Index(head[5:], []byte("-----")); i < 0 || !bytes.Contains(head[:i+5], []byte("PRIVATE KEY")) {
		return
	}
	rest := b[start:min(len(b), start+maxPEM)]
	if s.pemFoot <= start { // search for the foot once, even for several heads
		s.pemFoot = len(b)
		if i := bytes.Index(b[start:], []byte("-----END")); i >= 0 {
			s.pemFoot = start + i
		}
	}
	if i := s.pemFoot - start; i > 0 && i+8 <= len(rest) {
		if body := bytes.IndexByte(rest[11:i], '-'); body > 0 && len(bytes.TrimLeft(rest[11+body:i], "- \\nr\n\t\"'")) < 16 {
			return // the frame without a key in it
		}
		if j := bytes.Index(rest[i+8:], []byte("-----")); j >= 0 && j < 64 {
			s.detect("private-key", Shaped, start, start+i+8+j+5)
		}
	}
}
