package scrub

import (
	"bytes"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// values reads the value that a cue announces.
type values struct {
	reader
	nearEnd int // up to here the lines of cues were searched for what shows its kind by itself
}

// value reads the value at at and reports it if it may be one.
func (r *values) value(kind cueKind, f form, at int) bool {
	b := r.text
	for at < len(b) && (b[at] == '*' && at+1 < len(b) && b[at+1] == '*' || b[at] == ' ') {
		at++
	}
	if bytes.HasPrefix(b[at:], []byte("<![CDATA[")) {
		at += len("<![CDATA[")
	}
	if at < len(b) && b[at] == '<' && r.angled(kind, at+1) {
		return true
	}
	if done, found := r.inFrame(kind, f, at); done {
		return found
	}
	for at < len(b) && (b[at] == '(' || b[at] == '[' || b[at] == '{') && redact.PlaceholderEnd(b, at) == 0 {
		at++
	}
	if r.format == view.YAML && at < len(b) && b[at] == '!' {
		if end := ascii.Run(b, at, ascii.TagBytesYAML); end < len(b) && b[end] == ' ' && end > at+2 {
			at = ascii.Run(b, end, ascii.Blanks)
		}
	}
	at = literalPrefix(b, at)
	if n, shut := shape.QuoteAt(b, at); n > 0 {
		at += n
		if bytes.HasPrefix(b[at:], []byte(shut+shut)) && n == 1 { // a fence or a docstring
			return false
		}
		if end := shape.QuotedEnd(b, at, shut); end > at {
			for at < end && b[at] == ' ' {
				at++
			}
			for end > at && b[end-1] == ' ' {
				end--
			}
			return r.judge(kind, f, at, end, true)
		}
	}
	if at >= len(b) {
		return false
	}
	if end := appPassword(b, at); end > 0 && kind == cuePassword && f == formAssigned {
		r.found.detect(detectorOf[kind], at, end)
		return true
	}
	if end := wordsEnd(b, at); end > 0 && kind == cuePassword && f != formBeside &&
		bytes.Contains(bytes.ToLower(r.prose.cueWord), []byte("phrase")) {
		return r.judge(kind, formAssigned, at, end, true)
	}
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind != cueSecret)
	end = r.prose.beforeHost(at, end)
	if wide := wideWord(b, at); f == formAssigned && wide > end && kind == cuePassword {
		r.found.detect(detectorOf[kind], at, wide)
		return true
	}
	if kind == cueTOTP {
		end = max(end, seedEnd(b, at))
	}
	return r.judge(kind, f, at, end, false)
}

// beforeHost is end, or where the host of a URL begins whose user information has the cue.
func (p *announcement) beforeHost(at, end int) int {
	b := p.text
	if i := bytes.IndexByte(b[at:max(at, end)], '@'); i > 0 && p.cueFrom > 2 && b[p.cueFrom-1] == '/' && b[p.cueFrom-2] == '/' {
		return at + i
	}
	return end
}

// angled reads "<value>", where it is no name for one.
func (r *values) angled(kind cueKind, at int) bool {
	end := shape.BareEnd(r.text, at)
	if end >= len(r.text) || r.text[end] != '>' || shape.Of(r.text[at:end]).Digit < 2 || shape.Of(r.text[at:end]).Soft > 0 {
		return false
	}
	return r.judge(kind, formBeside, at, end, false)
}

// judge reports the span if it is plausible.
func (r *values) judge(kind cueKind, f form, at, end int, quoted bool) bool {
	if end <= at || !r.prose.plausible(kind, f, r.text[at:end], quoted) && !(f == formAssigned && r.prose.inConnection(kind, at, end)) {
		return false
	}
	r.found.detect(detectorOf[kind], at, end)
	if kind == cuePassword {
		r.replaced(end)
	}
	return true
}

