package scrub

import (
	"bytes"
	"unicode/utf8"
)

// cueKind is what a word announces. The words themselves lie in rules/words.toml.
type cueKind uint8

const (
	cueNone     cueKind = iota
	cuePassword         // password, Passwort, 密码
	cuePIN              // PIN, 暗証番号: digits only will do
	cueSecret           // token, API key, client secret
	cueTOTP             // seed of one-time codes
	cueRecovery         // recovery and backup codes
	cuePhrase           // seed phrase of a wallet
	cueLogin            // credentials, login: a name and a password follow
	cueUser             // admin, root: a name that is one itself
	cueHeader           // Authorization, Cookie, X-API-Key
)

var cueKinds = map[string]cueKind{
	"password": cuePassword, "pin": cuePIN, "secret": cueSecret, "totp": cueTOTP,
	"recovery": cueRecovery, "phrase": cuePhrase, "login": cueLogin, "user": cueUser, "header": cueHeader,
}

// detectorOf names the rule under which a cue's value is reported.
var detectorOf = map[cueKind]string{cuePassword: "password", cuePIN: "password", cueSecret: "secret", cueTOTP: "totp", cueLogin: "password"}

// form is how a value hangs on its cue; the looser, the more the value itself has to show.
type form uint8

const (
	formNone     form = iota
	formAssigned      // key: value, key = value, an element, a cell
	formCopula        // the password is value
	formBeside        // password value
)

// cue looks for the value that a cue word announces.
func (s *scan) cue(kind cueKind, start, end int) {
	b := s.text
	from, to := start, end
	if letters[b[start]] {
		from, to = runBack(b, start, names, 64), run(b, end, names)
		for to > end && (b[to-1] == '.' || b[to-1] == '-') {
			to--
		}
	}
	if kind == cueLogin && (start > from || to > end+1) {
		return // "billing_account" is followed by a number
	}
	if to-end > 64 || !keyMayHold(kind, b[from:start], b[end:to]) {
		return
	}
	switch kind {
	case cueRecovery:
		s.recovery(to)
		return
	case cuePhrase:
		s.phrase(to)
		return
	case cueUser:
		s.userSlash(end)
		return
	}
	at, f := s.gap(to, b[from] == '-', b[end-1] >= 0x80)
	switch {
	case kind == cueHeader:
		if f != formNone {
			s.header(f, at, b[start:end])
		}
		return
	case f == formNone || f == formBeside && isVerb(b[from:to]) && !afterName(b, from):
	case kind == cueLogin:
		s.login(f, at)
	case s.value(kind, f, at):
		return
	case kind == cuePassword && f != formBeside:
		s.login(f, at)
	}
	if f != formAssigned {
		s.before(kind, from)
	}
	s.far(kind, to)
}

// notValue are endings of a key that make it hold something about the secret, not the secret.
var notValue = wordSet(`count type url uri endpoint expiry expires expiration expired ttl name names arn path file files filename policy length len
 min max limit limits usage used budget field fields reset manager store storage ref reference version rotation rotated rotate label hint status
 prefix suffix format id ids index description placeholder input box prompt dialog form page link email change changed age strategy provider
 service server header hash hashes hashed algorithm size window per rate price cost bucket family kind scope scopes issuer audience required
 protected less based authentication auth enabled disabled validation validator generator generation checker strength regex pattern column table
 location dir directory env var variable source mount selector class module handler func function method cache exists missing error invalid ok
 at on in by through fail failed failing word less`)

// notKey are beginnings of a key that is no secret although its last word says so.
var notKey = wordSet(`max min num total prompt completion input output cached reasoning next prev page pagination continuation sync csrf_param
 public primary foreign sort partition cache row object idempotency translation i18n locale hot shortcut map dict stop bos eos pad unk special
 per used remaining n count avg mean no has is use show hide toggle forgot reset invalid missing expired optional`)

func wordSet(list string) words {
	m := words{}
	for _, w := range bytes.Fields([]byte(list)) {
		m[string(w)] = true
	}
	return m
}

// keyMayHold judges what stands before and after the cue inside one identifier.
func keyMayHold(kind cueKind, before, after []byte) bool {
	ok := true
	last := []byte(nil)
	eachPart(before, func(w []byte) { last = w })
	if last != nil && notKey.has(last) {
		return kind == cuePassword && !neverKey.has(last)
	}
	eachPart(after, func(w []byte) { ok = ok && !notValue.has(w) })
	return ok
}

