package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// pems reads private keys in PEM.
type pems struct {
	reader
	footEnd int // where the last line of a key begins, from the last head on
}

var privateKeys = detector{
	name: "private-key",
	rule: `
[class.private-key]
title = "private key"
severity = "critical"
rotate = "Generate a new key pair and remove the old public key from every server."

[[rule]]
id = "private-key"
class = "private-key"
detector = "private-key"
score = 100
examples = ["-----BEGIN RSA PRIVATE KEY-----\n{b64:64}\n{b64:64}\n-----END RSA PRIVATE KEY-----"]
counterexamples = ["-----BEGIN CERTIFICATE-----\n{b64:64}\n-----END CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----\n{b64:64}\n-----END PUBLIC KEY-----"]
`,
	words: func() []string { return []string{"-----begin"} },
	begin: func(s *scan) reading { return (&pems{reader: s.reader}).pem },
}

// maxPEM bounds a private key, with its line ends escaped or indented.
const maxPEM = 16 << 10

// pem takes a private key from its first line to its last.
func (r *pems) pem(start, _ int) {
	b := r.text
	head := b[start:min(len(b), start+80)]
	if i := bytes.Index(head[5:], []byte("-----")); i < 0 || !bytes.Contains(head[:i+5], []byte("PRIVATE KEY")) ||
		ascii.Run(head, 5, pemLabel) < i+5 {
		return
	}
	rest := b[start:min(len(b), start+maxPEM)]
	if r.footEnd <= start { // search for the foot once, even for several heads
		r.footEnd = len(b)
		if i := bytes.Index(b[start:], []byte("-----END")); i >= 0 {
			r.footEnd = start + i
		}
	}
	if i := r.footEnd - start; i > 0 && i+8 <= len(rest) {
		if body := bytes.IndexByte(rest[11:i], '-'); body > 0 && (len(bytes.TrimLeft(rest[11+body:i], "- \\nr\n\t\"'")) < 16 ||
			shape.IsPlaceholder(bytes.Trim(rest[11+body:i], "- \\nr\n\t\"'"))) {
			return // the frame without a key in it
		}
		if j := bytes.Index(rest[i+8:], []byte("-----")); j >= 0 && j < 64 {
			r.found.detect("private-key", start, start+i+8+j+5)
		}
	}
}

var pemLabel = ascii.NewSet("A-Za-z0-9 ")
