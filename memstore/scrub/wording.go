package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// Wordings that name a secret in ways of their own.

// changed reads "changed the password from value to value".
func (r *values) changed(from, to int) bool {
	b := r.text
	at := ascii.Run(b, to, ascii.Blanks)
	end := prose.WordEnd(b, at)
	if !origins.Has(b[at:end]) || !changes.Has(lastVerb(b, from)) {
		return false
	}
	at = ascii.Run(b, end, prose.OpenersBlank)
	old := shape.Trimmed(b, at, shape.BareEnd(b, at), true)
	next := ascii.Run(b, old, prose.OpenersBlank)
	end = prose.WordEnd(b, next)
	if !prose.Toward.Has(b[next:end]) && !r.prose.Plausible(prose.Password, prose.Copula, b[at:old], false) {
		return false
	}
	found := r.judge(prose.Password, prose.Copula, at, old, false)
	if prose.Toward.Has(b[next:end]) {
		at = ascii.Run(b, end, prose.OpenersBlank)
		found = r.judge(prose.Password, prose.Copula, at, shape.Trimmed(b, at, shape.BareEnd(b, at), true), false) || found
	}
	return found
}

var (
	origins = ascii.NewWords(`from von de desde depuis`)
	changes = ascii.NewWords(`changed change changing rotated rotate updated switched moved reset geändert ändert änderte changé
 cambié cambió cambiado`)
)

// replaced reads the value that took the place of the one that ends at end: "value → value",
// "从value改成value", "value에서 value로".
func (r *values) replaced(end int) {
	b := r.text
	at := ascii.Run(b, end, prose.OpenersBlank)
	by := successions.Begin(b[at:])
	if by == "" {
		return
	}
	at = ascii.Run(b, at+len(by), prose.OpenersBlank)
	stop := shape.Trimmed(b, at, shape.BareEnd(b, at), true)
	if stop > at && r.prose.Plausible(prose.Password, prose.Copula, b[at:stop], false) {
		r.found.announced("password", stated, at, stop)
	}
}

var successions = ascii.NewLiterals("→", "->", "=>", "から", "에서", "改成", "改为", "改為", "换成", "換成", "变成", "変更後")

// lastVerb is the word before the article and the name in front of a cue: of "rotated the
// prod db password" it is "rotated", of "wir haben das Passwort" nothing it knows.
func lastVerb(b []byte, at int) []byte {
	from := ascii.LineStart(b, at, 60)
	for words := 0; words < 5 && at > from; words++ {
		for at > from && b[at-1] == ' ' {
			at--
		}
		end := at
		for at > from && (ascii.Letters[b[at-1]] || b[at-1] >= 0x80 || b[at-1] == '-') {
			at--
		}
		if changes.Has(b[at:end]) {
			return b[at:end]
		}
		if at == end {
			return nil
		}
	}
	return nil
}

// flagged reads the value that a command line assigns to what it named before: "secret
// set DB_PASSWORD --body value", "--name /db/password --type SecureString --value value".
func (r *values) flagged(kind prose.Kind, at int) {
	if kind != prose.Password && kind != prose.Secret {
		return
	}
	b := r.text
	for stop := ascii.LineEnd(b, at, 200); at < stop; {
		i := bytes.Index(b[at:stop], []byte(" -"))
		if i < 0 {
			return
		}
		at += i + 1
		end := ascii.Run(b, at, flagBytes)
		if end < stop && (b[end] == ' ' || b[end] == '=') && valueFlags.Has(b[at:end]) {
			r.value(kind, prose.Assigned, ascii.Run(b, end+1, ascii.Blanks))
			return
		}
	}
}

var (
	flagBytes  = ascii.NewSet("a-zA-Z-")
	valueFlags = ascii.NewWords("--value --body --secret-string --plaintext --secret-value -string")
)

// network reads the name of a wireless network and its password: "WLAN: Corp5G / value".
// A password of one has eight characters at least.
func (r *pairs) network(at int) {
	b := r.text
	if colon := bytes.IndexByte(b[at:ascii.LineEnd(b, at, 40)], ':'); colon > 0 && ascii.Run(b, at, lettersBlank) == at+colon {
		at += colon // wifi at the cabin: ...
	}
	for at < len(b) && (b[at] == ' ' || b[at] == ':' || b[at] == '*' || b[at] == '=') {
		at++
	}
	n, shut := shape.QuoteAt(b, at)
	end := shape.BareEnd(b, at+n)
	if q := shape.QuotedEnd(b, at+n, shut); n > 0 && q > 0 {
		end = q + len(shut)
	}
	next := ascii.Run(b, end, prose.SpaceMarks)
	if end <= at || end-at > 40 || next >= len(b) || next == end && n == 0 || b[next] != '/' && b[next] != '|' && b[next] != ':' {
		return
	}
	from := ascii.Run(b, next+1, prose.OpenersBlank)
	if stop := shape.Trimmed(b, from, shape.BareEnd(b, from), true); stop-from >= 8 {
		r.pairEnd(from, stop)
	}
}

var lettersBlank = ascii.NewSet("a-zA-Z ")

// ofNetwork reports whether a key is that of a wireless network named before it in its line.
func ofNetwork(b []byte, at int) bool {
	return networks.In(b[ascii.LineStart(b, at, 48):at])
}

// networks are words by which a key is one of a wireless network.
var networks = ascii.NewPhrases("wifi", "wi-fi", "wlan", "ssid", "wpa", "réseau", "netzwerk", "network", "router", "livebox",
	"freebox", "ネットワーク", "网络")
