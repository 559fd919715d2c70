package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
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

// mayBegin reports whether a match can begin with c.
func (p *pattern) mayBegin(c byte) bool {
	first := p.pieces[0]
	if first.set != nil {
		return first.set[c]
	}
	return first.optional || first.literal[0] == c
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
	if first := p.pieces[0].set; first != nil && first['+'] && start > 0 && ascii.Named["b64eq"][d.text[start-1]] && d.text[start-1] != '=' {
		return
	}
	end := p.match(d.text, start, p.rule.check == "token")
	if end < 0 || endsInside(d.text, end) || p.pieces[0].set != nil && p.pieces[0].set['+'] && end < len(d.text) &&
		ascii.Named["b64"][d.text[end]] || !d.found.accept(p.rule, start, end) || p.rule.check == "token" && !shape.TokenLike(d.text[start:end]) {
		return
	}
	d.found.propose(p.rule, start, end, p.rule.score)
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
	w.values.behindAddress(end)
	if end < len(b) && (b[end] == ':' && end+1 < len(b) && (ascii.Alnums[b[end+1]] || b[end+1] == '~' || b[end+1] == '/') &&
		!w.values.secretBehind(end+1) || b[end] == '@') || isHost(b[:start]) {
		return // git@host:path, ssh bob@host
	}
	host := bytes.ToLower(b[at+1 : end])
	if !topLevel(b[at+dot+1:end]) || documentationHost(host) || bytes.EqualFold(b[start:at], []byte("git")) {
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

// documentationHost recognises the domains that are kept for examples.
func documentationHost(host []byte) bool {
	for _, d := range []string{"example.com", "example.org", "example.net", "example.edu", ".example", ".test", ".invalid", ".localhost",
		".local", "users.noreply.github.com", "domain.com", "noreply.com"} {
		if string(host) == d || bytes.HasSuffix(host, []byte("."+d)) || d[0] == '.' && bytes.HasSuffix(host, []byte(d)) {
			return true
		}
	}
	return bytes.HasPrefix(host, []byte("example."))
}

// topLevel reports whether a domain may end so. Two letters are a country; of the
// longer ones those in use for mail.
func topLevel(b []byte) bool {
	if len(b) < 2 || ascii.Run(b, 0, ascii.Letters) != len(b) {
		return false
	}
	if len(b) == 2 {
		return !notCountry.Has(b)
	}
	return topLevels.Has(b)
}

// notCountry are endings of file names that no country has.
var notCountry = ascii.NewWords(`js ts go rs cc hh gz xz`)

var topLevels = ascii.NewWords(`com org net edu gov mil int info biz name pro aero coop museum mobi jobs travel tel asia cat post xxx
 app dev page cloud tech
 online site store shop blog email mail company agency studio design media digital systems solutions services group team work works
 world life live
 space zone global network news today center academy school university health care clinic legal law finance bank money capital ventures
 fund insure
 consulting engineering software computer technology tools host hosting website web wiki social community chat family house homes city
 tokyo london
 berlin paris amsterdam nyc moscow swiss wien bayern koeln hamburg ruhr brussels scot wales eus gal quebec africa lat kiwi xyz top club
 vip icu fun
 internal corp intranet lan home private photography builders construction contractors dental doctor lawyer attorney consulting coffee
 kitchen catering clothing shoes jewelry boutique market marketing
 promo press report review reviews wiki guru expert training courses education institute foundation charity church community camp events
 party wedding dance theater tickets toys baby kids pet vet care hospital surgery
 dentist rentals realty properties estate land farm garden flowers gift gifts deals discount sale cheap direct express supply supplies
 parts equipment tools industries international holdings enterprises exchange trading trade
 loans credit tax accountants associates codes hosting domains dot link click download network zone ninja rocks cool wtf lol sexy adult
 cafe vodka wine pub bike car cars motorcycles boats yachts flights cruises holiday
 vacations villas viajes voyage immo immobilien versicherung reise haus gmbh kaufen jetzt schule singles moe tokyo osaka kyoto nagoya
 yokohama okinawa seoul kr jp cn taipei hk sydney melbourne vegas miami boston
 nrw saarland sarl srl bzh corsica barcelona madrid istanbul moda moscow swiss bayern
 one ltd llc gmbh inc limited partners earth green energy eco bio science games game art band film photo photos gallery fashion style
 fit run bike
 auto cars taxi travel tours hotel restaurant pizza cafe bar beer wine`)
