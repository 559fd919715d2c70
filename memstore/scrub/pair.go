package scrub

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// pairs reads a name and a password, and the headers that have such a pair or a token.
type pairs struct {
	reader
	values     *values
	cookiesEnd int // of the Cookie header that was read last
}

// login reads a name and a password behind "credentials", "login", "account":
// "admin / value", "admin:value", `admin` `value`, and base64 of such a pair.
func (r *pairs) login(f prose.Form, at int) {
	b := r.text
	for at < len(b) && b[at] == '*' {
		at++
	}
	n, shut := shape.QuoteAt(b, at)
	at += n
	end := shape.BareEnd(b, at)
	if n > 0 {
		if q := shape.QuotedEnd(b, at, shut); q > at {
			end = q
		}
	}
	if end <= at || end-at > 200 {
		return
	}
	if r.loginWord(f, at, end) {
		return
	}
	i := shape.Trimmed(b, at, end, false)
	if n > 0 {
		i = end + len(shut)
	}
	sep := ascii.Run(b, i, pairSeparators)
	if sep == i || sep-i > 5 || sep >= len(b) {
		return
	}
	if b[sep-1] == '/' && sep-i > 1 {
		return // a flag of Windows: PASSWORD /domain:CORP
	}
	marks := bytes.ContainsAny(b[i:sep], "/:|,&")
	if bytes.IndexByte(b[i:sep], ':') >= 0 && (n > 0 && shut == `"` || f != prose.Assigned) {
		return // a key of its own
	}
	from := sep
	m, shut2 := shape.QuoteAt(b, from)
	from += m
	stop := shape.Trimmed(b, from, shape.BareEnd(b, from), true)
	if m > 0 {
		if q := shape.QuotedEnd(b, from, shut2); q > from {
			stop = q
		}
	}
	if marks || m > 0 && n > 0 {
		r.pairEnd(from, stop)
	}
}

// loginWord reads what is a pair or a password by itself, or cannot be a name. It reports that the cue is done.
func (r *pairs) loginWord(f prose.Form, at, end int) bool {
	b := r.text
	first := b[at:end]
	if bytes.IndexByte(first, ':') > 0 && shape.IsReference(first) {
		return true
	}
	if (f == prose.Assigned || len(first) >= 12 && prose.EndsClause(first)) && isBasic(first) {
		r.found.detect("header", at, end)
		return true
	}
	if i := bytes.IndexAny(first, ":/|"); i > 0 && i+4 < len(first) && ascii.Run(first, 0, userBytes) == i &&
		bytes.IndexByte(first[i+1:], '/') < 0 && first[i+1] != '{' {
		r.pairEnd(at+i+1, shape.Trimmed(b, at, end, true))
		return true
	}
	if ascii.Run(b, at, userBytes) < shape.Trimmed(b, at, end, false) {
		return true
	}
	if v := b[at:shape.Trimmed(b, at, end, false)]; len(v) >= 20 && f != prose.Copula &&
		r.prose.Plausible(prose.Secret, prose.Beside, v, false) &&
		shape.Of(v).Soft == 0 && ascii.Run(v, 0, prose.HexDash) < len(v) {
		r.found.detect("secret", at, at+len(v))
		return true
	}
	return false
}

// userSlash reads "admin / value", "admin/value" and "root:value": the name of a user, a
// mark, and what is a password beyond doubt.
func (r *pairs) userSlash(start, at int) {
	b := r.text
	if start > 0 && (b[start-1] == '/' || b[start-1] == '.' || b[start-1] == '-' || b[start-1] == '_' || b[start-1] == '+' ||
		ascii.Alnums[b[start-1]]) {
		return // a path, or base64
	}
	from := ascii.Run(b, at, prose.SpaceMarks)
	if bytes.HasPrefix(b[from:], []byte("で")) { // admin で value を使う
		from = ascii.Run(b, from+len("で"), prose.OpenersBlank)
		end := shape.Trimmed(b, from, shape.BareEnd(b, from), true)
		if next := ascii.Run(b, end, prose.SpaceMarks); bytes.HasPrefix(b[next:], []byte("を使")) || bytes.HasPrefix(b[next:], []byte("でログイン")) {
			r.values.judge(prose.Password, prose.Copula, from, end, false)
		}
		return
	}
	if from >= len(b) || b[from] != '/' && b[from] != ':' {
		return
	}
	mark, tight := b[from], from == at && from+1 < len(b) && b[from+1] != ' '
	if !tight && mark == '/' && (from == at || from+1 >= len(b) || b[from+1] != ' ') {
		return
	}
	from = ascii.Run(b, from+1, prose.SpaceMarks)
	end := shape.Trimmed(b, from, shape.BareEnd(b, from), true)
	if i := bytes.IndexByte(b[from:end], '@'); tight && i > 0 && hostFollows(r.text, from+i) {
		end = from + i
	}
	v := b[from:end]
	if len(v) < 6 || bytes.IndexByte(v, '/') >= 0 || tight && bytes.IndexByte(v, ':') >= 0 {
		return
	}
	if next := ascii.Run(b, end, prose.SpaceMarks); !tight && next < len(b) && (b[next] == '/' || b[next] == '|') {
		return // three things, no pair
	}
	if sh := shape.Of(v); sh.Digit+sh.Symbol >= 2 && (!tight && mark == '/' || prose.Unmistakable(v) || prose.UnmistakableToken(v, true) ||
		sh.Kinds() >= 3 && sh.Soft == 0 && !prose.Versioned(v)) {
		r.values.judge(prose.Password, prose.Beside, from, end, false)
	}
}

