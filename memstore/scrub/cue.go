package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// cues looks for what the words announce that are called cues.
type cues struct {
	reader
	values      *values
	pairs       *pairs
	codes       *codes
	phrases     *phrases
	tables      *tables
	collections *collections
	answers     *answers
	sentences   *sentences
	queryEnd    int // of the value of a key in a query that was read last
}

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
func (r *cues) cue(kind cueKind, start, end int) {
	b := r.text
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
	if kind == cueLogin && r.pairs.pairCall(to) || r.around(kind, from, start, end, to) {
		return
	}
	r.prose.cueWord, r.prose.cueFrom = b[start:end], from
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
		r.codes.recovery(to)
	case cuePhrase:
		r.phrases.phrase(to)
	case cueUser:
		r.pairs.userSlash(start, end)
		if r.format == view.Plain || r.format == view.Markdown {
			r.values.nearby(cueUser, from, to)
		}
	default:
		r.announced(kind, from, end, to)
	}
}

// around reads what needs no value right behind the cue: what stands in its line, the table
// or list it is the title of. It reports that there is nothing more to read.
func (r *cues) around(kind cueKind, from, start, end, to int) bool {
	b := r.text
	switch kind {
	case cuePassword, cueSecret, cueLogin:
		r.values.nearby(kind, from, to)
		r.tables.framed(from, to)
		return r.collections.collection(kind, from, to)
	case cueKey:
		if to <= end+1 {
			r.key(from, start, to)
		}
		return true
	case cueWifi:
		if to <= end+1 {
			r.found.barrier = r.in.nextMark(to)
			r.pairs.network(to)
			if bytes.Count(b[ascii.LineStart(b, from, 40):from], []byte(" ")) <= 4 && bytes.Count(b[to:ascii.LineEnd(b, to, 40)], []byte(" ")) <= 2 {
				r.answers.answered(from, to) // "wifi?", not "what wifi do we have here?"
			}
		}
		return true
	}
	return false
}

// announced looks for the value of a cue behind it, then around it: the cue ends at end,
// the name it is a part of spans from and to.
func (r *cues) announced(kind cueKind, from, end, to int) {
	b := r.text
	r.found.barrier = r.in.nextMark(to)
	if kind == cuePassword && r.values.changed(from, to) {
		return
	}
	at, f := r.prose.gap(to, b[from] == '-', b[end-1] >= 0x80)
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
			r.pairs.header(f, at, r.prose.cueWord)
		}
		return
	case f == formNone || f == formBeside && isVerb(b[from:to]) && !afterName(b, from):
	case kind == cueLogin:
		r.pairs.login(f, at)
	case r.values.value(kind, f, at):
		return
	case kind == cuePassword && f != formBeside:
		r.pairs.login(f, at)
	}
	if kind == cuePassword || kind == cueLogin {
		r.answers.answered(from, to)
	}
	r.values.flagged(kind, to)
	if kind == cuePassword && to < len(b) && (b[to] == ']' || b[to] == '\'' || b[to] == '"') {
		r.values.typed(to)
	}
	if f != formAssigned {
		r.sentences.before(kind, from, to)
	}
	r.sentences.far(kind, to)
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
func (r *cues) key(from, start, to int) {
	b := r.text
	if from > 0 && (b[from-1] == '?' || b[from-1] == '&') && to < len(b) && b[to] == '=' {
		if from >= r.queryEnd { // or it is a part of a value that was judged
			r.queryEnd = shape.BareEnd(b, to+1)
			r.values.keyValue(to+1, r.queryEnd, 20)
		}
		return
	}
	if ascii.HasFold(lastWord(b[max(0, from-12):from]), "pub") || from < start && !keyMayHold(cueKey, b[from:start], nil) {
		return // hasFold: public, pub
	}
	if from == start {
		r.values.nearby(cueKey, from, to)
	}
	if b[to-1] == 's' {
		return
	}
	if to+1 < len(b) && b[to] == ' ' && ascii.Lowers[b[to+1]] {
		if word := b[to+1 : wordEnd(b, to+1)]; !copulas.Has(word) && !links.Has(word) && !ofNetwork(b, start) {
			return // "key takeaways"
		}
	}
	r.found.barrier = r.in.nextMark(to)
	at, f := r.prose.gap(to, b[from] == '-', b[start] >= 0x80)
	if f != formNone && ofNetwork(b, start) && r.values.value(cuePassword, max(f, formBeside), at) {
		return
	}
	if f == formBeside {
		at, f = r.prose.afterLink(at, min(len(b), to+80))
	}
	if f != formAssigned && f != formCopula {
		return
	}
	at = ascii.Run(b, at, openers)
	r.values.keyValue(at, shape.Trimmed(b, at, shape.BareEnd(b, at), false), 20)
}

// keyValue takes a key of so many characters at least that is random beyond doubt. In
// JSON and tables hashes and ids are called keys too.
func (r *values) keyValue(from, to, least int) {
	if to-from < least {
		return
	}
	v := r.text[from:to]
	sh := shape.Of(v)
	hash := ascii.Run(v, 0, hexDash) == len(v)
	if hash && (sh.Upper > 0 || sh.Soft > 0 || r.format == view.JSON || r.format == view.JSONL || r.format == view.CSV || len(v) < 32) ||
		shape.IsDummy(v) || notASecret(v) || r.prose.isStop(v) {
		return
	}
	if (sh.Digit >= 2 && (hash || sh.Upper > 0 && sh.Lower > 0 || sh.Soft+sh.Symbol == 0)) && plausibleToken(formCopula, v, sh) {
		r.found.detect("secret", from, to)
	}
}
