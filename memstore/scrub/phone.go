package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/shape"
)

// numbers recognises what is made of digits: by the patterns of rules, telephones, addresses, accounts.
type numbers struct {
	reader
	phoneEnd int // of the last telephone number; each walk over words and each cell begins at 0 again
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
		if score := d.judgePhone(r, from, n); score > 0 {
			d.phoneEnd = n.End
			if b[from] == '(' && bytes.IndexByte(b[from:n.End], ')') < 0 {
				from++
			}
			d.found.propose(r, from, n.End, score)
			return
		}
		if b[from] == '(' && from < start { // brackets round the whole number
			from, to = start, len(b)
			continue
		}
		// Another number may stand behind a space.
		space := bytes.LastIndexByte(b[from:n.End], ' ')
		if space < 0 {
			return
		}
		to = from + space
	}
}

// judgePhone is the score of a number that begins at from, 0 if it is not a telephone number.
func (d *numbers) judgePhone(r *rule.Rule, from int, n shape.Number) int {
	b := d.text
	if n.Count > 15 || n.Count == 13 && (n.Digits[:3] == "978" || n.Digits[:3] == "979") { // ISBN
		return 0
	}
	plus := bytes.IndexByte(b[from:min(from+2, n.End)], '+') >= 0
	if from > 0 && !plus && (b[from-1] == '+' || b[from-1] == '*' && n.End < len(b) &&
		(b[n.End] == '#' || b[n.End] == '*' && n.End+1 < len(b) && ascii.Digits[b[n.End+1]])) {
		return 0 // a code that is dialled: *100#
	}
	if bytes.HasSuffix(b[:from], []byte("〒")) || bytes.HasSuffix(b[:from], []byte("::")) {
		return 0 // a postal code, the account in a name of AWS
	}
	if from > 0 && (b[from-1] == '$' || b[from-1] == '#' || ascii.Alnums[b[from-1]] || plus && b[from-1] == '/') || shape.IsPlaceholderNumber(n.Digits) {
		return 0
	}
	switch {
	case plus && n.Count >= 8 && shape.CountryCode(n.Digits) && !n.Round():
		return r.Score
	case endsInside(b, n.End):
		return 0
	case shape.NationalShape(n.Groups, n.Digits) && (n.Groups != "db" || !calledOther(b, from)):
		return r.Score - 5
	case n.Groups == "db" && n.Digits[0] == '1' && n.Digits[1] >= '3' && !calledOther(b, from):
		return r.Score - 10
	case d.found.near(r, from, n.End) && !shape.IsDate(b[from:n.End]) && n.Plausible() && !d.numberBetween(r, from):
		return r.Score - 15
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
func (d *numbers) numberBetween(r *rule.Rule, from int) bool {
	if d.found.column != nil {
		return false
	}
	b := d.text
	i := max(0, from-r.Window)
	for _, h := range d.in.hitsIn(i, from) {
		if r.InContext[h.word] {
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
