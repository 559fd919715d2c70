package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// walk walks the text once, from one run of letters and digits to the next, and tries
// the shapes that have no word of their own: numbers, ids, addresses, encoded text.
func (s *scan) walk() {
	b := s.text
	s.phoneEnd = 0
	look := 0
	for i := 0; i < len(b); {
		if i >= look {
			if look = i + 16<<10; s.ctx.Err() != nil {
				return
			}
		}
		if !ascii.Alnums[b[i]] {
			if b[i] == '@' && !s.userAtHost(i) {
				s.mail(i)
			}
			i++
			continue
		}
		start := i
		var mixed wordKind
		for i < len(b) && wordKinds[b[i]] != 0 {
			mixed |= wordKinds[b[i]]
			i++
		}
		if mixed&hasDigit != 0 || i-start <= 2 && mixed == hasUpper && i+1 < len(b) && (b[i] == ' ' || b[i] == '-' || b[i] == '(') {
			s.numbered(start, i)
		}
		if i-start >= 20 {
			s.encoded(start, i)
		}
	}
}

// wordKind says which kinds of bytes a word has.
type wordKind uint8

const (
	hasDigit wordKind = 1 << iota
	hasUpper
	hasLower
)

var wordKinds = func() (t [256]wordKind) {
	for b := range t {
		switch {
		case ascii.Digits[b]:
			t[b] = hasDigit
		case ascii.Uppers[b]:
			t[b] = hasUpper
		case ascii.Lowers[b]:
			t[b] = hasLower
		}
	}
	return t
}()

// mail looks for an address round an at sign.
func (s *scan) mail(at int) {
	b := s.text
	start := ascii.RunBack(b, at, mailBytes, 64)
	for start < at && (b[start] == '.' || b[start] == '-' || b[start] == '+' || b[start] == '_' && at-start > 1 &&
		!bytes.Contains(b[start+1:at], []byte("_"))) {
		start++
	}
	end := ascii.Run(b, at+1, ascii.HostBytes)
	for end > at && (b[end-1] == '.' || b[end-1] == '-') {
		end--
	}
	dot := bytes.LastIndexByte(b[at:end], '.')
	if start == at || dot < 2 || b[at-1] == '.' {
		return
	}
	if start > 0 && (b[start-1] == '@' || inURL(b, start)) {
		return
	}
	isPath := end+1 < len(b) && b[end] == ':' && (ascii.Alnums[b[end+1]] || b[end+1] == '~' || b[end+1] == '/')
	if isPath || end < len(b) && b[end] == '@' || isHost(b[:start]) {
		return // git@host:path, ssh bob@host
	}
	host := bytes.ToLower(b[at+1 : end])
	if ascii.Run(host, 0, makeAddress) >= dot-1 && bytes.Count(host, []byte(".")) > 1 ||
		bytes.HasSuffix(host, []byte(".calendar.google.com")) && shape.Of(b[start:at]).Digit > 3 {
		return // a user at an address of the net, the id of a calendar
	}
	if isMessageID(b, start, at) || bytes.Equal(host, []byte("g.us")) || bytes.HasSuffix(host, []byte(".ts.net")) {
		return // no mail goes there: groups of a messenger, hosts of a private network
	}
	if !shape.IsTopLevel(b[at+dot+1:end]) || shape.IsPlaceholderAddress(b[start:at], host) ||
		shape.IsDocumentationHost(host) || bytes.EqualFold(b[start:at], []byte("git")) {
		return
	}
	s.detect("email", start, end)
}

// isMessageID reports a name before an at sign that is a message of an archive: in a URL, and no name that people have.
func isMessageID(b []byte, start, at int) bool {
	name := b[start:at]
	if len(name) < 7 || shape.Of(name).Digit < 6 && shape.Readable(name) {
		return false
	}
	from := ascii.RunBack(b, start, urlBytes, 160)
	return bytes.Contains(b[from:start], []byte("://"))
}

// mailBytes are those of the name before the at sign of an address, userBytes those of a name that signs in.
var (
	mailBytes = ascii.NewSet("a-zA-Z0-9_.+-")
	userBytes = ascii.NewSet("a-zA-Z0-9_.@+-")
)

var urlBytes = ascii.NewSet("a-zA-Z0-9:/._~%?=&+-")

// inURL reports whether what comes before start is the scheme of a URL, or that and a
// name: what comes before the at sign signs in to the host after it.
func inURL(b []byte, start int) bool {
	if b[start-1] == ':' {
		start = ascii.RunBack(b, start-1, userBytes, 64)
	}
	return start > 2 && b[start-1] == '/' && b[start-2] == '/'
}

// isHost reports whether the command before an address takes a user and a host.
func isHost(before []byte) bool {
	return remoteCommands.End(bytes.TrimRight(before, " `"))
}

var remoteCommands = ascii.Phrases{"ssh", "scp", "sftp", "mosh", "rsync", "ssh-copy-id", "sshfs"}