// wordsEnd is the end of four to ten plain words at at, with spaces between, to the end of the sentence.
func wordsEnd(b []byte, at int) int {
	for n := 1; n <= 10; n++ {
		end := ascii.Run(b, at, ascii.Lowers)
		if end-at < 3 {
			return 0
		}
		if end >= len(b) || b[end] != ' ' {
			if n >= 4 && (end >= len(b) || shape.LastBefore(b, end) || b[end] == '.') {
				return end
			}
			return 0
		}
		at = end + 1
	}
	return 0
}

// appPassword is the end of four groups of four small letters, as Google makes them.
func appPassword(b []byte, at int) int {
	for group := range 4 {
		end := ascii.Run(b, at, ascii.Lowers)
		if end-at != 4 || group < 3 && (end >= len(b) || b[end] != ' ') {
			return 0
		}
		if group == 3 {
			return end
		}
		at = end + 1
	}
	return 0
}

// plausible judges a value by what it is made of and by how it was announced.
func (p *announcement) plausible(kind cueKind, f form, v []byte, quoted bool) bool {
	if len(v) < 4 || len(v) > shape.MaxValue || bytes.HasPrefix(v, []byte(redact.Opening)) {
		return false
	}
	// What it is made of refuses most, at the least cost.
	sh := shape.Of(v)
	ok := false
	switch kind {
	case cuePIN:
		ok = sh.Digit >= 4 && (sh.Digit == len(v) || sh.Digit == len(v)-1 && !ascii.Digits[v[len(v)-1]]) && len(v) <= 12 && !shape.AllSame(v)
	case cuePassword, cueLogin:
		ok = p.plausiblePassword(f, v, sh, quoted)
	case cueTOTP:
		ok = plausibleSeed(v)
	default:
		ok = plausibleToken(f, v, sh) || f == formAssigned && p.calledSecret() && secretLike(v, sh)
	}
	if sh.Other > 0 && sh.Letters()+sh.Digit < 4 && (v[0] >= 0xe2 || mostlyWide(v)) {
		return false // a count of signs in another script
	}
	if f == formBeside && !quoted && isSetting(v) {
		return false
	}
	return ok && !(sh.Digit == len(v) && counted(v)) && !called(v) && !shape.IsDummy(v) && !p.isStop(v) && !notASecret(v) &&
		((quoted || ascii.Run(v, 0, ascii.Letters) == bytes.IndexByte(v, '(')) && numberedWord(v) || !isBracketed(v)) &&
		(sh.Digit >= 2 || bytes.Count(v, []byte("|")) <= 1)
}

// mostlyWide reports more characters of East Asian scripts than others: "8文字以上".
func mostlyWide(v []byte) bool {
	wide, all := 0, 0
	for _, r := range string(v) {
		if all++; r >= 0x2e80 {
			wide++
		}
	}
	return wide*2 > all
}

