package scrub

import (
	"bytes"
	"strings"

	"memcurator/memstore/scrub/ascii"
)

// numbers recognises what is made of digits: by the patterns of rules, telephones, addresses, accounts.
type numbers struct {
	reader
	phoneEnd int // of the last telephone number; each walk over words and each cell begins at 0 again
}

var (
	phoneBytes = ascii.NewSet("0-9()+ ./-")
	phoneMarks = ascii.NewSet("()+ ./-")
)

// phone tries the number that begins at start: with a country code, in a shape that a
// country writes, or any other where a word announces a telephone.
func (d *numbers) phone(start int) {
	r := d.in.e.detector["phone"]
	b := d.text
	if r == nil || start < d.phoneEnd || !sevenDigits(b, start) {
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
		n := phoneRun(b[:to], from)
		if n.digits < 7 {
			return
		}
		if score := d.judgePhone(r, from, n); score > 0 {
			d.phoneEnd = n.end
			if b[from] == '(' && bytes.IndexByte(b[from:n.end], ')') < 0 {
				from++
			}
			d.found.propose(r, from, n.end, score)
			return
		}
		if b[from] == '(' && from < start { // brackets round the whole number
			from, to = start, len(b)
			continue
		}
		// Another number may stand behind a space.
		space := bytes.LastIndexByte(b[from:n.end], ' ')
		if space < 0 {
			return
		}
		to = from + space
	}
}

// sevenDigits reports whether there may be a telephone number at all.
func sevenDigits(b []byte, at int) bool {
	for n := 0; at < len(b) && phoneBytes[b[at]]; at++ {
		if ascii.Digits[b[at]] {
			if n++; n == 7 {
				return true
			}
		}
	}
	return false
}

// judgePhone is the score of a number that begins at from, 0 if it is not a telephone number.
func (d *numbers) judgePhone(r *rule, from int, n number) int {
	b := d.text
	if n.digits > 15 || n.digits == 13 && (n.all[:3] == "978" || n.all[:3] == "979") { // ISBN
		return 0
	}
	plus := bytes.IndexByte(b[from:min(from+2, n.end)], '+') >= 0
	if from > 0 && !plus && (b[from-1] == '+' || b[from-1] == '*' && n.end < len(b) &&
		(b[n.end] == '#' || b[n.end] == '*' && n.end+1 < len(b) && ascii.Digits[b[n.end+1]])) {
		return 0 // a code that is dialled: *100#
	}
	if bytes.HasSuffix(b[:from], []byte("〒")) || bytes.HasSuffix(b[:from], []byte("::")) {
		return 0 // a postal code, the account in a name of AWS
	}
	if from > 0 && (b[from-1] == '$' || b[from-1] == '#' || ascii.Alnums[b[from-1]] || plus && b[from-1] == '/') || placeholderNumber(n.all) {
		return 0
	}
	switch {
	case plus && n.digits >= 8 && countryCode(n.all) && !n.round():
		return r.score
	case endsInside(b, n.end):
		return 0
	case nationalShape(n.shape, n.all) && (n.shape != "db" || !calledOther(b, from)):
		return r.score - 5
	case n.shape == "db" && n.all[0] == '1' && n.all[1] >= '3' && !calledOther(b, from):
		return r.score - 10
	case d.found.near(r, from, n.end) && !isDate(b[from:n.end]) && n.plausible() && !d.numberBetween(r, from):
		return r.score - 15
	}
	return 0
}

// calledOther reports whether a number is called an id or the number of something that is not a
// telephone: mobile numbers of China have eleven digits and no mark between.
func calledOther(b []byte, from int) bool {
	before := bytes.ToLower(b[ascii.LineStart(b, from, 20):from])
	if n := len(before); n > 1 && before[n-1] == ' ' && ascii.Digits[before[n-2]] {
		return true // one of several numbers
	}
	for _, w := range otherNumbers {
		if bytes.Contains(before, []byte(w)) && !bytes.Contains(before, []byte("手机号")) && !bytes.Contains(before, []byte("电话号")) &&
			!bytes.Contains(before, []byte("電話番号")) {
			return true
		}
	}
	return false
}

var otherNumbers = []string{"id", "no", "nr", "num", "run", "order", "ticket", "build", "ts", "time", "offset", "size", "bytes",
	"count", "total", "row", "号", "番", "号码", "번호", "单"}