// neverKey are those of notKey that say so of passwords too.
var neverKey = wordSet(`forgot reset public invalid missing`)

// eachPart calls visit with the parts of snake_case, kebab-case and camelCase.
func eachPart(b []byte, visit func([]byte)) {
	start := 0
	for i := 0; i <= len(b); i++ {
		edge := i == len(b) || !alnums[b[i]]
		if !edge && !(i > start && uppers[b[i]] && lowers[b[i-1]]) {
			continue
		}
		if i > start {
			visit(b[start:i])
		}
		start = i
		if edge {
			start++
		}
	}
}

// maxGap is how far behind its cue a value may begin, in bytes.
const maxGap = 96

// gap finds where the value behind a cue begins, and how it hangs on it. flag says that
// the key is one of a command line, glued that its script puts no spaces between words.
func (s *scan) gap(at int, flag, glued bool) (int, form) {
	b := s.text
	limit := min(len(b), at+maxGap)
	f := formNone
	if flag && at < limit && b[at] == ' ' {
		f = formAssigned
	}
	begin, spaces, closed := at, 0, false
	for at < limit {
		c := b[at]
		switch {
		case c == ' ' || c == '\t':
			spaces++
			at++
		case f != formAssigned && separator(b[at:]) > 0:
			if c == '|' && spaces == 0 && (at+1 >= len(b) || b[at+1] != ' ') {
				return at, formNone // words of an alternation
			}
			at += separator(b[at:])
			f = formAssigned
		case f == formAssigned && (c == '>' && b[at-1] == '=' || (c == '|' || c == '>') && blockScalar(b, at)):
			at++
		case c == '*' || c == '_' || c == '~':
			at++
		case (c == '"' || c == '\'' || c == '`') && f == formNone && !closed && spaces == 0:
			closed = true
			at++
		case (c == ']' || c == ')') && f == formNone && at-begin < 4:
			at++
		case c == ',' && closed && f == formNone:
			return s.gapPair(at+1, limit)
		case c == '(' && f == formNone:
			end := bytes.IndexAny(b[at:min(limit, at+48)], ")\n")
			if end < 0 || b[at+end] == '\n' {
				return at, formNone
			}
			at += end + 1
		case c == '\n' || c == '\r':
			return s.gapBelow(begin, at, f)
		case closed && spaces > 0 && f == formNone && hasFold(b[at:], "value"):
			return s.gapPair(at, limit)
		default:
			return s.gapWords(at, limit, f, spaces, glued)
		}
	}
	return at, formNone
}

// blockScalar reports the "|" or ">-" of YAML at the end of a line.
func blockScalar(b []byte, at int) bool {
	if at+1 < len(b) && (b[at+1] == '-' || b[at+1] == '+') {
		at++
	}
	return at+1 < len(b) && b[at+1] == '\n'
}

// gapPair goes from a name to its value where each has its own key: {"name": "password",
// "value": "..."}, set("password", "..."), <add key="password" value="..."/>.
func (s *scan) gapPair(at, limit int) (int, form) {
	b := s.text
	at = run(b, at, jsonSpace)
	from := at
	if at < limit && (b[at] == '"' || b[at] == '\'') {
		at++
	}
	if !hasFold(b[at:], "value") && !hasFold(b[at:], "default") {
		name := bytes.TrimRight(b[lineStart(b, from, maxGap):from], "\"', ")
		call := bytes.LastIndexAny(name, "(\"', ")
		if from < at && from < limit && call > 0 && name[call-1] == '(' {
			return from, formCopula
		}
		return at, formNone
	}
	at = run(b, at, letters)
	if at < len(b) && (b[at] == '"' || b[at] == '\'') {
		at++
	}
	at = run(b, at, blanks)
	if at >= limit || b[at] != ':' && b[at] != '=' {
		return at, formNone
	}
	return run(b, at+1, blanks), formAssigned
}

