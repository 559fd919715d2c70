package scrub

import (
	"bytes"
	"strconv"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/shape"
)

// numbers recognises what is made of digits: by the patterns of rules, telephones, addresses, accounts.
type numbers struct {
	reader
	phoneEnd int // of the last telephone number; each walk over words and each cell begins at 0 again
}

// numbered tries the patterns for a word with digits in it.
func (d *numbers) numbered(start, end int) {
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

// insideWord reports whether what comes before start belongs to the same number or
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
		case (c == ' ' || c == '-' || c == '\n') && i > start && ascii.Alnums[b[i-1]]:
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
	if end > 0 && p.rule.Class == "credit-card" && keyOfID(d.text, start) {
		return
	}
	if end < 0 || endsInside(d.text, end) || p.Pieces[0].Set != nil && p.Pieces[0].Set['+'] && end < len(d.text) &&
		ascii.Named["b64"][d.text[end]] || !d.found.accept(p.rule, start, end) || p.rule.Check == "token" && !shape.TokenLike(d.text[start:end]) {
		return
	}
	d.found.shaped(p.rule, start, end, p.rule.Score)
}

// keyOfID reports a number whose key calls it an id: "spanId": "...".
func keyOfID(b []byte, start int) bool {
	before := bytes.TrimRight(b[max(0, start-8):start], "\"' :=")
	return len(before) > 1 && len(before) < min(8, start) && (bytes.HasSuffix(before, []byte("Id")) || bytes.HasSuffix(before, []byte("ID")) ||
		bytes.HasSuffix(before, []byte("_id")))
}