// userAtHost reads name:password@host without a scheme; at is the at sign. It reports
// whether what comes before it is not an address.
func (r *pairs) userAtHost(at int) bool {
	b := r.text
	from := at
	for stop := max(0, at-80); from > stop && b[from-1] > ' ' && b[from-1] < 0x80 && b[from-1] != '"' && b[from-1] != '\'' &&
		b[from-1] != '`'; {
		from--
	}
	colon := bytes.IndexByte(b[from:at], ':')
	if bytes.Contains(b[from:at], []byte("://")) {
		return colon > 0 && bytes.IndexByte(b[from+colon+1:at], ':') >= 0
	}
	if colon < 1 || ascii.Run(b, from, userBytes) != from+colon || addressLabels.Has(b[from:from+colon]) || !hostFollows(r.text, at) {
		return false
	}
	if bytes.IndexByte(b[from+colon+1:at], ':') >= 0 {
		return false // the id of a conversation
	}
	return r.values.judge(prose.Password, prose.Beside, from+colon+1, at, false)
}

// addressLabels come before the colon of a mail address.
var addressLabels = ascii.NewWords(`mailto email e-mail mail to cc bcc from sip sips xmpp acct contact user username login owner author
 reply-to sender recipient serviceaccount member group`)

// hostFollows reports whether a host follows the at sign at at: a name with a dot,
// localhost, a host with a port, or tcp(...) as drivers of databases write it.
func hostFollows(b []byte, at int) bool {
	end := ascii.Run(b, at+1, ascii.HostBytes)
	return bytes.IndexByte(b[at:end], '.') > 0 || ascii.HasFold(b[at+1:], "localhost") || ascii.HasFold(b[at+1:], "tcp(") ||
		ascii.HasFold(b[at+1:], "unix(") || end > at+2 && end+1 < len(b) && b[end] == ':' && ascii.Digits[b[end+1]]
}

// pairBefore reads "bob / value (username / password)" and "bob / value (NAS login)": a note
// in brackets after the pair says what it is.
func (r *pairs) pairBefore(at int) {
	b := r.text
	from := ascii.LineStart(b, at, 120)
	open, n := bytes.LastIndexByte(b[from:at], '('), 1
	if i := bytes.LastIndex(b[from:at], []byte("（")); i > open {
		open, n = i, len("（")
	}
	if open < 6 || at-from-open-n > 24 || bytes.ContainsAny(b[from+open+n:at], ")=:") {
		return
	}
	words := bytes.Fields(b[from : from+open])
	if n := len(words); n >= 3 && pairMarks[string(words[n-2])] {
		if string(words[n-2]) == "|" && inRow(b, at) {
			return
		}
		word := bytes.Trim(words[n-1], "`\"'")
		start := from + bytes.LastIndex(b[from:from+open], words[n-1]) + bytes.Index(words[n-1], word)
		r.pairEnd(start, start+len(word))
	}
}

var pairMarks = map[string]bool{"/": true, ":": true, "//": true, "|": true}

var (
	userBytes      = ascii.NewSet("a-zA-Z0-9_.@+-")
	pairSeparators = ascii.NewSet(" /:|,&*\t")
)

// pairEnd takes the password of a pair.
func (r *pairs) pairEnd(from, stop int) {
	if stop <= from {
		return
	}
	v := r.text[from:stop]
	if !shape.IsIdentifier(v) && !prose.IsConstraint(v) && r.prose.Plausible(prose.Login, prose.Copula, v, false) {
		r.found.detect("password", from, stop)
	}
}

