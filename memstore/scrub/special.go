package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// special marks words of the trie that code of ours waits for.
type special uint8

const (
	specialNone special = iota
	specialPEM
	specialURL
	specialTable
	specialCommand
	specialPiped
	specialWifi
	specialPgpass
	specialFlags
	specialCall
	specialKeyed
	specialJWK
	specialInsert
)

var specialWords = func() map[string]special {
	m := map[string]special{
		"-----begin": specialPEM, "://": specialURL, "|--": specialTable, "| --": specialTable, "|:-": specialTable, "| :-": specialTable,
		"| sudo -s": specialPiped, "--password-stdin": specialPiped, "| chpasswd": specialPiped, "| sudo chpasswd": specialPiped, "| kinit": specialPiped, "| passwd": specialPiped, "| sudo passwd": specialPiped,
		"| sudo cryptsetup": specialPiped, "| cryptsetup": specialPiped, "--with-token": specialPiped, "| openconnect": specialPiped, "| su -": specialPiped, "| smbpasswd": specialPiped,
		"wifi:": specialWifi, ":5432:": specialPgpass, " -p ": specialFlags,
		"insert into": specialInsert, `"kty"`: specialJWK,
	}
	for name := range commands {
		m[name] = specialCommand
	}
	for name := range calls {
		m[name+"("] = specialCall
	}
	for _, call := range keyedCalls {
		m[call] = specialKeyed
	}
	return m
}()

func (s *scan) special(kind special, start, end int) {
	switch kind {
	case specialPEM:
		s.pem(start)
	case specialURL:
		s.userinfo(start, end)
	case specialTable:
		s.table(start)
	case specialCommand:
		s.command(start, end)
	case specialPiped:
		s.piped(start)
	case specialWifi:
		s.wifi(end)
	case specialPgpass:
		s.pgpass(end)
	case specialKeyed:
		s.keyed(start, end)
	case specialJWK:
		s.jwk(end)
	case specialInsert:
		s.insert(end)
	case specialFlags:
		s.signInFlags(start, end)
	case specialCall:
		s.call(start, end)
	}
}

// maxPEM bounds a private key, with its line ends escaped or indented.
const maxPEM = 16 << 10

// pem takes a private key from its first line to its last, or as far as it goes where
// the end was cut off.
func (s *scan) pem(start int) {
	b := s.text
	head := b[start:min(len(b), start+80)]
	if i := bytes.Index(head[5:], []byte("-----")); i < 0 || !bytes.Contains(head[:i+5], []byte("PRIVATE KEY")) || ascii.Run(head, 5, pemLabel) < i+5 {
		return
	}
	rest := b[start:min(len(b), start+maxPEM)]
	if s.footEnd <= start { // of several heads the foot is sought once
		s.footEnd = len(b)
		if i := bytes.Index(b[start:], []byte("-----END")); i >= 0 {
			s.footEnd = start + i
		}
	}
	if i := s.footEnd - start; i > 0 && i+8 <= len(rest) {
		if body := bytes.IndexByte(rest[11:i], '-'); body > 0 && len(bytes.TrimLeft(rest[11+body:i], "- \\nr\n\t\"'")) < 16 {
			return // the frame without a key in it
		}
		if j := bytes.Index(rest[i+8:], []byte("-----")); j >= 0 && j < 64 {
			s.detect("private-key", start, start+i+8+j+5)
			return
		}
	}
	end := start + 5 + bytes.Index(head[5:], []byte("-----")) + 5
	for {
		next := ascii.Run(b, end, pemGap)
		if next+1 < len(b) && b[next] == '\\' && (b[next+1] == 'n' || b[next+1] == 'r') {
			end = next + 2
			continue
		}
		stop := ascii.Run(b, next, ascii.Named["b64eq"])
		if stop-next < 16 {
			break
		}
		end = stop
	}
	s.detect("private-key", start, end)
}

var pemLabel = ascii.NewSet("A-Za-z0-9 ")

var pemGap = ascii.NewSet(" \t\r\n>|\"',+")

// userinfo looks for name and password in front of a host: scheme://name:password@host.
func (s *scan) userinfo(start, at int) {
	b := s.text
	if start == 0 || !schemeBytes[b[start-1]] {
		return
	}
	limit := min(len(b), at+512)
	colon := -1
	last := -1
	for i := at; i < limit; i++ {
		c := b[i]
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c >= 0x80 && shape.Latin(b[i:]) == 0 {
			break
		}
		if c == '/' && (last > 0 || colon < 0) || c == '?' && last > 0 {
			break
		}
		if c == ':' && colon < 0 {
			colon = i
		}
		if c == '@' {
			last = i
		}
	}
	if last < 0 {
		return
	}
	from := at
	if colon > 0 && colon < last {
		from = colon + 1
	} else if last-at < 16 {
		return // a name without a password
	}
	if last > from+2 && !shape.IsDummy(b[from:last]) && !plainPlaceholder(b[from:last]) {
		s.detect("url-credentials", from, last)
	}
}

var schemeBytes = ascii.NewSet("a-zA-Z0-9+.-")

// plainPlaceholder recognises the words that documentation puts in a URL.
func plainPlaceholder(v []byte) bool {
	switch string(bytes.ToLower(v)) {
	case "password", "pass", "passwd", "pwd", "secret", "token", "user", "username", "x", "xxx", "pw", "mypassword", "your_password":
		return true
	}
	return false
}