// numberBetween reports whether another long number stands between the word that
// announces a telephone and the one at from: the word was meant for that one.
func (d *numbers) numberBetween(r *rule, from int) bool {
	if d.found.column != nil {
		return false
	}
	b := d.text
	i := max(0, from-r.window)
	for _, h := range d.in.hitsIn(i, from) {
		if r.inContext[h.word] {
			i = max(i, int(h.end))
		}
	}
	if d.in.nextMark(i) < from || bytes.IndexByte(b[i:from], '#') >= 0 || bytes.IndexByte(b[i:from], '@') >= 0 {
		return true
	}
	count := 0
	for ; i < from; i++ {
		if ascii.Digits[b[i]] {
			count++
		} else if b[i] == '\n' || ascii.Letters[b[i]] {
			if count >= 7 {
				return true
			}
			count = 0
		}
	}
	return count >= 7
}

// number is a run of digits as people write telephone numbers.
type number struct {
	end    int
	digits int
	all    string // the digits
	shape  string // groups and marks: "d3-d4-d4"
}

// phoneRun reads digits with single marks between them. A slash with blanks ends a prefix (030 / 901820), and between
// whole numbers is an "or".
func phoneRun(b []byte, from int) number {
	var n number
	all, shape := make([]byte, 0, 24), make([]byte, 0, 64)
	i, group := from, 0
	flush := func() {
		if group > 0 {
			shape = append(shape, 'd', "0123456789abcdefghijklmnop"[min(group, 25)])
			group = 0
		}
	}
	for i < len(b) && n.digits < 18 {
		c := b[i]
		if ascii.Digits[c] {
			n.digits++
			group++
			all = append(all, c)
			i++
			n.end = i
			continue
		}
		gap := ascii.Run(b, i, phoneMarks)
		if gap == i || gap >= len(b) || !ascii.Digits[b[gap]] || gap-i > 3 || n.digits > 0 && bytes.IndexByte(b[i:gap], '+') >= 0 ||
			gap-i == 3 && string(b[i:gap]) != " - " && (string(b[i:gap]) != " / " || n.digits >= 9) || gap-i == 2 && n.digits > 0 &&
			!pairOfMarks(b[i:gap]) {
			break
		}
		flush()
		shape = append(shape, b[i:gap]...)
		i = gap
	}
	flush()
	n.all, n.shape = string(all), string(shape)
	return n
}

// pairOfMarks are the two marks that may stand together: ") ", ")-", "-(".
func pairOfMarks(m []byte) bool {
	switch string(m) {
	case ") ", ")-", " (", "-(", "(0", ")(":
		return true
	}
	return false
}

// round reports a number that stands for an amount.
func (n number) round() bool {
	return len(n.all) > 6 && n.all[len(n.all)-6:] == "000000"
}

// plausible refuses what a word about telephones may stand beside by chance: times,
// versions, years.
func (n number) plausible() bool {
	if len(n.shape) == 2 && n.all[0] == '1' && (n.digits == 13 || n.digits == 10) { // seconds or milliseconds since 1970
		return false
	}
	if n.shape == "d5-d4" || strings.IndexByte(n.shape, '/') > 2 && n.all[0] != '0' {
		return false
	}
	return strings.IndexByte(n.shape, '.') < 0 || n.shape == "d3.d3.d4" || n.shape == "d2.d2.d2.d2.d2" || n.shape == "d3.d3.d3" ||
		n.shape == "d3.d4.d4" || n.shape == "d4.d3.d3"
}

// placeholderNumber recognises 1234567890, 0000000000 and the like.
func placeholderNumber(all string) bool {
	var seen [256]bool
	kinds, rising := 0, 0
	for i := range len(all) {
		if !seen[all[i]] {
			seen[all[i]] = true
			kinds++
		}
		if i > 0 && all[i] == all[i-1]+1 {
			rising++
		}
	}
	return kinds <= 2 || rising >= len(all)-2 || strings.Contains(all, "12345678")
}

