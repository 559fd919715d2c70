package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
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
	cueKey              // key: a word with other meanings too
	cueWifi             // WLAN: the name of a network and its password follow
)

var cueKinds = map[string]cueKind{
	"password": cuePassword, "pin": cuePIN, "secret": cueSecret, "totp": cueTOTP,
	"recovery": cueRecovery, "phrase": cuePhrase, "login": cueLogin, "user": cueUser, "header": cueHeader, "key": cueKey, "wifi": cueWifi,
}

// detectorOf names the rule under which a cue's value is reported.
var detectorOf = map[cueKind]string{cuePassword: "password", cuePIN: "password", cueSecret: "secret", cueTOTP: "totp",
	cueLogin: "password", cueKey: "secret", cueUser: "password"}

// form is how a value hangs on its cue; the looser, the more the value itself has to show.
type form uint8

const (
	formNone     form = iota
	formAssigned      // key: value, key = value, an element, a cell
	formCopula        // the password is value
	formBeside        // password value
)

// maxName bounds what is read of an identifier behind the cue in it, in bytes.
const maxName = 256

// cue looks for the value that a cue word announces.
func (s *scan) cue(kind cueKind, start, end int) {
	b := s.text
	from, to := start, end
	if ascii.Letters[b[start]] {
		from, to = ascii.RunBack(b, start, ascii.NameBytes, 64), ascii.Run(b[:min(len(b), end+maxName)], end, ascii.NameBytes)
		for to > end && (b[to-1] == '.' || b[to-1] == '-') {
			to--
		}
	}
	if compound(b, to) || to > end+1 && (!keyMayHold(kind, nil, b[end:to]) || halfIn(b[end:to])) {
		return
	}
	if kind == cueLogin && s.pairCall(to) || s.around(kind, from, start, end, to) {
		return
	}
	s.cueWord, s.cueFrom = b[start:end], from
	if kind == cueLogin && (start > from || to > end+1) {
		return // "billing_account" is followed by a number
	}
	if b[from] == '-' && (from == 0 || b[from-1] != '-') && to > end+1 {
		return // a flag of one letter with its value: -pwXyz
	}
	if to-end > 64 || !keyMayHold(kind, b[from:start], b[end:to]) {
		return
	}
	switch kind {
	case cueRecovery:
		s.recovery(to)
	case cuePhrase:
		s.phrase(to)
	case cueUser:
		s.userSlash(start, end)
		if s.format == view.Plain || s.format == view.Markdown {
			s.nearby(cueUser, from, to)
		}
	default:
		s.announced(kind, from, end, to)
	}
}

// around reads what needs no value right behind the cue: what stands in its line, the table
// or list it is the title of. It reports that there is nothing more to read.
func (s *scan) around(kind cueKind, from, start, end, to int) bool {
	b := s.text
	switch kind {
	case cuePassword, cueSecret, cueLogin:
		s.nearby(kind, from, to)
		s.framed(from, to)
		return s.collection(kind, from, to)
	case cueKey:
		if to <= end+1 {
			s.key(from, start, to)
		}
		return true
	case cueWifi:
		if to <= end+1 {
			s.barrier = s.nextMark(to)
			s.network(to)
			if bytes.Count(b[ascii.LineStart(b, from, 40):from], []byte(" ")) <= 4 && bytes.Count(b[to:ascii.LineEnd(b, to, 40)], []byte(" ")) <= 2 {
				s.answered(from, to) // "wifi?", not "what wifi do we have here?"
			}
		}
		return true
	}
	return false
}