// endsInside reports whether a number continues after end: "-1", ".5", ",000".
func endsInside(b []byte, end int) bool {
	if end < len(b) && end > 0 && ascii.Letters[b[end-1]] && ascii.Digits[b[end]] {
		return true
	}
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

// phone tries the number that begins at start: with a country code, in a shape that a
// country writes, or any other where a word announces a telephone.
func (d *numbers) phone(start int) {
	r := d.in.e.detector["phone"]
	b := d.text
	if r == nil || start < d.phoneEnd || !shape.SevenDigits(b, start) {
		return
	}
	from := start
	if from > 0 && b[from-1] == '(' {
		from--
	}
	for _, plus := range []string{"+", "(+", "+("} {
		if from >= len(plus) && string(b[from-len(plus):from]) == plus {
			from -= len(plus)
			break
		}
	}
	for to := len(b); ; {
		n := shape.ReadNumber(b[:to], from)
		if n.Count < 7 {
			return
		}
		if score, by := d.judgePhone(r, from, n); score > 0 {
			d.phoneEnd = n.End
			if b[from] == '(' && bytes.IndexByte(b[from:n.End], ')') < 0 {
				from++
			}
			d.found.propose(r, by, from, n.End, score)
			return
		}
		if b[from] == '(' && from < start { // brackets round the whole number
			from, to = start, len(b)
			continue
		}
		// Another number may follow a space.
		space := bytes.LastIndexByte(b[from:n.End], ' ')
		if space < 0 {
			return
		}
		to = from + space
	}
}

// judgePhone is the score of a number that begins at from, 0 if it is not a telephone number, and what speaks for it.
func (d *numbers) judgePhone(r *rule.Rule, from int, n shape.Number) (int, Evidence) {
	b := d.text
	if n.Count > 15 || n.Count == 13 && (n.Digits[:3] == "978" || n.Digits[:3] == "979") { // ISBN
		return 0, 0
	}
	plus := bytes.IndexByte(b[from:min(from+2, n.End)], '+') >= 0
	if from > 0 && !plus && (b[from-1] == '+' || b[from-1] == '*' && n.End < len(b) &&
		(b[n.End] == '#' || b[n.End] == '*' && n.End+1 < len(b) && ascii.Digits[b[n.End+1]])) {
		return 0, 0 // a code that is dialled: *100#
	}
	if bytes.HasSuffix(b[:from], []byte("〒")) || bytes.HasSuffix(b[:from], []byte("::")) {
		return 0, 0 // a postal code, the account in a name of AWS
	}
	if from > 0 && (b[from-1] == '$' || b[from-1] == '#' || ascii.Alnums[b[from-1]] || plus && b[from-1] == '/') ||
		shape.IsPlaceholderNumber(n.Digits) {
		return 0, 0
	}
	if i := strings.Index(n.Groups, "d4-d2-d2"); i >= 0 && shape.IsDate(b[max(from, n.End-10):n.End]) {
		return 0, 0 // a date at its end
	}
	if plus && from > 2 && (b[from-1] == ':' && ascii.HasFold(b[from-3:], "id") || b[from-1] == '=') && !d.found.near(r, from, n.End) ||
		plus && strings.Contains(n.Groups, " - ") && strings.Contains(n.Groups, ".") {
		return 0, 0 // of a query, of a formula
	}
	switch {
	case plus && strings.HasPrefix(strings.TrimPrefix(n.Groups, "+"), "d1.") && n.Digits[0] != '1' && n.Digits[0] != '7':
		return 0, 0 // a number with a point
	case plus && n.Count >= 8 && shape.CountryCode(n.Digits) && !n.Round():
		return r.Score, Shaped
	case endsInside(b, n.End):
		return 0, 0
	case inDump(b, from, n):
		return 0, 0
	case shape.NationalShape(n.Groups, n.Digits) && (n.Groups != "db" || !calledOther(b, from)) && !numberOf(b, from):
		return r.Score - 5, Shaped
	case n.Groups == "db" && n.Digits[0] == '1' && n.Digits[1] >= '3' && !n.Round() && !calledOther(b, from) &&
		(!isNumberOfKey(b, from) || d.found.near(r, from, n.End)):
		return r.Score - 10, Shaped
	case d.found.near(r, from, n.End) && !shape.IsDate(bytes.Trim(b[from:n.End], "()")) && n.Plausible() &&
		(from == 0 || b[from-1] != '=' || from > 1 && b[from-2] == ' ') && !keyOfID(b, from) &&
		!numberOf(b, from) && d.leadsTo(r, from):
		return r.Score - 15, nearby
	}
	return 0, 0
}

// numberOf reports a number that what comes before it calls the number of a thing.
func numberOf(b []byte, from int) bool {
	return thingNumbers.In(b[ascii.LineStart(b, from, 28):from])
}

// thingNumbers are what numbers of things are called.
var thingNumbers = ascii.NewPhrases("article number", "part number", "item number", "order number", "invoice number", "serial number",
	"customer no", "customer number", "order no", "invoice no", "part no", "article no", "serial no", "policy no", "contract no",
	"kundennummer", "kundennr", "bestellnummer", "artikelnummer", "rechnungsnummer", "numéro de commande", "número de pedido",
	"注文番号", "订单号", "주문번호")

// isNumberOfKey reports a number without quotes that is the value of a key in JSON.
func isNumberOfKey(b []byte, from int) bool {
	before := bytes.TrimRight(b[max(0, from-8):from], " ")
	return bytes.HasSuffix(before, []byte(`":`))
}

// calledOther reports whether a number is called an id or the number of something that is not a
// telephone: mobile numbers of China have eleven digits and no mark between.
func calledOther(b []byte, from int) bool {
	before := bytes.ToLower(b[ascii.LineStart(b, from, 20):from])
	if n := len(before); n > 1 && before[n-1] == ' ' && ascii.Digits[before[n-2]] {
		return true // one of several numbers
	}
	return otherNumbers.In(before) && !phoneNumbers.In(before)
}

var phoneNumbers = ascii.NewLiterals("手机号", "电话号", "電話番号")

var otherNumbers = ascii.NewLiterals("id", "no", "nr", "num", "run", "order", "ticket", "build", "ts", "time", "offset", "size", "bytes",
	"count", "total", "row", "号", "番", "号码", "번호", "单")

// inDump reports pairs of digits among other pairs of hexadecimal digits: bytes, as programs print them.
func inDump(b []byte, from int, n shape.Number) bool {
	pair := func(at int) bool {
		return at >= 0 && at+2 <= len(b) && ascii.Hexes[b[at]] && ascii.Hexes[b[at+1]] && (at == 0 || !ascii.Alnums[b[at-1]]) &&
			(at+2 == len(b) || !ascii.Alnums[b[at+2]])
	}
	if n.Count%2 != 0 || n.Groups != strings.Repeat("d2 ", n.Count/2-1)+"d2" {
		return false
	}
	before := ascii.RunBack(b, from, ascii.Blanks, 3)
	return before < from && pair(before-2) || n.End < len(b) && b[n.End] == ' ' && pair(ascii.Run(b, n.End, ascii.Blanks))
}

// leadsTo reports whether nothing but words and a separator stands between the word that announces a telephone and the number at
// from: no other number, measure, remark or sentence. A word behind the number, or in the head of a column, leads to it too.
func (d *numbers) leadsTo(r *rule.Rule, from int) bool {
	if d.found.column != nil {
		return true
	}
	b := d.text
	at := -1
	for _, h := range d.in.hitsIn(max(0, from-r.Window), from) {
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

// maxAddress bounds an IP address, in bytes.
const maxAddress = 64

// address looks for an IP address.
func (d *numbers) address(start int) {
	b := d.text
	end := ascii.Run(b[:min(len(b), start+maxAddress)], start, makeAddress)
	for end > start && b[end-1] == '.' {
		end--
	}
	if bytes.Count(b[start:end], []byte(".")) != 3 || start > 0 && (b[start-1] == 'v' || b[start-1] == '.' || b[start-1] == '-' ||
		start > 1 && b[start-1] == '=' && b[start-2] == '=') {
		return
	}
	if bits := ascii.Run(b, min(end+1, len(b)), ascii.Digits); end < len(b) && b[end] == '/' && bits > end+1 && bits < end+4 {
		if n, _ := strconv.Atoi(string(b[end+1 : bits])); shape.IsPrefixOfNetwork(b[start:end], n) {
			return
		}
	}
	if !shape.IsPublicAddress(b[start:end]) || ofRange(b, start, end) || endsInside(b, end) && b[end] != ':' && b[end] != '/' ||
		afterVersion(d.text, start) {
		return
	}
	if r := d.in.e.detector["ip-address"]; r != nil && (!shape.LowNumbers(b[start:end]) || d.found.near(r, start, end)) {
		d.found.shaped(r, start, end, r.Score)
	}
}

// ofRange reports the first or last address of a block, as registries write it: 63.64.0.0 - 63.127.255.255.
func ofRange(b []byte, start, end int) bool {
	return bytes.HasSuffix(b[start:end], []byte(".0")) && bytes.HasPrefix(bytes.TrimLeft(b[end:min(len(b), end+8)], " `"), []byte("- ")) ||
		bytes.HasSuffix(b[start:end], []byte(".255")) && bytes.HasSuffix(bytes.TrimRight(b[max(0, start-8):start], " `"), []byte(" -"))
}

var makeAddress = ascii.NewSet("0-9.")

// address6 looks for a public IPv6 address at a run of hex digits.
func (d *numbers) address6(start int) {
	b := d.text
	end := ascii.Run(b[:min(len(b), start+maxAddress)], start, sixBytes)
	for end > start && b[end-1] == ':' && !bytes.HasSuffix(b[start:end], []byte("::")) {
		end--
	}
	v := b[start:end]
	if end-start < 8 || start > 1 && (b[start-1] == ':' && sixBytes[b[start-2]] || ascii.Alnums[b[start-1]]) || end < len(b) &&
		(ascii.Alnums[b[end]] || b[end] == '.' && !shape.LastBefore(b, end+1)) {
		return
	}
	groups, empty := 0, bytes.Count(v, []byte("::"))
	for _, g := range bytes.Split(v, []byte(":")) {
		if len(g) > 4 {
			return
		}
		if len(g) > 0 {
			groups++
		}
	}
	first := bytes.ToLower(v[:4])
	if empty > 1 || empty == 0 && groups != 8 || groups < 3 || groups > 8 || first[0] != '2' && first[0] != '3' ||
		bytes.HasPrefix(bytes.ToLower(v), []byte("2001:db8")) || bytes.HasPrefix(bytes.ToLower(v), []byte("2001:0db8")) ||
		shape.WellKnown.Has(v) || shape.IsDate(v) {
		return
	}
	if v[4] != ':' || bytes.HasSuffix(v, []byte("::")) && end < len(b) && b[end] == '/' {
		return
	}
	d.found.detect("ip-address", start, end)
}

var sixBytes = ascii.NewSet("0-9a-fA-F:")

// afterVersion reports whether a number is called a version.
func afterVersion(b []byte, start int) bool {
	end := ascii.Run(b, start, makeAddress)
	rest := bytes.TrimLeft(b[end:min(len(b), end+16)], " ")
	return laterVersions.Begin(rest) != "" || versions.In(b[ascii.LineStart(b, start, 24):start])
}

// laterVersions follow the number of a version.
var laterVersions = ascii.NewLiterals("and later", "or later", "and newer", "or newer", "and above",
	"or above", "or higher", "and up", "以降", "以上",
	"이상", "及以上")

// versions are words before a number with dots that is not an address.
var versions = ascii.NewPhrases("version", "ver.", "release", "build", "バージョン", "버전", "版本", "chrome/",
	"firmware", "section", "§",
	"update", "upgrade")
