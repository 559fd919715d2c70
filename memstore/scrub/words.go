package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// walk reads what no keyword leads to: numbers, ids, addresses, encoded text.
type walk struct {
	reader
	numbers   *numbers
	values    *values
	pairs     *pairs
	encodings *encodings
}

// words walks the text once, from one run of letters and digits to the next, and tries
// the shapes that have no word of their own: numbers, ids, addresses, encoded text.
func (w *walk) words() {
	b := w.text
	w.numbers.phoneEnd = 0
	look := 0
	for i := 0; i < len(b); {
		if i >= look {
			if look = i + 16<<10; w.in.ctx.Err() != nil {
				return
			}
		}
		if !ascii.Alnums[b[i]] {
			switch b[i] {
			case '@':
				if !w.pairs.userAtHost(i) {
					w.mail(i)
				}
			case '%':
				w.encodings.percent(i)
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
			w.numbers.numbered(start, i, mixed)
		}
		if i-start >= 20 {
			w.encodings.long(start, i)
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

// numbered tries the patterns for a word with digits in it.
func (d *numbers) numbered(start, end int, kind wordKind) {
	b := d.text
	if start > 0 && insideWord(b, start) {
		if b[start-1] == '@' {
			d.address(start)
			if end < len(b) && b[end] == ':' && end-start == 4 {
				d.address6(start)
			}
		}
		return
	}
	if !ascii.Digits[b[start]] {
		for _, p := range d.in.e.byLetter[b[start]] {
			d.shaped(p, start)
		}
		d.account(start)
		return
	}
	n := ascii.Run(b, start, ascii.Digits) - start
	if n < len(d.in.e.byLead) {
		for _, p := range d.in.e.byLead[n] {
			d.shaped(p, start)
		}
	}
	d.address(start)
	if end < len(b) && b[end] == ':' && end-start == 4 {
		d.address6(start)
	}
	d.phone(start)
}

// insideWord reports whether what stands before start belongs to the same number or
// name: "v1.2", "a-1", "1,000", "#12", "/12".
func insideWord(b []byte, start int) bool {
	switch b[start-1] {
	case '/':
		return start < 3 || b[start-2] != '/' || b[start-3] != ':'
	case '.', '_', '#', '@', '$', '%', '=':
		return start > 1 && (ascii.Alnums[b[start-2]] || b[start-1] == '#' || b[start-1] == '/') && b[start-1] != '='
	case '-':
		return start > 1 && ascii.Alnums[b[start-2]]
	case ',':
		return start > 1 && ascii.Digits[b[start-2]] && ascii.Run(b, start, ascii.Digits) == start+3
	}
	return false
}

// account looks for an IBAN, written in one piece or in groups.
func (d *numbers) account(start int) {
	b := d.text
	if start+4 > len(b) || !ascii.Uppers[b[start]&^0x20] || !ascii.Digits[b[start+2]] || !ascii.Digits[b[start+3]] {
		return
	}
	want := shape.IBANLength[string(bytes.ToUpper(b[start:start+2]))]
	n, i := 0, start
	for i < len(b) && n < want {
		switch c := b[i]; {
		case ascii.Alnums[c]:
			n++
		case (c == ' ' || c == '-') && i > start && ascii.Alnums[b[i-1]]:
		default:
			return
		}
		i++
	}
	if want > 0 && n == want && (i == len(b) || !ascii.Alnums[b[i]]) && shape.IBAN(b[start:i]) {
		d.found.detect("iban", start, i)
	}
}

// shaped tries one pattern at a place.
func (d *numbers) shaped(p shaped, start int) {
	if first := p.Pieces[0].Set; first != nil && first['+'] && start > 0 && ascii.Named["b64eq"][d.text[start-1]] && d.text[start-1] != '=' {
		return
	}
	end := p.Match(d.text, start, p.rule.Check == "token")
	if end < 0 || endsInside(d.text, end) || p.Pieces[0].Set != nil && p.Pieces[0].Set['+'] && end < len(d.text) &&
		ascii.Named["b64"][d.text[end]] || !d.found.accept(p.rule, start, end) || p.rule.Check == "token" && !shape.TokenLike(d.text[start:end]) {
		return
	}
	d.found.propose(p.rule, start, end, p.rule.Score)
}

// endsInside reports whether a number goes on behind end: "-1", ".5", ",000".
func endsInside(b []byte, end int) bool {
	if end+1 >= len(b) {
		return false
	}
	if b[end] == ',' { // thousands
		return ascii.Run(b, end+1, ascii.Digits) == end+4 && (end < 4 || !ascii.Digits[b[end-4]])
	}
	switch b[end] {
	case '-', '.', '/', ':', '_':
		return ascii.Digits[b[end+1]] || b[end] == '_' && ascii.Letters[b[end+1]] || (b[end] == '-' || b[end] == '.') && ascii.Letters[b[end+1]]
	}
	return ascii.Letters[b[end]]
}

// mail looks for an address round an at sign.
func (w *walk) mail(at int) {
	b := w.text
	start := ascii.RunBack(b, at, prose.MailBytes, 64)
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
	w.values.behindAddress(end)
	if end < len(b) && (b[end] == ':' && end+1 < len(b) && (ascii.Alnums[b[end+1]] || b[end+1] == '~' || b[end+1] == '/') &&
		!w.values.secretBehind(end+1) || b[end] == '@') || isHost(b[:start]) {
		return // git@host:path, ssh bob@host
	}
	host := bytes.ToLower(b[at+1 : end])
	if !shape.IsTopLevel(b[at+dot+1:end]) || shape.IsDocumentationHost(host) || bytes.EqualFold(b[start:at], []byte("git")) {
		return
	}
	w.found.detect("email", start, end)
}

// inURL reports whether what stands before start is the scheme of a URL, or that and a
// name: what stands before the at sign signs in to the host behind it.
func inURL(b []byte, start int) bool {
	if b[start-1] == ':' {
		start = ascii.RunBack(b, start-1, userBytes, 64)
	}
	return start > 2 && b[start-1] == '/' && b[start-2] == '/'
}

// isHost reports whether the command before an address takes a user and a host.
func isHost(before []byte) bool {
	before = bytes.TrimRight(before, " `")
	for _, w := range []string{"ssh", "scp", "sftp", "mosh", "rsync", "ssh-copy-id", "sshfs"} {
		if bytes.HasSuffix(before, []byte(w)) {
			return true
		}
	}
	return false
}