func (p *announcement) plausiblePassword(f form, v []byte, sh shape.Shape, quoted bool) bool {
	if bytes.IndexByte(v, ' ') >= 0 {
		return quoted && (f == formAssigned || f == formCopula) && isPassphrase(v) || quoted && p.calledPhrase() && plainWords(v)
	}
	if len(v) > 128 {
		return false
	}
	mixed := sh.Digit > 0 && sh.Letters()+sh.Other > 0 || sh.Symbol > 0 && sh.Letters()+sh.Digit > 0 || scattered(v, sh) || unspeakable(v, sh)
	switch f {
	case formAssigned:
		if sh.Digit == len(v) {
			return len(v) >= 4
		}
		if sh.Letters() == len(v) && len(v) >= 5 && p.tight(v) {
			return true
		}
		return mixed || sh.Soft > 0 && hyphenWords(v) >= 3 || len(v) >= 6 &&
			(quoted || p.format != view.Plain && p.format != view.Markdown || sh.Upper > 0 && sh.Lower > 0 && !capitalised(v)) ||
			len(v) >= 6 && endsLine(v)
	case formCopula:
		if quoted {
			return mixed || hyphenWords(v) >= 3 || len(v) >= 6 && sh.Digit == len(v) || len(v) >= 6 && sh.Upper > 0 && sh.Lower > 0
		}
		return len(v) >= 5 && mixed || grouped(v) || hyphenWords(v) >= 4 || sh.Digit == len(v) && len(v) >= 6 && len(v) <= 12 &&
			!isDay(v) && endsClause(v) || p.plainWord(v, sh)
	}
	if (grouped(v) || unspeakable(v, sh)) && endsClause(v) {
		return true
	}
	if sh.Digit == len(v) {
		return len(v) >= 6 && len(v) <= 12 && !isDay(v) && endsClause(v)
	}
	if mixed && sh.Digit > 0 && len(v) >= 7 && endsLine(v) && !versioned(v) &&
		(p.cueFrom == ascii.LineStart(p.text, p.cueFrom, 8) || afterName(p.text, p.cueFrom)) {
		return true
	}
	if hyphenWords(v) >= 4 && bytes.IndexByte(v, '_') < 0 && sh.Letters() >= len(v)*3/4 && endsClause(v) {
		return true
	}
	return len(v) >= 6 && mixed && (sh.Digit > 0 || scattered(v, sh)) && (quoted && sh.Digit > 0 || !wordish(v, sh))
}

// scattered reports letters of both cases in no order that words have.
func scattered(v []byte, sh shape.Shape) bool {
	return len(v) >= 8 && sh.Upper >= 2 && sh.Lower >= 2 && sh.Letters() == len(v) && !shape.Readable(v) && !camel(v)
}

// unspeakable reports small letters that no language of ours has in this order.
func unspeakable(v []byte, sh shape.Shape) bool {
	return len(v) >= 8 && sh.Lower == len(v) && !shape.Readable(v) && !pronounceable(string(v))
}

// camel reports words of three letters and more written together: FritzBox, MinLength.
func camel(v []byte) bool {
	for i := 0; i < len(v); {
		end := shape.WordPart(v, i)
		if end-i < 3 || shape.Of(v[i:end]).Upper > 1 || !pronounceable(strings.ToLower(string(v[i:end]))) {
			return false
		}
		i = end
	}
	return true
}

// tight reports a value directly behind an equals sign: "pwd=value".
func (p *announcement) tight(v []byte) bool {
	at := len(p.text) - cap(v)
	return at > 0 && p.text[at-1] == '='
}

// calledSecret is set for a cue that says secret, which people choose as they choose passwords.
func (p *announcement) calledSecret() bool {
	return bytes.Contains(bytes.ToLower(p.cueWord), []byte("secret"))
}

// secretLike accepts what a person makes up for a secret: words with digits or signs, in no order that names have.
func secretLike(v []byte, sh shape.Shape) bool {
	return len(v) >= 8 && len(v) <= 128 && ((sh.Soft == 0 || sh.Soft == 1 && sh.Digit >= 3 && sh.Upper > 0 && sh.Lower > 0) &&
		sh.Digit >= 2 && sh.Letters() >= 3 || sh.Symbol > 0 && sh.Digit > 0 && sh.Letters() >= 3 || grouped(v) || scattered(v, sh)) &&
		!versioned(v)
}

// isDay reports eight digits that are a date: 20261121.
func isDay(v []byte) bool {
	return len(v) == 8 && (v[0] == '2' && v[1] == '0' || v[0] == '1' && v[1] == '9') && v[4] <= '1' && v[6] <= '3'
}

// capitalised reports one capital letter at the start of a word.
func capitalised(v []byte) bool {
	return ascii.Uppers[v[0]] && wordEnd(v, 1) == len(v) && shape.Of(v).Upper == 1
}

