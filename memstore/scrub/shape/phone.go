package shape

import (
	"bytes"
	"strings"

	"memcurator/memstore/scrub/ascii"
)

var (
	PhoneBytes = ascii.NewSet("0-9()+ ./-")
	phoneMarks = ascii.NewSet("()+ ./-")
)

// SevenDigits reports whether there may be a telephone number at all.
func SevenDigits(b []byte, at int) bool {
	for n := 0; at < len(b) && PhoneBytes[b[at]]; at++ {
		if ascii.Digits[b[at]] {
			if n++; n == 7 {
				return true
			}
		}
	}
	return false
}

// Number is a run of digits as people write telephone numbers.
type Number struct {
	End    int
	Count  int
	Digits string // the digits
	Groups string // groups and marks: "d3-d4-d4"
}

// ReadNumber reads digits with single marks between them. A slash with blanks ends a prefix (030 / 901820), and between
// whole numbers is an "or".
func ReadNumber(b []byte, from int) Number {
	var n Number
	all, shape := make([]byte, 0, 24), make([]byte, 0, 64)
	i, group := from, 0
	flush := func() {
		if group > 0 {
			shape = append(shape, 'd', "0123456789abcdefghijklmnop"[min(group, 25)])
			group = 0
		}
	}
	for i < len(b) && n.Count < 18 {
		c := b[i]
		if ascii.Digits[c] {
			n.Count++
			group++
			all = append(all, c)
			i++
			n.End = i
			continue
		}
		gap := ascii.Run(b, i, phoneMarks)
		if gap == i || gap >= len(b) || !ascii.Digits[b[gap]] || gap-i > 3 || n.Count > 0 && bytes.IndexByte(b[i:gap], '+') >= 0 ||
			gap-i == 3 && string(b[i:gap]) != " - " && (string(b[i:gap]) != " / " || n.Count >= 9) || gap-i == 2 && n.Count > 0 &&
			!pairOfMarks(b[i:gap]) {
			break
		}
		flush()
		shape = append(shape, b[i:gap]...)
		i = gap
	}
	flush()
	n.Digits, n.Groups = string(all), string(shape)
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

// Round reports a number that is an amount.
func (n Number) Round() bool {
	return len(n.Digits) > 6 && n.Digits[len(n.Digits)-6:] == "000000"
}

// Plausible refuses what a word about telephones may stand beside by chance: times,
// versions, years.
func (n Number) Plausible() bool {
	if len(n.Groups) == 2 && n.Digits[0] == '1' && (n.Count == 13 || n.Count == 10) { // seconds or milliseconds since 1970
		return false
	}
	if n.Groups == "d5-d4" || n.Groups == "d4-d5" || n.Groups == "d8" && IsDay([]byte(n.Digits)) ||
		strings.IndexByte(n.Groups, '/') > 1 && n.Digits[0] != '0' {
		return false
	}
	return strings.IndexByte(n.Groups, '.') < 0 || n.Groups == "d3.d3.d4" || n.Groups == "d2.d2.d2.d2.d2" || n.Groups == "d3.d3.d3" ||
		n.Groups == "d3.d4.d4" || n.Groups == "d4.d3.d3"
}

// IsPlaceholderNumber recognises 1234567890, 0000000000 and the like.
func IsPlaceholderNumber(all string) bool {
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
	// Switzerland, the Netherlands
	"d3 d3 d2 d2": {"075", "076", "077", "078", "079", "044", "043", "031", "061", "041", "071", "052", "022", "021"}, "d2-d8": {"06"},
}

func NationalShape(shape, all string) bool {
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

// CountryCode reports whether digits begin with a code that a country has.
func CountryCode(all string) bool {
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
