package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
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
		hasDigit := false
		for i < len(b) && ascii.Alnums[b[i]] {
			hasDigit = hasDigit || ascii.Digits[b[i]]
			i++
		}
		if hasDigit || i-start <= 2 && ascii.Uppers[b[start]] && i < len(b) && (b[i] == ' ' || b[i] == '-') { // AB 12 34 56 C
			s.numbered(start, i)
		}
		if i-start >= 20 {
			s.encoded(start, i)
		}
	}
}

// mail looks for an address round an at sign.
func (s *scan) mail(at int) {
	b := s.text
	start := ascii.RunBack(b, at, mailBytes, maxName)
	for start < at && !ascii.Alnums[b[start]] {
		start++
	}
	end := ascii.Run(b, at+1, ascii.HostBytes)
	for end > at && (b[end-1] == '.' || b[end-1] == '-') {
		end--
	}
	dot := bytes.LastIndexByte(b[at:end], '.')
	if start == at || at-start == maxName || dot < 2 || b[at-1] == '.' {
		return
	}
	if start > 0 && (b[start-1] == '@' || inURL(b, start)) || isHost(b[:start]) {
		return // bob in https://bob@host, ssh bob@host
	}
	host := bytes.ToLower(b[at+1 : end])
	if !shape.IsTopLevel(b[at+dot+1:end]) || shape.IsPlaceholderAddress(b[start:at], host) ||
		shape.IsDocumentationHost(host) || bytes.EqualFold(b[start:at], []byte("git")) {
		return
	}
	s.detect("email", Shaped, start, end)
	if m := behindAddress.Get().FindIndex(b[end:min(len(b), end+8)]); m != nil {
		at := end + m[1]
		if p := (span{at, shape.Trimmed(b, at, shape.BareEnd(b, at), true), judge.Beside, false}); bytes.IndexByte(b[at:max(at, p.end)], '/') < 0 {
			s.take(judge.Password, p)
		}
	}
}

// behindAddress leads from an address of mail to the password of a pair: bob@corp.io / value, bob@corp.io:value.
var behindAddress = ascii.NewExpression("^[`*\"']{0,2}(?: / |: ?)[`*\"']?")

// mailBytes are those of the name before the at sign of an address, userBytes those of a name that signs in.
var (
	mailBytes = ascii.NewSet("a-zA-Z0-9_.+-")
	userBytes = ascii.NewSet("a-zA-Z0-9_.@+-")
)

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
