package scrub

import (
	"bytes"
	"strings"
)

// value reads the value at at and reports it if it may be one.
func (s *scan) value(kind cueKind, f form, at int) bool {
	b := s.text
	for at < len(b) && (b[at] == '*' && at+1 < len(b) && b[at+1] == '*' || b[at] == ' ') {
		at++
	}
	if bytes.HasPrefix(b[at:], []byte("<![CDATA[")) {
		at += len("<![CDATA[")
	}
	if at < len(b) && b[at] == '<' && s.angled(kind, at+1) {
		return true
	}
	if done, found := s.inFrame(kind, f, at); done {
		return found
	}
	for at < len(b) && (b[at] == '(' || b[at] == '[' || b[at] == '{') && placeholderEnd(b, at) == 0 {
		at++
	}
	if s.format == YAML && at < len(b) && b[at] == '!' {
		if end := run(b, at, tagBytesYAML); end < len(b) && b[end] == ' ' && end > at+2 {
			at = run(b, end, blanks)
		}
	}
	at = literalPrefix(b, at)
	if n, shut := quoteAt(b, at); n > 0 {
		at += n
		if bytes.HasPrefix(b[at:], []byte(shut+shut)) && n == 1 { // a fence or a docstring
			return false
		}
		if end := quoted(b, at, shut); end > at {
			for at < end && b[at] == ' ' {
				at++
			}
			for end > at && b[end-1] == ' ' {
				end--
			}
			return s.judge(kind, f, at, end, true)
		}
	}
	if at >= len(b) {
		return false
	}
	if end := appPassword(b, at); end > 0 && kind == cuePassword && f == formAssigned {
		s.detect(detectorOf[kind], at, end)
		return true
	}
	if end := wordsEnd(b, at); end > 0 && kind == cuePassword && f != formBeside && bytes.Contains(bytes.ToLower(s.cueWord), []byte("phrase")) {
		return s.judge(kind, formAssigned, at, end, true)
	}
	end := trimmed(b, at, bareEnd(b, at), kind != cueSecret)
	end = s.beforeHost(at, end)
	if wide := wideWord(b, at); f == formAssigned && wide > end && kind == cuePassword {
		s.detect(detectorOf[kind], at, wide)
		return true
	}
	if kind == cueTOTP {
		end = max(end, seedEnd(b, at))
	}
	return s.judge(kind, f, at, end, false)
}

// beforeHost is end, or where the host of a URL begins whose user information has the cue.
func (s *scan) beforeHost(at, end int) int {
	b := s.text
	if i := bytes.IndexByte(b[at:max(at, end)], '@'); i > 0 && s.cueFrom > 2 && b[s.cueFrom-1] == '/' && b[s.cueFrom-2] == '/' {
		return at + i
	}
	return end
}

// angled reads "<value>", where it is no name for one.
func (s *scan) angled(kind cueKind, at int) bool {
	end := bareEnd(s.text, at)
	if end >= len(s.text) || s.text[end] != '>' || shapeOf(s.text[at:end]).digit < 2 || shapeOf(s.text[at:end]).soft > 0 {
		return false
	}
	return s.judge(kind, formBeside, at, end, false)
}

// judge reports the span if it is plausible.
func (s *scan) judge(kind cueKind, f form, at, end int, quoted bool) bool {
	if end <= at || !s.plausible(kind, f, s.text[at:end], quoted) && !(f == formAssigned && s.inConnection(kind, at, end)) {
		return false
	}
	s.detect(detectorOf[kind], at, end)
	if kind == cuePassword {
		s.replaced(end)
	}
	return true
}

