package scrub

import (
	"bytes"
	"net/netip"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/shape"
)

// numbered tries the patterns for a word with digits in it.
func (s *scan) numbered(start, end int) {
	b := s.text
	if start > 0 && insideWord(b, start) {
		if b[start-1] == '@' {
			s.address(start)
		}
		return
	}
	if !ascii.Digits[b[start]] {
		for _, p := range s.e.byLetter[b[start]] {
			s.tryPattern(p, start)
		}
		s.account(start)
		return
	}
	n := ascii.Run(b, start, ascii.Digits) - start
	if n < len(s.e.byLead) {
		for _, p := range s.e.byLead[n] {
			s.tryPattern(p, start)
		}
	}
	if end < len(b) && (n <= 3 && b[end] == '.' || end-start == 4 && b[end] == ':') {
		s.address(start)
	}
	s.phone(start)
}

// insideWord reports whether what comes before start belongs to the same number or
// name: "v1.2", "a-1", "1,000", "#12", "/12".
func insideWord(b []byte, start int) bool {
	switch b[start-1] {
	case '/':
		return start < 3 || b[start-2] != '/' || b[start-3] != ':'
	case '#':
		return start > 1
	case '.', '_', '@', '$', '%', '-':
		return start > 1 && ascii.Alnums[b[start-2]]
	case ',':
		return start > 1 && ascii.Digits[b[start-2]] && ascii.Run(b, start, ascii.Digits) == start+3
	}
	return false
}

// account looks for an IBAN, written in one piece or in groups.
func (s *scan) account(start int) {
	b := s.text
	if start+4 > len(b) || !ascii.Uppers[b[start]&^0x20] || !ascii.Digits[b[start+2]] || !ascii.Digits[b[start+3]] {
		return
	}
	want := shape.IBANLength[string(bytes.ToUpper(b[start:start+2]))]
	n, i := 0, start
	for i < len(b) && n < want {
		switch c := b[i]; {
		case ascii.Alnums[c]:
			n++
		case c == ' ':
		default:
			return
		}
		i++
	}
	if (i == len(b) || !ascii.Alnums[b[i]]) && shape.IBAN(b[start:i]) {
		s.detect("iban", checked, start, i)
	}
}

// tryPattern tries one pattern at a place.
func (s *scan) tryPattern(p rulePattern, start int) {
	b := s.text
	inBase64 := p.Pieces[0].Set != nil && p.Pieces[0].Set['+']
	if inBase64 && start > 0 && b[start-1] != '=' && ascii.Named["b64eq"][b[start-1]] {
		return // in the middle of a longer run
	}
	end := s.match(p, start, p.rule.Check == "token")
	if end < 0 || endsInside(b, end) || inBase64 && end < len(b) && ascii.Named["b64"][b[end]] {
		return
	}
	s.shaped(p.rule, start, end, p.rule.Score)
}

// endsInside reports whether a number continues after end: "-1", ".5".
func endsInside(b []byte, end int) bool {
	if end < len(b) && end > 0 && ascii.Letters[b[end-1]] && ascii.Digits[b[end]] {
		return true
	}
	if end+1 >= len(b) {
		return false
	}
	switch b[end] {
	case '-', '.', '/', ':', '_':
		return ascii.Alnums[b[end+1]]
	}
	return ascii.Letters[b[end]]
}

