package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// cues looks for what the words announce that are called cues.
type cues struct {
	reader
	values   *values
	pairs    *pairs
	codes    *codes
	phrases  *phrases
	tables   *tables
	answers  *answers
	queryEnd int // of the value of a key in a query that was read last
}

// detectorOf names the rule under which a cue's value is reported.
var detectorOf = map[prose.Kind]string{prose.Password: "password", prose.PIN: "password", prose.Secret: "secret", prose.TOTP: "totp",
	prose.Login: "password", prose.Key: "secret", prose.User: "password"}

// referenceBytes are those of a reference to a secret store.
var referenceBytes = ascii.NewSet("a-zA-Z0-9_.:/-")

// maxName bounds what is read of an identifier behind the cue in it, in bytes.
const maxName = 256

// cue looks for the value that a cue word announces.
func (r *cues) cue(kind prose.Kind, start, end int) {
	b := r.text
	from, to := start, end
	r.found.cue = b[start:end]
	if end-start <= 3 && (start > 0 && ascii.Digits[b[start-1]] || end < len(b) && ascii.Digits[b[end]]) && ascii.Letters[b[start]] ||
		start > 0 && b[start-1] == '1' && ascii.HasFold(b[start:end], "password") && (start == 1 || !ascii.Alnums[b[start-2]]) {
		return // in base64; 1Password
	}
	if start > 0 && (b[start-1] == ':' || b[start-1] == '/') {
		if at := ascii.RunBack(b, start, referenceBytes, 64); shape.IsReference(b[at:end]) {
			return // urn:k8s:secret:name
		}
	}
	if ascii.Letters[b[start]] {
		from, to = ascii.RunBack(b, start, ascii.NameBytes, 64), ascii.Run(b[:min(len(b), end+maxName)], end, ascii.NameBytes)
		for to > end && (b[to-1] == '.' || b[to-1] == '-') {
			to--
		}
	}
	if from > 1 && b[from-1] == '/' && b[from-2] != '/' && b[from-2] != ' ' && !ascii.Alnums[b[from-2]] && b[from-2] < 0x80 &&
		(kind == prose.Password || kind == prose.Secret) {
		return // the name of a page: `/reset-password`
	}
	if from > 1 && b[from-1] == '/' && to < len(b) && (b[to] == ' ' || b[to] == '`') && inPath(b, from) &&
		!bytes.HasPrefix(b[to:], []byte(" -")) {
		return // /etc/passwd
	}
	if kind == prose.Secret && to == end && ascii.HasFold(b[start:end], "secret") && ofCluster(b, from) {
		return // kubectl get secret name
	}
	if kind == prose.Password && negations.Has(plainWordBefore(b, from)) {
		return // without a password: what follows is another thing
	}
	if from > 0 && b[from-1] == '<' && to < len(b) && b[to] == '>' && (r.format == view.Markdown || r.format == view.Plain) &&
		!bytes.Contains(b[to:ascii.LineEnd(b, to, 160)], []byte("</")) {
		return // <password> is a placeholder
	}
	if i := bytes.LastIndex(b[max(0, from-48):from], []byte("%env(")); i >= 0 && bytes.IndexByte(b[max(0, from-48)+i:from], ')') < 0 {
		return // %env(key:database_password:...)%
	}
	if prose.Compound(b, to) || to > end+1 && !prose.KeyMayHold(kind, nil, b[end:to]) {
		return
	}
	if kind == prose.Login && r.pairs.pairCall(to) || r.around(kind, from, start, end, to) {
		return
	}
	r.prose.Cue, r.prose.From, r.prose.Weak = b[start:end], from, prose.IsWeak(bytes.TrimRight(b[from:to], "0123456789")) ||
		string(b[from:to]) == "Pw"
	if r.prose.Weak && ascii.Digits[b[to-1]] && isVerb(b[start:end]) {
		return // Pass1=partial
	}
	if r.prose.Weak && to < len(b) && (r.verdict(from, to) || outcome(b, from, to)) {
		return
	}
	if kind == prose.Login && (start > from || to > end+1) {
		return // "billing_account" is followed by a number
	}
	if b[from] == '-' && (from == 0 || b[from-1] != '-') && to > end+1 {
		return // a flag of one letter with its value: -pwXyz
	}
	if to-end > 64 || !prose.KeyMayHold(kind, b[from:start], b[end:to]) {
		return
	}
	switch kind {
	case prose.Recovery:
		r.codes.recovery(to)
	case prose.Phrase:
		r.phrases.phrase(to)
	case prose.User:
		r.pairs.userSlash(start, end)
		if r.format == view.Plain || r.format == view.Markdown {
			r.values.nearby(prose.User, from, to)
		}
	default:
		r.announced(kind, from, end, to)
	}
}

// verdict reports a word that fills a cell which is not the first of its row: what it says, it says of the first.
func (r *cues) verdict(from, to int) bool {
	b := r.text
	next, before := ascii.Run(b, to, prose.SpaceMarks), from
	for before > 0 && prose.SpaceMarks[b[before-1]] {
		before--
	}
	if next >= len(b) || b[next] != '|' || before == 0 || b[before-1] != '|' {
		return false
	}
	line := bytes.TrimLeft(b[ascii.LineStart(b, from, 400):before-1], " \t>|")
	return len(line) > 0
}

// outcome reports capital letters that are themselves the value of a key, or that follow a count: verdict: "PASS | FAIL", 47/47 PASS.
func outcome(b []byte, from, to int) bool {
	if string(b[from:to]) != "PASS" {
		return false
	}
	before := bytes.TrimRight(b[max(0, from-8):from], " \"'`*")
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return last == ':' || last == '=' || last >= 0x80 || ascii.Digits[last]
}