// announced looks for the value of a cue behind it, then around it: the cue ends at end,
// the name it is a part of spans from and to.
func (s *scan) announced(kind cueKind, from, end, to int) {
	b := s.text
	s.barrier = s.nextMark(to)
	if kind == cuePassword && s.changed(from, to) {
		return
	}
	at, f := s.gap(to, b[from] == '-', b[end-1] >= 0x80)
	if from > 0 && to < len(b) && b[to] == ' ' {
		switch in := behindTag(b, to); {
		case b[from-1] == '<' && in > 0:
			at, f = in, formAssigned
			if kind == cueLogin {
				kind = cuePassword
			}
		case b[from-1] == '#' && f == formBeside:
			f = formCopula
		}
	}
	switch {
	case kind == cueHeader:
		if f != formNone {
			s.header(f, at, s.cueWord)
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
	if kind == cuePassword || kind == cueLogin {
		s.answered(from, to)
	}
	s.flagged(kind, to)
	if kind == cuePassword && to < len(b) && (b[to] == ']' || b[to] == '\'' || b[to] == '"') {
		s.typed(to)
	}
	if f != formAssigned {
		s.before(kind, from, to)
	}
	s.far(kind, to)
}

// isVerb recognises the cue that is a verb more often than a noun.
func isVerb(word []byte) bool { return len(word) == 4 && ascii.HasFold(word, "pass") }

// afterName reports whether a name of a user was given shortly before: "user bob pass".
func afterName(b []byte, at int) bool {
	return namesOfUsers.In(b[max(0, at-48):at])
}

// namesOfUsers announce what a user signs in with.
var namesOfUsers = ascii.NewPhrases("user", "login", "account", "wifi", "wi-fi", "admin:")

// key is for the word "key", by itself or as the last part of a name: in a query, where a
// token stands beside it, or as what is called the key of something.
func (s *scan) key(from, start, to int) {
	b := s.text
	if from > 0 && (b[from-1] == '?' || b[from-1] == '&') && to < len(b) && b[to] == '=' {
		if from >= s.queryEnd { // or it is a part of a value that was judged
			s.queryEnd = shape.BareEnd(b, to+1)
			s.keyValue(to+1, s.queryEnd, 20)
		}
		return
	}
	if ascii.HasFold(lastWord(b[max(0, from-12):from]), "pub") || from < start && !keyMayHold(cueKey, b[from:start], nil) {
		return // hasFold: public, pub
	}
	if from == start {
		s.nearby(cueKey, from, to)
	}
	if b[to-1] == 's' {
		return
	}
	if to+1 < len(b) && b[to] == ' ' && ascii.Lowers[b[to+1]] {
		if word := b[to+1 : wordEnd(b, to+1)]; !copulas.Has(word) && !links.Has(word) && !ofNetwork(b, start) {
			return // "key takeaways"
		}
	}
	s.barrier = s.nextMark(to)
	at, f := s.gap(to, b[from] == '-', b[start] >= 0x80)
	if f != formNone && ofNetwork(b, start) && s.value(cuePassword, max(f, formBeside), at) {
		return
	}
	if f == formBeside {
		at, f = s.afterLink(at, min(len(b), to+80))
	}
	if f != formAssigned && f != formCopula {
		return
	}
	at = ascii.Run(b, at, openers)
	s.keyValue(at, shape.Trimmed(b, at, shape.BareEnd(b, at), false), 20)
}

// keyValue takes a key of so many characters at least that is random beyond doubt. In
// JSON and tables hashes and ids are called keys too.
func (s *scan) keyValue(from, to, least int) {
	if to-from < least {
		return
	}
	v := s.text[from:to]
	sh := shape.Of(v)
	hash := ascii.Run(v, 0, hexDash) == len(v)
	if hash && (sh.Upper > 0 || sh.Soft > 0 || s.format == view.JSON || s.format == view.JSONL || s.format == view.CSV || len(v) < 32) ||
		shape.IsDummy(v) || notASecret(v) || s.isStop(v) {
		return
	}
	if (sh.Digit >= 2 && (hash || sh.Upper > 0 && sh.Lower > 0 || sh.Soft+sh.Symbol == 0)) && plausibleToken(formCopula, v, sh) {
		s.detect("secret", from, to)
	}
}