// What a telephone number looks like behind a plus, in the shapes that countries write without a word beside them, and near a word
// that announces one.
var (
	abroad   = ascii.NewExpression(`^\d{1,4}(?:[ .\-/()]{0,2}\d){6,13}`)
	national = ascii.NewExpression(`^(?:` + strings.Join([]string{
		`(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. ])[2-9]\d\d[-.]\d{4}`, `(?:1 |\()[2-9]\d\d\)? [2-9]\d\d \d{4}`, // North America
		`0[1-9]0[-. ]\d{4}[-. ]\d{4}`, `0[1-6]\d-\d{3,4}-\d{4}`, `0\d-\d{4}-\d{4}`, `0\d{3}-\d\d-\d{4}`, `0\d{4}-\d-\d{4}`,
		`0(?:120|800|570)-\d{3}-\d{3}`, `\(0\d\) ?\d{4}[- ]\d{4}`, `0\d{1,3}\(\d{2,4}\)\d{4}`, `0\d{3}-\d{3}-\d{4}`,
		`0[1789]0\d{8}`,                                                                          // Japan, Korea
		`1[3-9]\d[- ]?\d{4}[- ]?\d{4}`, `0\d{3}-\d{7,8}`, `0[12]\d-\d{8}`, `\(0\d{2,3}\) ?\d{8}`, // China
		`0[1-9](?:[ .-]\d\d){4}`, `0[17]\d{3} \d{6}`, `0\d{4} \d{3} \d{3}`, `020 \d{4} \d{4}`, `0[1789]\d\d \d{3} \d{4}`,
		`\(0\d\d\) \d{4} \d{4}`, `07\d{9}`, // France, the United Kingdom
		`0\d{2,4} ?/ ?\d{3} ?\d{3,5}`, `0\d{2,4}-\d{6,8}`, `0\d{2,3}(?: \d\d){3,4}`, `01\d\d \d{7,8}`, // Germany
		`\(\d\d\) ?\d{4,5}[- ]\d{4}`, `\d\d \d{5}-\d{4}`, `[6-9]\d{4}[- ]\d{5,6}`, // Brazil, India
		`(?:04\d\d|1[38]00|07\d\d) \d{3} \d{3}`, `0[2-7]\d \d{3} \d\d \d\d`, `06-\d{8}`, // Australia, Switzerland, the Netherlands
	}, "|") + `)`)
	announcedNumber = ascii.NewExpression(`^0?\d{2,5}\)?(?:(?: / |[ .\-/])(?:\(\d{2,5}\))?\d{2,8}){1,5}|^\d{7,12}`)
	// notNumber is near such words by chance: times, versions, amounts.
	notNumber = ascii.NewExpression(`^(?:1\d{9}|1\d{12}|\d{5}-\d{4}|\d{4}-\d{5}|[1-9]\d*/.*|\d+\.\d+|\d+(?:\.\d+)*\.\d|.*\d{4}-\d\d-\d\d|(?:19|2[01])\d\d[-./]\d\d?(?:[-./ ].*)?|\d\d?[-./]\d\d?[-./]\d{2,4})$`)
)

// phone tries the number that begins at start: with a country code, in a shape that a country writes, or any other where a word
// announces a telephone.
func (s *scan) phone(start int) {
	r, b := s.e.detector["phone"], s.text
	if r == nil || start < s.phoneEnd {
		return
	}
	from := start
	for from > 0 && (b[from-1] == '(' || b[from-1] == '+') && start-from < 2 {
		from--
	}
	rest := b[start:min(len(b), start+40)]
	if bytes.IndexByte(b[from:start], '+') >= 0 {
		if m := abroad.Get().FindIndex(rest); m != nil && !bytes.HasPrefix(rest[1:], []byte(".")) && shape.CountryCode(digitsOf(rest[:m[1]])) {
			s.telephone(r, from, start+m[1], Shaped, 0)
		}
		return
	}
	for _, from := range []int{from, start} { // with the bracket in front of it, then without
		rest := b[from:min(len(b), from+40)]
		m := national.Get().FindIndex(rest)
		if m != nil && !calledOther(b, from, rest[:m[1]]) {
			s.telephone(r, from, from+m[1], Shaped, 5)
			return
		}
	}
	m := announcedNumber.Get().FindIndex(rest)
	if m == nil {
		return
	}
	end := start + m[1]
	v := b[start:end]
	other := notNumber.Get().Match(v) || shape.IsDay(v) || endsInside(b, end) || calledOther(b, start, nil)
	if !other && s.near(r, start, end) && s.leadsTo(r, start) {
		s.telephone(r, start, end, nearby, 15)
	}
}

// telephone proposes a telephone number, if it is none of those that examples and programs have.
func (s *scan) telephone(r *rule.Rule, from, end int, by Evidence, less int) {
	b := s.text
	digits := digitsOf(b[from:end])
	switch {
	case len(digits) < 7 || len(digits) > 15, shape.IsPlaceholderNumber(digits):
		return
	case from > 0 && ascii.Alnums[b[from-1]], end < len(b) && ascii.Alnums[b[end]]:
		return
	case bytes.HasSuffix(b[:from], []byte("::")):
		return // the account in a name of AWS
	}
	s.phoneEnd = end
	s.propose(r, by, from, end, r.Score-less)
}

