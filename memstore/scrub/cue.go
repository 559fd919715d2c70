package scrub

import (
	"bytes"
	"strings"
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
)

var cueKinds = map[string]cueKind{
	"password": cuePassword, "pin": cuePIN, "secret": cueSecret, "totp": cueTOTP,
	"recovery": cueRecovery, "phrase": cuePhrase, "login": cueLogin, "user": cueUser, "header": cueHeader, "key": cueKey,
}

// detectorOf names the rule under which a cue's value is reported.
var detectorOf = map[cueKind]string{cuePassword: "password", cuePIN: "password", cueSecret: "secret", cueTOTP: "totp", cueLogin: "password", cueKey: "secret"}

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
	if kind == cueLogin && s.call(to) {
		return
	}
	switch kind {
	case cuePassword, cueSecret, cueLogin:
		s.nearby(kind, from, to)
	case cueKey:
		if from == start && to <= end+1 {
			s.key(from, to)
		}
		return
	}
	s.cueWord = b[start:end]
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

func wordSet(list string) *words {
	w := &words{}
	for _, word := range strings.Fields(list) {
		w.add(word)
	}
	return w
}

// keyMayHold judges what stands before and after the cue inside one identifier.
func keyMayHold(kind cueKind, before, after []byte) bool {
	ok := true
	last := []byte(nil)
	eachPart(before, func(w []byte) {
		last = w
		ok = ok && !hasFold(w, "public")
	})
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

// key is for the word "key" by itself: in a query, or where a token stands beside it.
func (s *scan) key(from, to int) {
	b := s.text
	if from > 0 && (b[from-1] == '?' || b[from-1] == '&') && to < len(b) && b[to] == '=' {
		if stop := bareEnd(b, to+1); stop-to > 20 && plausibleToken(formCopula, b[to+1:stop], shapeOf(b[to+1:stop])) && !isDummy(b[to+1:stop]) {
			s.detect("secret", to+1, stop)
		}
		return
	}
	s.nearby(cueKey, from, to)
}