// separator is the length of what stands between key and value.
func separator(b []byte) int {
	switch {
	case b[0] == ':' && len(b) > 1 && b[1] == '=', b[0] == '=' && len(b) > 1 && b[1] == '>', b[0] == '-' && len(b) > 1 && b[1] == '>', b[0] == '=' && len(b) > 1 && b[1] == '=':
		return 2
	case (b[0] == '-' || b[0] == '=') && bytes.HasPrefix(b[1:], []byte("\ue03e")):
		return 4
	case b[0] == ':' || b[0] == '=' || b[0] == '|':
		return 1
	case bytes.HasPrefix(b, []byte("→")) || bytes.HasPrefix(b, []byte("⇒")) || bytes.HasPrefix(b, []byte("\ue03e")):
		return 3
	case b[0] == '>':
		return 1
	}
	return 0
}

// gapBelow goes on in the next line, where the value of a heading, a list or a block
// stands. begin is the end of the key.
func (s *scan) gapBelow(begin, at int, f form) (int, form) {
	b := s.text
	if f == formNone && nameBelow(b, begin, at) {
		return s.gapPair(at, len(b))
	}
	if f != formAssigned && !heading(b, begin) {
		return at, formNone
	}
	for lines := 0; at < len(b) && lines < 3; {
		switch c := b[at]; {
		case c == '\n':
			lines++
			at++
		case c == ' ' || c == '\t' || c == '\r' || c == '-' || c == '>' || c == '*' || c == '|':
			at++
		case c == '`' && bytes.HasPrefix(b[at:], []byte("```")):
			at = lineEnd(b, at, 40)
		case c == '"' || c == '\'' || c == '`':
			return at, formCopula
		default:
			// A line of several words, or with a key of its own, does not answer for the one above.
			line := bytes.TrimRight(b[at:lineEnd(b, at, maxValue)], " \t\r")
			if bytes.IndexByte(line, ' ') >= 0 || bytes.IndexByte(line, '=') == len(line)-1 || line[len(line)-1] == ':' {
				return at, formNone
			}
			return at, formCopula
		}
	}
	return at, formNone
}

// nameBelow reports "name: DB_PASSWORD" whose value stands in the next line.
func nameBelow(b []byte, begin, at int) bool {
	line := bytes.TrimLeft(b[lineStart(b, begin, 120):at], " \t-")
	next := bytes.TrimLeft(b[at:min(len(b), at+40)], " \t\r\n")
	return (hasFold(line, "name:") || hasFold(line, "key:")) && hasFold(next, "value:")
}

// heading reports a line that is a title: "## Password", "**Password**".
func heading(b []byte, at int) bool {
	from := lineStart(b, at, 60)
	return at-from < 60 && (b[from] == '#' || b[from] == '*' && bytes.HasSuffix(bytes.TrimRight(b[from:lineEnd(b, at, 60)], " \r"), []byte("**")))
}

// gapWords reads the words between a cue and its value: "is now", "for the database:", は, 是.
func (s *scan) gapWords(at, limit int, f form, spaces int, glued bool) (int, form) {
	b := s.text
	if f == formAssigned {
		return at, f
	}
	if glued || b[at] >= 0xe2 {
		return s.gapGlued(at, limit, spaces)
	}
	if spaces == 0 {
		return at, formNone
	}
	end := wordEnd(b, at)
	word := b[at:end]
	switch {
	case copulas.has(word) && (end >= len(b) || !alnums[b[end]]):
		return s.afterCopula(end, limit)
	case (links.has(word) || toward.has(word)) && end < len(b) && (b[end] == ' ' || b[end] == '\'' || b[end] >= 0xe2):
		if value, f := s.afterLink(end, limit); f != formNone || !toward.has(word) {
			return value, f
		}
		return run(b, end, blanks), formBeside
	}
	return at, formBeside
}

// copulas say that what follows is the value.
var copulas = wordSet(`is was are were equals be now becomes became ist lautet war wurde heißt bleibt est sont devenu devient était es era son fue sido será set changed reset updated`)

// fillersAfter stand between a copula and the value.
var fillersAfter = wordSet(`is now still currently just simply to as the a be been set changed updated reset probably temporarily jetzt nun auf maintenant désormais ahora like toujours aún noch wieder`)

// links lead to what the secret is for; the value comes after a separator or a copula.
var links = wordSet(`for of on to in at from used with via de du des del para pour von zum zur für der die das den dem vom im am beim bei l d la le el un une auf im`)

// toward are links behind which the value itself may stand: "changed the password to".
var toward = wordSet(`to auf a en by with zu por con mit avec`)