// wordsEnd is the end of four to ten plain words at at, with spaces between, to the end of the sentence.
func wordsEnd(b []byte, at int) int {
	for n := 1; n <= 10; n++ {
		end := run(b, at, lowers)
		if end-at < 3 {
			return 0
		}
		if end >= len(b) || b[end] != ' ' {
			if n >= 4 && (end >= len(b) || lastBefore(b, end) || b[end] == '.') {
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
		end := run(b, at, lowers)
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
func (s *scan) plausible(kind cueKind, f form, v []byte, quoted bool) bool {
	if len(v) < 4 || len(v) > maxValue || bytes.HasPrefix(v, []byte(opening)) {
		return false
	}
	// What it is made of refuses most, at the least cost.
	sh := shapeOf(v)
	ok := false
	switch kind {
	case cuePIN:
		ok = sh.digit >= 4 && (sh.digit == len(v) || sh.digit == len(v)-1 && !digits[v[len(v)-1]]) && len(v) <= 12 && !allSame(v)
	case cuePassword, cueLogin:
		ok = s.plausiblePassword(f, v, sh, quoted)
	case cueTOTP:
		ok = plausibleSeed(v)
	default:
		ok = plausibleToken(f, v, sh) || f == formAssigned && s.calledSecret() && secretLike(v, sh)
	}
	if sh.other > 0 && sh.letters()+sh.digit < 4 && (v[0] >= 0xe2 || mostlyWide(v)) {
		return false // a count of signs in another script
	}
	if f == formBeside && !quoted && isSetting(v) {
		return false
	}
	return ok && !(sh.digit == len(v) && s.counted(v)) && !s.called(v) && !isDummy(v) && !s.isStop(v) && !notASecret(v) && ((quoted || run(v, 0, letters) == bytes.IndexByte(v, '(')) && numberedWord(v) || !isBracketed(v)) && (sh.digit >= 2 || bytes.Count(v, []byte("|")) <= 1)
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

func (s *scan) plausiblePassword(f form, v []byte, sh shape, quoted bool) bool {
	if bytes.IndexByte(v, ' ') >= 0 {
		return quoted && (f == formAssigned || f == formCopula) && isPassphrase(v) || quoted && s.calledPhrase() && plainWords(v)
	}
	if len(v) > 128 {
		return false
	}
	mixed := sh.digit > 0 && sh.letters()+sh.other > 0 || sh.symbol > 0 && sh.letters()+sh.digit > 0 || scattered(v, sh) || unspeakable(v, sh)
	switch f {
	case formAssigned:
		if sh.digit == len(v) {
			return len(v) >= 4
		}
		if sh.letters() == len(v) && len(v) >= 5 && s.tight(v) {
			return true
		}
		return mixed || sh.soft > 0 && hyphenWords(v) >= 3 || len(v) >= 6 && (quoted || s.format != Plain && s.format != Markdown || sh.upper > 0 && sh.lower > 0 && !capitalised(v)) || len(v) >= 6 && s.endsLine(v)
	case formCopula:
		if quoted {
			return mixed || hyphenWords(v) >= 3 || len(v) >= 6 && sh.digit == len(v) || len(v) >= 6 && sh.upper > 0 && sh.lower > 0
		}
		return len(v) >= 5 && mixed || grouped(v) || hyphenWords(v) >= 4 || sh.digit == len(v) && len(v) >= 6 && len(v) <= 12 && !isDay(v) && s.endsClause(v) || s.plainWord(v, sh)
	}
	if (grouped(v) || unspeakable(v, sh)) && s.endsClause(v) {
		return true
	}
	if sh.digit == len(v) {
		return len(v) >= 6 && len(v) <= 12 && !isDay(v) && s.endsClause(v)
	}
	if mixed && sh.digit > 0 && len(v) >= 7 && s.endsLine(v) && !versioned(v) && (s.cueFrom == lineStart(s.text, s.cueFrom, 8) || afterName(s.text, s.cueFrom)) {
		return true
	}
	if hyphenWords(v) >= 4 && bytes.IndexByte(v, '_') < 0 && sh.letters() >= len(v)*3/4 && s.endsClause(v) {
		return true
	}
	return len(v) >= 6 && mixed && (sh.digit > 0 || scattered(v, sh)) && (quoted && sh.digit > 0 || !wordish(v, sh))
}

// scattered reports letters of both cases in no order that words have.
func scattered(v []byte, sh shape) bool {
	return len(v) >= 8 && sh.upper >= 2 && sh.lower >= 2 && sh.letters() == len(v) && !readable(v) && !camel(v)
}

// unspeakable reports small letters that no language of ours has in this order.
func unspeakable(v []byte, sh shape) bool {
	return len(v) >= 8 && sh.lower == len(v) && !readable(v) && !pronounceable(string(v))
}

// camel reports words of three letters and more written together: FritzBox, MinLength.
func camel(v []byte) bool {
	for i := 0; i < len(v); {
		end := wordPart(v, i)
		if end-i < 3 || shapeOf(v[i:end]).upper > 1 || !pronounceable(strings.ToLower(string(v[i:end]))) {
			return false
		}
		i = end
	}
	return true
}

// tight reports a value directly behind an equals sign: "pwd=value".
func (s *scan) tight(v []byte) bool {
	at := len(s.text) - cap(v)
	return at > 0 && s.text[at-1] == '='
}

// calledSecret is set for a cue that says secret, which people choose as they choose passwords.
func (s *scan) calledSecret() bool {
	return bytes.Contains(bytes.ToLower(s.cueWord), []byte("secret"))
}

// secretLike accepts what a person makes up for a secret: words with digits or signs, in no order that names have.
func secretLike(v []byte, sh shape) bool {
	return len(v) >= 8 && len(v) <= 128 && ((sh.soft == 0 || sh.soft == 1 && sh.digit >= 3 && sh.upper > 0 && sh.lower > 0) && sh.digit >= 2 && sh.letters() >= 3 || sh.symbol > 0 && sh.digit > 0 && sh.letters() >= 3 || grouped(v) || scattered(v, sh)) && !versioned(v)
}

// isDay reports eight digits that are a date: 20261121.
func isDay(v []byte) bool {
	return len(v) == 8 && (v[0] == '2' && v[1] == '0' || v[0] == '1' && v[1] == '9') && v[4] <= '1' && v[6] <= '3'
}

// capitalised reports one capital letter at the start of a word.
func capitalised(v []byte) bool {
	return uppers[v[0]] && wordEnd(v, 1) == len(v) && shapeOf(v).upper == 1
}

// hyphenWords counts the words of "correct-horse-battery-staple".
func hyphenWords(v []byte) int {
	n, long := 0, 0
	for _, c := range v {
		switch {
		case letters[c] || digits[c]:
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
func (s *scan) calledPhrase() bool {
	return bytes.Contains(bytes.ToLower(s.cueWord), []byte("phrase"))
}

// plainWords reports two to ten words of small letters, none of those that only hold sentences together.
func plainWords(v []byte) bool {
	n := 0
	for w := range bytes.FieldsSeq(v) {
		if n++; len(w) < 3 || run(w, 0, lowers) < len(w) || bytes.Equal(w, []byte("secret")) || bytes.Equal(w, []byte("password")) || small.has(w) || between.has(w) {
			return false
		}
	}
	return n >= 2 && n <= 10
}

// isPassphrase recognises four or more words, or a password with a space in it.
func isPassphrase(v []byte) bool {
	sh := shapeOf(v)
	n := hyphenWords(v)
	if bytes.IndexByte(v, ' ') > 0 {
		for _, w := range bytes.Fields(v) {
			if small.has(w) {
				return false
			}
		}
	}
	return n >= 4 && n <= 10 && sh.upper <= 4 || n == 0 && sh.digit > 0 && sh.symbol-bytes.Count(v, []byte(" ")) > 1 && len(v) < 40
}

// small are the words of sentences: a passphrase has none.
var small = wordSet(`le la les de du des un une et est votre das der die den ein eine und ist mit für bitte el los las una y es tu su con para por min max a an and as at be by can do for from has have if in is it its must no not of on or see the then this to use used was will with you your`)

// wordish recognises a word with a number, a list with slashes, an abbreviation.
func wordish(v []byte, sh shape) bool {
	if sh.symbol > 0 || sh.other > 0 {
		return sh.symbol == 1 && sh.digit == 0 && (v[len(v)-1] == '!' || v[len(v)-1] == '?' || v[len(v)-1] == '%' || bytes.IndexByte(v, '=') > 0 || bytes.IndexByte(v, ':') > 0 || bytes.IndexByte(v, '+') > 0 || bytes.IndexByte(v, '&') > 0 || bytes.IndexByte(v, '(') >= 0)
	}
	if sh.soft > 0 {
		return sh.digit < 2 || sh.lower == 0 || sh.digit*3 > len(v)*2 || sh.soft > 2
	}
	return sh.digit == 1 && sh.upper <= 1 && len(v) < 8 || sh.lower == 0 && len(v) < 8
}

// isBracketed recognises "[--flag]", "{name}", "map[string]any", "f(x)".
func isBracketed(v []byte) bool {
	last := v[len(v)-1]
	if (v[0] == '[' || v[0] == '{') && (v[1] == ']' || v[1] == '}' || run(v, 1, letters) == len(v)) {
		return true
	}
	if last != ']' && last != '}' && last != ')' {
		return bytes.IndexByte(v, '{') >= 0 && bytes.IndexByte(v, '}') > 0
	}
	i := bytes.IndexAny(v, "([{")
	return i == 0 || i > 0 && run(v, 0, names) == i
}

// numberedWord recognises "tiger(475)": a call has no such argument, in quotes the less.
func numberedWord(v []byte) bool {
	i := bytes.IndexByte(v, '(')
	return i > 0 && len(v)-i > 4 && v[len(v)-1] == ')' && run(v, i+1, digits) == len(v)-1
}