// hyphenWords counts the words of "correct-horse-battery-staple".
func hyphenWords(v []byte) int {
	n, long := 0, 0
	for _, c := range v {
		switch {
		case ascii.Letters[c] || ascii.Digits[c]:
			long++
		case c == '-' || c == '_' || c == '.' || c == ' ':
			if long < 2 {
				return 0
			}
			n, long = n+1, 0
		default:
			return 0
		}
	}
	if long < 2 {
		return 0
	}
	return n + 1
}

// calledPhrase is set for a cue that says phrase.
func (p *announcement) calledPhrase() bool {
	return bytes.Contains(bytes.ToLower(p.cueWord), []byte("phrase"))
}

// plainWords reports two to ten words of small letters, none of those that only hold sentences together.
func plainWords(v []byte) bool {
	n := 0
	for w := range bytes.FieldsSeq(v) {
		if n++; len(w) < 3 || ascii.Run(w, 0, ascii.Lowers) < len(w) || bytes.Equal(w, []byte("secret")) ||
			bytes.Equal(w, []byte("password")) || small.Has(w) || between.Has(w) {
			return false
		}
	}
	return n >= 2 && n <= 10
}

// isPassphrase recognises four or more words, or a password with a space in it.
func isPassphrase(v []byte) bool {
	sh := shape.Of(v)
	n := hyphenWords(v)
	if bytes.IndexByte(v, ' ') > 0 {
		for _, w := range bytes.Fields(v) {
			if small.Has(w) {
				return false
			}
		}
	}
	return n >= 4 && n <= 10 && sh.Upper <= 4 || n == 0 && sh.Digit > 0 && sh.Symbol-bytes.Count(v, []byte(" ")) > 1 && len(v) < 40
}

// small are the words of sentences: a passphrase has none.
var small = ascii.NewWords(`le la les de du des un une et est votre das der die den ein eine und ist mit für bitte el los las una y es
 tu su con para por min max a an and as at be by can do for from has have if in is it its must no not of on or see the then this to use
 used was will with you your`)

// wordish recognises a word with a number, a list with slashes, an abbreviation.
func wordish(v []byte, sh shape.Shape) bool {
	if sh.Symbol > 0 || sh.Other > 0 {
		return sh.Symbol == 1 && sh.Digit == 0 && (v[len(v)-1] == '!' || v[len(v)-1] == '?' || v[len(v)-1] == '%' ||
			bytes.IndexByte(v, '=') > 0 || bytes.IndexByte(v, ':') > 0 || bytes.IndexByte(v, '+') > 0 || bytes.IndexByte(v, '&') > 0 ||
			bytes.IndexByte(v, '(') >= 0)
	}
	if sh.Soft > 0 {
		return sh.Digit < 2 || sh.Lower == 0 || sh.Digit*3 > len(v)*2 || sh.Soft > 2
	}
	return sh.Digit == 1 && sh.Upper <= 1 && len(v) < 8 || sh.Lower == 0 && len(v) < 8
}

// isBracketed recognises "[--flag]", "{name}", "map[string]any", "f(x)".
func isBracketed(v []byte) bool {
	last := v[len(v)-1]
	if (v[0] == '[' || v[0] == '{') && (v[1] == ']' || v[1] == '}' || ascii.Run(v, 1, ascii.Letters) == len(v)) {
		return true
	}
	if last != ']' && last != '}' && last != ')' {
		return bytes.IndexByte(v, '{') >= 0 && bytes.IndexByte(v, '}') > 0
	}
	i := bytes.IndexAny(v, "([{")
	return i == 0 || i > 0 && ascii.Run(v, 0, ascii.NameBytes) == i
}

// numberedWord recognises "tiger(475)": a call has no such argument, in quotes the less.
func numberedWord(v []byte) bool {
	i := bytes.IndexByte(v, '(')
	return i > 0 && len(v)-i > 4 && v[len(v)-1] == ')' && ascii.Run(v, i+1, ascii.Digits) == len(v)-1
}