// isBasic recognises base64 of name:password.
func isBasic(v []byte) bool {
	if len(v) < 8 || len(v)%4 == 1 || ascii.Run(v, 0, ascii.Named["b64eq"]) != len(v) {
		return false
	}
	raw, err := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(v, "=")))
	return err == nil && printable(raw) && bytes.IndexByte(raw, ':') > 0
}

// printable reports text: no control bytes, and ASCII except for one in ten.
func printable(b []byte) bool {
	other := 0
	for _, c := range b {
		switch {
		case c < ' ' && c != '\n' && c != '\r' && c != '\t', c == 0x7f:
			return false
		case c >= 0x80:
			other++
		}
	}
	return len(b) > 0 && (other*10 <= len(b) || other*2 <= len(b) && validText(b))
}

func validText(b []byte) bool { return utf8.Valid(b) }

// schemes may stand between a header and its value.
var schemes = ascii.NewWords("bearer basic token digest apikey api-key key negotiate bot")

var cookieHeaders = ascii.NewWords("cookie set-cookie")

// header takes the value of a header of HTTP.
func (r *pairs) header(f prose.Form, at int, name []byte) {
	b := r.text
	scheme := schemes.Has(name)
	if f != prose.Assigned && !scheme {
		return
	}
	if cookieHeaders.Has(name) {
		r.cookies(at)
		return
	}
	if n, _ := shape.QuoteAt(b, at); n == 1 {
		at++
	}
	basic := ascii.HasFold(name, "basic")
	for {
		end := ascii.Run(b, at, ascii.Letters)
		if end >= len(b) || !schemes.Has(b[at:end]) && !namesScheme(b, at, end) || b[end] != ' ' && b[end] != '=' {
			break
		}
		basic = ascii.HasFold(b[at:end], "basic")
		at = ascii.Run(b, end+1, ascii.Blanks)
	}
	if at < len(b) && (b[at] == '"' || b[at] == '\'' || b[at] == '`') {
		at++
	}
	end := r.prose.BeforeHost(at, shape.Trimmed(b, at, shape.BareEnd(b, at), false))
	if end-at < 8 || shape.IsDummy(b[at:end]) || r.prose.IsStop(b[at:end]) || prose.NotASecret(b[at:end]) {
		return
	}
	v := b[at:end]
	sh := shape.Of(v)
	if basic {
		if isBasic(v) {
			r.found.detect("header", at, end)
		} else if colon := bytes.IndexByte(v, ':'); colon > 0 && ascii.Run(v, 0, userBytes) == colon {
			r.pairEnd(at+colon+1, end)
		}
		return
	}
	if f == prose.Assigned && prose.HardToken(v, sh) || sh.Digit > 0 && sh.Letters() > 0 && len(v) >= 12 && !shape.Readable(v) ||
		len(v) >= 20 &&
			ascii.Entropy(v) > 3.5 && !shape.Readable(v) {
		r.found.detect("header", at, end)
	}
}

// namesScheme reports capital letters before a token: SSWS 00x..., a scheme of one service.
func namesScheme(b []byte, at, end int) bool {
	if end-at < 3 || end-at > 12 || shape.Of(b[at:end]).Lower > 0 || b[end] != ' ' {
		return false
	}
	stop := shape.BareEnd(b, end+1)
	sh := shape.Of(b[end+1 : stop])
	return stop-end > 16 && sh.Digit > 1 && sh.Letters() > 7
}

// cookies takes the long values of a Cookie header; what names a language or a theme stays.
func (r *pairs) cookies(at int) {
	b := r.text
	stop := ascii.LineEnd(b, at, 2048)
	if at < stop && (b[at] == '"' || b[at] == '\'') {
		stop = quoteEnd(b, at+1, stop, b[at])
	}
	at = max(at, r.cookiesEnd) // another header in the same line has taken those before
	defer func() { r.cookiesEnd = max(r.cookiesEnd, at) }()
	for at < stop {
		eq := bytes.IndexByte(b[at:stop], '=')
		if eq < 0 {
			return
		}
		from := at + eq + 1
		end := from
		for end < stop && b[end] != ';' && b[end] != '"' && b[end] != '\'' && b[end] > ' ' {
			end++
		}
		v := b[from:end]
		if sh := shape.Of(v); len(v) >= 16 && sh.Digit > 0 && sh.Letters() > 0 && !shape.IsDummy(v) && !shape.IsDate(v) && ascii.Entropy(v) > 3 {
			r.found.detect("header", from, end)
		}
		at = end + 1
	}
}