func digitsOf(b []byte) string {
	return string(bytes.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, b))
}

// calledOther reports a number that what comes before it calls the number of a thing; one without marks, as mobile numbers of China
// are, may be any id.
func calledOther(b []byte, from int, number []byte) bool {
	before := bytes.ToLower(b[ascii.LineStart(b, from, 28):from])
	if thingNumbers.In(before) {
		return true
	}
	if len(number) < 10 {
		return false
	}
	before = before[max(0, len(before)-20):]
	return otherNumbers.In(before) || bytes.HasSuffix(bytes.TrimRight(before, " "), []byte(`":`))
}

// thingNumbers are what numbers of things are called.
var thingNumbers = ascii.Phrases{"article number", "part number", "item number", "order number", "invoice number", "serial number",
	"customer no", "customer number", "order no", "invoice no", "part no", "article no", "serial no", "policy no", "contract no",
	"kundennummer", "kundennr", "bestellnummer", "artikelnummer", "rechnungsnummer", "numéro de commande", "número de pedido",
	"注文番号", "订单号", "주문번호"}

var otherNumbers = ascii.Phrases{"id", "no", "nr", "num", "run", "order", "ticket", "build", "ts", "time", "offset", "size", "bytes",
	"count", "total", "row", "号", "番", "号码", "번호", "单"}

// leadsTo reports whether nothing but words and a separator stands between the word that announces a telephone and the number at
// from: no other number, measure, remark or sentence. A word behind the number, or in the head of a column, leads to it too.
func (s *scan) leadsTo(r *rule.Rule, from int) bool {
	if s.column != nil {
		return true
	}
	b := s.text
	at := -1
	for _, h := range s.hitsIn(max(0, from-r.Window), from) {
		if r.InContext[h.Word] {
			at = max(at, int(h.End))
		}
	}
	if at < 0 {
		return true
	}
	between := bytes.TrimRight(b[at:from], " \t(*_`\"'")
	between = bytes.TrimSuffix(between, []byte("（"))
	return !bytes.ContainsAny(between, "0123456789<>;()[]{}")
}

var (
	address4 = ascii.NewExpression(`^\d{1,3}(?:\.\d{1,3}){3}`)
	address6 = ascii.NewExpression(`^[23][0-9a-fA-F]{3}:[0-9a-fA-F:]{3,35}[0-9a-fA-F]`)
	// rangeOrMore follow what is a longer number, the beginning of a range, or a network.
	rangeOrMore = ascii.NewExpression("^(?:[ `]*- \\d|[.-]\\w|[A-Za-z0-9]|:{0,2}/(?:\\d|[1-24-9]\\d|3[01])\\b)")
)

// reserved are for documentation, for tests (RFC 2544) and for providers' own networks (RFC 6598).
var reserved = []netip.Prefix{
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("0.0.0.0/8"),
}

// address looks for a public IP address.
func (s *scan) address(start int) {
	b, r := s.text, s.e.detector["ip-address"]
	rest := b[start:min(len(b), start+48)]
	m := address4.Get().FindIndex(rest)
	if m == nil {
		m = address6.Get().FindIndex(rest)
	}
	if m == nil || r == nil {
		return
	}
	v, before := rest[:m[1]], b[:start]
	switch {
	case rangeOrMore.Get().Match(rest[m[1]:]), bytes.HasSuffix(before, []byte("==")):
		return
	}
	a, err := netip.ParseAddr(string(v))
	if err != nil || !a.IsGlobalUnicast() || a.IsPrivate() || shape.WellKnown.Has(v) || afterVersion(b, start) {
		return
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return
		}
	}
	if a.Is6() || !shape.LowNumbers(v) || s.near(r, start, start+m[1]) {
		s.shaped(r, start, start+m[1], r.Score)
	}
}

// afterVersion reports whether a number is called a version.
func afterVersion(b []byte, start int) bool {
	return versions.In(b[ascii.LineStart(b, start, 24):start])
}

// versions are words before a number with dots that is not an address.
var versions = ascii.Phrases{"version", "ver.", "release", "build", "バージョン", "버전", "版本", "chrome/",
	"firmware", "section", "§",
	"update", "upgrade"}