// wordEnd is the end of a word of a European language.
func wordEnd(b []byte, at int) int {
	for at < len(b) {
		switch {
		case letters[b[at]]:
			at++
		case b[at] >= 0xc3 && b[at] <= 0xc5 && at+1 < len(b):
			at += 2
		default:
			return at
		}
	}
	return at
}

func (s *scan) afterCopula(at, limit int) (int, form) {
	b := s.text
	for {
		at = run(b, at, blanks)
		if at < limit && separator(b[at:]) > 0 && b[at] != '|' && b[at] != '>' {
			at = run(b, at+separator(b[at:]), blanks)
			return at, formCopula
		}
		end := wordEnd(b, at)
		if at >= limit || end == at || !fillersAfter.has(b[at:end]) || end < len(b) && b[end] != ' ' && b[end] != ':' {
			break
		}
		at = end
	}
	if at >= limit || at > 0 && b[at-1] != ' ' && b[at-1] != '\t' {
		return at, formNone
	}
	return at, formCopula
}

var blanks = makeSet(" \t")

// afterLink looks for the end of "for the staging database" on the same line.
func (s *scan) afterLink(at, limit int) (int, form) {
	b := s.text
	for at < limit {
		switch c := b[at]; {
		case c == '\n' || c == '.' && lastBefore(b, at+1) || c == ';' || c == '!' || c == '?':
			return at, formNone
		case c == ',' || c == '|':
			return at, formNone
		case (c == ':' || c == '=' && b[at-1] == ' ') && at+1 < len(b) && (b[at+1] == ' ' || c == '=' || b[at+1] == '`' || b[at+1] == '*'):
			at = run(b, at+1, blanks)
			return at, formAssigned
		case c == ' ' && at+1 < len(b):
			end := wordEnd(b, at+1)
			if copulas.has(b[at+1 : end]) {
				return s.afterCopula(end, limit)
			}
		}
		at++
	}
	return at, formNone
}

// far looks on in the sentence for a separator or a copula, and behind it for a value
// that is one beyond doubt: "password, in case you need it: ...", "the key we use is ...".
func (s *scan) far(kind cueKind, at int) {
	if kind != cuePassword && kind != cueSecret && kind != cueLogin {
		return
	}
	b := s.text
	limit := min(len(b), at+80)
	if at < limit && b[at] != ' ' && b[at] != ',' && b[at] != ':' {
		return
	}
	for at < limit {
		c := b[at]
		switch {
		case c == '\n' || c == ';' || (c == '.' || c == '?' || c == '!') && lastBefore(b, at+1) || c >= 0xe2 && bytes.HasPrefix(b[at:], []byte("。")):
			return
		case c == ' ' && at+1 < len(b) && letters[b[at+1]]:
			end := wordEnd(b, at+1)
			if kind != cueLogin && copulas.has(b[at+1:end]) && end < len(b) && b[end] == ' ' {
				if value, f := s.afterCopula(end, limit); f != formNone && s.farValue(kind, value) {
					return
				}
			}
			at = max(end, at+1)
			continue
		case c != '|' && c != '>' && separator(b[at:]) > 0:
			next := at + separator(b[at:])
			if next < len(b) && (b[next] > ' ' && b[next] < 0x80 && !openers[b[next]] || c == '=' && b[at-1] != ' ') {
				at = next
				continue
			}
			at = run(b, next, blanks)
			if s.farValue(kind, at) {
				return
			}
			continue
		}
		at++
	}
}

// farValue is value for what stands far from its cue; hashes and ids are not taken.
func (s *scan) farValue(kind cueKind, at int) bool {
	b := s.text
	if kind == cueLogin {
		s.login(formAssigned, at)
		return true
	}
	at = run(b, at, openers)
	end := trimmed(b, at, bareEnd(b, at), kind == cuePassword)
	if end-at < 6 {
		return false
	}
	v := b[at:end]
	if run(v, 0, hexDash) == len(v) || !s.plausible(kind, formBeside, v, false) {
		return false
	}
	s.detect(detectorOf[kind], at, end)
	return true
}

var (
	openers = makeSet("\"'`*_([{")
	hexDash = makeSet("0-9a-fA-F-")
)