// negations before a cue say that there is none.
var negations = ascii.NewWords("sin without sans ohne senza sem zonder bez")

// plainWordBefore is the word before at, on the other side of blanks.
func plainWordBefore(b []byte, at int) []byte {
	end := ascii.RunBack(b, at, ascii.Blanks, 4)
	return b[ascii.RunBack(b, end, ascii.Letters, 16):end]
}

// inPath reports whether the word that holds at is a path from a root.
func inPath(b []byte, at int) bool {
	from := ascii.RunBack(b, at, referenceBytes, 64)
	return b[from] == '/' || b[from] == '.' || from > 0 && b[from-1] == '~'
}

// ofCluster reports a command before at that names objects of a cluster.
func ofCluster(b []byte, at int) bool {
	before := b[ascii.LineStart(b, at, 80):at]
	return bytes.Contains(before, []byte("kubectl ")) || bytes.HasPrefix(bytes.TrimLeft(before, " `$"), []byte("oc "))
}

// around reads what needs no value right after the cue: what is in its line. It reports that the cue is done.
func (r *cues) around(kind prose.Kind, from, start, end, to int) bool {
	b := r.text
	switch kind {
	case prose.Password, prose.Secret, prose.Login:
		r.values.nearby(kind, from, to)
	case prose.Key:
		if to <= end+1 {
			r.key(from, start, to)
		}
		return true
	case prose.Wifi:
		if to <= end+1 {
			r.found.barrier = r.in.nextMark(to)
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
func (r *cues) announced(kind prose.Kind, from, end, to int) {
	b := r.text
	r.found.barrier = r.in.nextMark(to)
	at, f := r.prose.Gap(to, b[from] == '-', b[end-1] >= 0x80)
	if from > 0 && to < len(b) && b[to] == ' ' {
		switch in := prose.BehindTag(b, to); {
		case b[from-1] == '<' && in > 0:
			at, f = in, prose.Assigned
			if kind == prose.Login {
				kind = prose.Password
			}
		case b[from-1] == '#' && f == prose.Beside:
			f = prose.Copula
		}
	}
	switch {
	case kind == prose.Header:
		if f != prose.NoForm && (b[from] == b[end-len(r.prose.Cue)] && from == end-len(r.prose.Cue) || ascii.HasFold(b[from:], "x-")) {
			r.pairs.header(f, at, r.prose.Cue)
		}
		return
	case f == prose.NoForm || f == prose.Beside && isVerb(b[from:to]) && !prose.AfterName(b, from):
	case kind == prose.Login:
		r.pairs.login(f, at)
	case r.values.value(kind, f, at):
		return
	case kind == prose.Password && f != prose.Beside:
		r.pairs.login(f, at)
	}
	if kind == prose.Password || kind == prose.Login {
		r.answers.answered(from, to)
	}
	if kind == prose.Login && f != prose.Assigned {
		r.pairs.pairBefore(from)
	}
	r.values.flagged(kind, to)
}

// isVerb recognises the cue that is a verb more often than a noun.
func isVerb(word []byte) bool { return len(word) == 4 && ascii.HasFold(word, "pass") }

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
	if ascii.HasFold(prose.LastWord(b[max(0, from-12):from]), "pub") || from < start && !prose.KeyMayHold(prose.Key, b[from:start], nil) {
		return // hasFold: public, pub
	}
	if from == start {
		r.values.nearby(prose.Key, from, to)
	}
	if b[to-1] == 's' {
		return
	}
	if to+1 < len(b) && b[to] == ' ' && ascii.Lowers[b[to+1]] {
		if word := b[to+1 : prose.WordEnd(b, to+1)]; !prose.Copulas.Has(word) && !prose.Links.Has(word) && !ofNetwork(b, start) {
			return // "key takeaways"
		}
	}
	r.found.barrier = r.in.nextMark(to)
	at, f := r.prose.Gap(to, b[from] == '-', b[start] >= 0x80)
	if f != prose.NoForm && ofNetwork(b, start) && r.values.value(prose.Password, max(f, prose.Beside), at) {
		return
	}
	if f == prose.Beside {
		at, f = r.prose.AfterLink(at, min(len(b), to+80))
	}
	if f != prose.Assigned && f != prose.Copula {
		return
	}
	at = ascii.Run(b, at, prose.Openers)
	r.values.keyValue(at, shape.Trimmed(b, at, shape.BareEnd(b, at), false), 20)
}

// keyValue takes a key of a minimum length that is clearly random. In
// JSON and tables hashes and ids are called keys too.
func (r *values) keyValue(from, to, least int) {
	if to-from < least {
		return
	}
	v := r.text[from:to]
	sh := shape.Of(v)
	hash := ascii.Run(v, 0, prose.HexDash) == len(v)
	if hash && (sh.Upper > 0 || sh.Soft > 0 || r.format == view.JSON || r.format == view.JSONL || r.format == view.CSV || len(v) < 32) ||
		shape.IsDummy(v) || prose.NotASecret(v) || r.prose.IsStop(v) {
		return
	}
	if (sh.Digit >= 2 && (hash || sh.Upper > 0 && sh.Lower > 0 || sh.Soft+sh.Symbol == 0)) && prose.PlausibleToken(prose.Copula, v, sh) {
		r.found.detect("secret", from, to)
	}
}

// ofNetwork reports whether a key is that of a wireless network named before it in its line.
func ofNetwork(b []byte, at int) bool {
	return networks.In(b[ascii.LineStart(b, at, 48):at])
}

// networks are words by which a key is one of a wireless network.
var networks = ascii.NewPhrases("wifi", "wi-fi", "wlan", "ssid", "wpa", "réseau", "netzwerk", "network", "router", "livebox",
	"freebox", "ネットワーク", "网络")