// nationalShapes are groupings that are telephone numbers without a word beside them,
// with what their digits begin with.
var nationalShapes = map[string][]string{
	// North America; the rules for area and exchange are in nationalShape
	"d3-d3-d4": {"", "03", "04", "05", "06", "07", "08", "09"}, "(d3) d3-d4": {""}, "(d3)d3-d4": {""}, "d3.d3.d4": {""},
	"d1-d3-d3-d4": {"1"}, "d1 (d3) d3-d4": {"1"}, "(d3) d3 d4": {""}, "d1.d3.d3.d4": {"1"}, "d1 d3 d3 d4": {"1"},
	// Japan, Korea
	"d3-d4-d4": {"010", "020", "050", "060", "070", "080", "090", "011", "016", "017", "018", "019", "031", "032", "033", "041", "042",
		"043", "044", "051", "052", "053", "054", "055", "061", "062", "063", "064", "13", "14", "15", "16", "17", "18", "19"},
	"d3 d4 d4": {"010", "070", "080", "090", "13", "14", "15", "16", "17", "18", "19", "020"}, "d3.d4.d4": {"010", "070", "080", "090"},
	"d2-d4-d4": {"0"}, "d4-d2-d4": {"0"}, "d4-d3-d3": {"0120", "0800", "0570"}, "d5-d1-d4": {"0"}, "(d2)d4-d4": {"0"}, "d2(d4)d4": {"0"},
	"(d3)d3-d4 ": {"0"},
	"d2-d3-d4":   {"02"}, "d4-d3-d4": {"0"},
	"db": {"010", "090", "080", "070", "07"},
	// China
	"d4-d8": {"0"}, "d3-d8": {"01", "02"}, "d4-d7": {"0"}, "(d3)d8": {"0"}, "(d3) d8": {"0"}, "(d4) d8": {"0"},
	// France, United Kingdom, Germany, Spain, Italy, Brazil, India, Australia
	"d2 d2 d2 d2 d2": {"01", "02", "03", "04", "05", "06", "07", "08", "09"},
	"d2.d2.d2.d2.d2": {"01", "02", "03", "04", "05", "06", "07", "08", "09"},
	"d2-d2-d2-d2-d2": {"01", "02", "03", "04", "05", "06", "07", "08", "09"},
	"d5 d6":          {"01", "07", "9", "8", "7", "6"}, "d5 d3 d3": {"07", "01", "0"}, "d3 d4 d4 ": {"020"},
	"d4 d3 d4":   {"01", "07", "08", "09"},
	"(d3) d4 d4": {"0"}, "d4/d8": {"0"}, "d4/d7": {"0"}, "d4/d6": {"0"}, "d3/d8": {"0"}, "d3/d7": {"0"}, "d5/d6": {"0"}, "d4 d8": {"01"},
	"d4 d7":      {"01"},
	"d4 / d3 d3": {"0"}, "d3 / d3 d4": {"0"}, "d4 / d6": {"0"}, "d4 / d7": {"0"}, "d3 / d7": {"0"}, "d3 / d8": {"0"}, "d5 / d6": {"0"},
	"d4/d3 d3": {"0"}, "d4 d2 d2 d2": {"0"}, "d4 d2 d2 d2 d2": {"0"}, "d3 d2 d2 d2 d2": {"0"},
	"d5/d5": {"0"}, "d5/d7": {"0"}, "d4-d7 ": {"0"}, "d5-d6": {"0"}, "d4-d6": {"0"},
	"(d2) d5-d4": {""}, "(d2) d4-d4": {""}, "d2 d5-d4": {""}, "(d2) d5 d4": {""}, "d5-d5": {"6", "7", "8", "9"},
	"d4 d3 d3":   {"04", "1300", "1800", "07"},
	"(d2) d4 d4": {"0"},
}

func nationalShape(shape, all string) bool {
	starts, ok := nationalShapes[shape]
	if !ok {
		return false
	}
	for _, p := range starts {
		if p == "" {
			d := all
			if len(d) == 11 && d[0] == '1' && shape[0] != '(' {
				d = d[1:]
			}
			if len(d) == 10 && d[0] >= '2' && d[3] >= '2' && d[1:3] != "11" || len(shape) > 4 && shape[:4] == "(d2)" {
				return true
			}
			continue
		}
		if len(all) >= len(p) && all[:len(p)] == p {
			return true
		}
	}
	if shape == "d1-d3-d3-d4" || shape == "d1 (d3) d3-d4" || shape == "d1 d3 d3 d4" || shape == "d1.d3.d3.d4" {
		return all[0] == '1' && all[1] >= '2' && all[4] >= '2'
	}
	return false
}

// countryCode reports whether digits begin with a code that a country has.
func countryCode(all string) bool {
	switch all[0] {
	case '0':
		return false
	case '1':
		return len(all) == 11 && all[1] >= '2'
	case '7':
		return len(all) == 11
	}
	if twoDigitCodes.All[all[:2]] {
		return len(all) >= 9 && len(all) <= 14
	}
	return threeDigitCodes.All[all[:2]] && len(all) >= 9
}

var twoDigitCodes = ascii.NewWords(`20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66
 81 82 84 86 90 91 92 93 94 95 98`)

// threeDigitCodes by their first two digits.
var threeDigitCodes = ascii.NewWords(`21 22 23 24 25 26 29 35 37 38 42 50 59 67 68 69 80 85 87 88 96 97 99`)