// gapGlued steps over particles and verbs of scripts without spaces, up to the value.
func (s *scan) gapGlued(at, limit, spaces int) (int, form) {
	b := s.text
	f := formBeside
	for at < limit {
		c := b[at]
		if c < 0x80 {
			switch n := separator(b[at:]); {
			case c == ' ' || c == '\t' || c == '*' || c == '_':
				at++
				continue
			case n > 0 && c != '>':
				at, f = at+n, formAssigned
				continue
			case c == '(':
				end := bytes.IndexAny(b[at:min(limit, at+48)], ")\n")
				if end > 0 && b[at+end] == ')' && f == formBeside {
					at += end + 1
					continue
				}
			case c == '\n':
				return s.gapBelow(at, at, f)
			}
			return at, f
		}
		if n, shut := quoteAt(b, at); n > 0 && shut != "" {
			return at, min(f, formCopula)
		}
		r, n := utf8.DecodeRune(b[at:])
		if r == '。' || r == '！' || r == '？' || r == '；' || r == '、' || r == '，' {
			return at, formNone
		}
		if f == formBeside {
			f = formCopula
		}
		if r == '（' {
			if end := bytes.Index(b[at:min(len(b), at+60)], []byte("）")); end > 0 {
				n = end + len("）")
			}
		}
		at += n
	}
	return at, formNone
}

// isVerb recognises the cue that is a verb more often than a noun.
func isVerb(word []byte) bool { return len(word) == 4 && hasFold(word, "pass") }

// afterName reports whether a name of a user was given shortly before: "user bob pass".
func afterName(b []byte, at int) bool {
	before := bytes.ToLower(b[max(0, at-48):at])
	for _, w := range []string{"user", "login", "account", "wifi", "wi-fi", "admin:"} {
		if bytes.Contains(before, []byte(w)) {
			return true
		}
	}
	return false
}

// as are the words between a value and the cue behind it: "with ... as password".
var as = []string{"as", "as the", "as a", "as their", "as my", "as its", "als", "als das", "comme", "comme le", "como", "como la", "for the", "is the", "was the", "is my", "is our", "ist das", "est le", "es la",
	"を", "를", "을", "가", "이", "は", "が", "作为", "设为", "是", "为", "當作"}

// asEnds are the last words of as.
var asEnds = wordSet(`as the a their my its our als das comme le como la`)

// before looks for a value in front of its cue.
func (s *scan) before(kind cueKind, at int) {
	if kind == cueLogin {
		s.pairBefore(at)
		return
	}
	if kind != cuePassword && kind != cueSecret {
		return
	}
	b := s.text
	line := bytes.TrimRight(b[lineStart(b, at, 120):at], " *_`\"'")
	if open := bytes.LastIndexByte(line, '('); open > 6 && line[open-1] == ' ' && len(line)-open < 24 && bytes.IndexByte(line[open:], ')') < 0 {
		rest := bytes.TrimRight(line[:open], " *_`\"'")
		from := bytes.LastIndexAny(rest, " \t`\"'(") + 1
		if v := rest[from:]; len(v) >= 6 && run(v, 0, hexDash) < len(v) && s.plausible(kind, formBeside, v, false) {
			end := lineStart(b, at, 120) + len(rest)
			s.detect(detectorOf[kind], end-len(v), end)
		}
		return
	}
	n := len(line)
	if n == 0 || line[n-1] < 0x80 && !asEnds.has(line[runBack(line, n, letters, 8):]) {
		return
	}
	for _, w := range as {
		rest, ok := bytes.CutSuffix(line, []byte(w))
		if !ok || len(rest) == 0 || w[0] < 0x80 && rest[len(rest)-1] != ' ' {
			continue
		}
		rest = bytes.TrimRight(rest, " *_`\"'”」』»")
		from := bytes.LastIndexAny(rest, " \t`\"'“「『«") + 1
		if i := lastForeign(rest); i > from {
			from = i
		}
		v := rest[from:]
		if len(v) >= 6 && shapeOf(v).digit > 0 && s.plausible(kind, formBeside, v, false) {
			end := lineStart(b, at, 120) + len(rest)
			s.detect(detectorOf[kind], end-len(v), end)
		}
		return
	}
}

// lastForeign is the end of the last character that cannot be part of a value.
func lastForeign(b []byte) int {
	for i := len(b); i > 0; {
		r, n := utf8.DecodeLastRune(b[:i])
		if r >= 0x2e80 || r == utf8.RuneError || r == '“' || r == '：' {
			return i
		}
		i -= n
	}
	return 0
}
