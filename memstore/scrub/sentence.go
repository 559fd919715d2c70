package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// sentences reads values that stand further from their cue in its sentence, or in front of it.
type sentences struct {
	reader
	values *values
	pairs  *pairs
}

// gapWords reads the words between a cue and its value: "is now", "for the database:", は, 是.
func (p *announcement) gapWords(at, limit int, f form, spaces int, glued bool) (int, form) {
	b := p.text
	if f == formAssigned {
		return at, f
	}
	if glued || b[at] >= 0xe2 {
		return p.gapGlued(at, limit, spaces)
	}
	if spaces == 0 {
		return at, formNone
	}
	end := wordEnd(b, at)
	word := b[at:end]
	switch {
	case qualifiers.Has(word) && end < len(b) && b[end] == ' ':
		return ascii.Run(b, end, ascii.Blanks), formBeside
	case copulas.Has(word) && (end >= len(b) || !ascii.Alnums[b[end]]):
		return afterCopula(p.text, end, limit)
	case (links.Has(word) || toward.Has(word)) && end < len(b) && (b[end] == ' ' || b[end] == '\'' || b[end] >= 0xe2):
		if value, f := p.afterLink(end, limit); f != formNone || !toward.Has(word) {
			return value, f
		}
		return ascii.Run(b, end, ascii.Blanks), formBeside
	}
	return at, formBeside
}

// qualifiers stand behind the noun in Romance languages.
var qualifiers = ascii.NewWords(`provisoire temporaire temporal provisional actuel actuelle actual nouveau nuevo nueva initial initiale
 inicial temporanea provvisoria nuova temporária nova`)

// copulas say that what follows is the value.
var copulas = ascii.NewWords(`è é is was are were equals be now becomes became ist lautet war wurde heißt bleibt est sont devenu devient
 était es era son fue sido será set changed reset updated stays stay remains bleibt reste queda sigue means`)

// fillersAfter stand between a copula and the value.
var fillersAfter = ascii.NewWords(`is now still currently just simply to as the a be been set changed updated reset probably temporarily
 jetzt nun auf maintenant désormais ahora like toujours aún noch wieder`)

// links lead to what the secret is for; the value comes after a separator or a copula.
var links = ascii.NewWords(`do da dos das della dello van voor het for of on to in at from used with via de du des del para pour von zum
 zur für der die das den dem vom im am beim bei l d la le el un une auf im`)

// toward are links behind which the value itself may stand: "changed the password to".
var toward = ascii.NewWords(`to auf a en by with zu por con mit avec`)

// wordEnd is the end of a word of a European language.
func wordEnd(b []byte, at int) int {
	for at < len(b) {
		switch {
		case ascii.Letters[b[at]]:
			at++
		case b[at] >= 0xc3 && b[at] <= 0xc5 && at+1 < len(b):
			at += 2
		default:
			return at
		}
	}
	return at
}

func afterCopula(b []byte, at, limit int) (int, form) {
	for {
		at = ascii.Run(b, at, ascii.Blanks)
		if at < limit && separator(b[at:]) > 0 && b[at] != '|' && b[at] != '>' {
			at = ascii.Run(b, at+separator(b[at:]), ascii.Blanks)
			return at, formCopula
		}
		end := wordEnd(b, at)
		if at >= limit || end == at || !fillersAfter.Has(b[at:end]) || end < len(b) && b[end] != ' ' && b[end] != ':' {
			break
		}
		at = end
	}
	if at >= limit || at > 0 && b[at-1] != ' ' && b[at-1] != '\t' {
		return at, formNone
	}
	return at, formCopula
}

// afterLink looks for the end of "for the staging database" on the same line.
func (p *announcement) afterLink(at, limit int) (int, form) {
	b := p.text
	for at < limit {
		switch c := b[at]; {
		case c == '\n' || c == '.' && shape.LastBefore(b, at+1) || c == ';' || c == '!' || c == '?':
			return at, formNone
		case c == ',' || c == '|':
			return at, formNone
		case (c == ':' || c == '=' && b[at-1] == ' ') && at+1 < len(b) && (b[at+1] == ' ' || c == '=' || b[at+1] == '`' || b[at+1] == '*'):
			at = ascii.Run(b, at+1, ascii.Blanks)
			return at, formAssigned
		case c == ' ' && at+1 < len(b):
			end := wordEnd(b, at+1)
			if toward.Has(b[at+1:end]) && end < len(b) && b[end] == ' ' {
				from := ascii.Run(b, end, openersBlank)
				if v := b[from:shape.Trimmed(b, from, shape.BareEnd(b, from), true)]; len(v) > 5 &&
					p.plausible(cuePassword, formBeside, v, false) && endsClause(v) {
					return from, formCopula
				}
			}
			if copulas.Has(b[at+1 : end]) {
				return afterCopula(p.text, end, limit)
			}
		}
		at++
	}
	return at, formNone
}

// far looks on in the sentence for a separator or a copula, and behind it for a value
// that is one beyond doubt: "password, in case you need it: ...", "the key we use is ...".
func (r *sentences) far(kind cueKind, at int) {
	if kind != cuePassword && kind != cueSecret && kind != cueLogin && kind != cuePIN {
		return
	}
	b := r.text
	limit := min(len(b), at+80)
	if next := ascii.Run(b, at, ascii.Blanks); notValue.Has(b[next:wordEnd(b, next)]) {
		return // "the password manager is ..."
	}
	if at < limit && bytes.IndexByte([]byte(" ,:.?!"), b[at]) < 0 && !sentenceEnd(b[at:]) {
		return
	}
	if at+1 < limit && b[at] == ',' && b[at+1] == ' ' && r.values.apposed(kind, ascii.Run(b, at+1, openersBlank)) {
		return
	}
	for at < limit {
		c := b[at]
		switch {
		case c == '"' && at+2 < limit && b[at+1] == ',' && (b[at+2] == '"' || b[at+2] == ' ' && at+3 < limit && b[at+3] == '"'):
			return // another key
		case c == '{' && (r.format != view.Markdown && r.format != view.Plain):
			return // keys of its own
		case c == '\n' || c == ';' || (c == '.' || c == '?' || c == '!') && shape.LastBefore(b, at+1) || c >= 0xe2 && sentenceEnd(b[at:]):
			r.answer(kind, at)
			return
		case (c == ' ' || c == '\'') && at+1 < len(b) && ascii.Letters[b[at+1]]:
			end := wordEnd(b, at+1)
			if kind != cueLogin && kind != cuePIN && copulas.Has(b[at+1:end]) && end < len(b) && b[end] == ' ' {
				if value, f := afterCopula(r.text, end, limit); f != formNone && r.farValue(kind, value) {
					return
				}
			}
			if kind == cueLogin && ands.Has(b[at+1:end]) && r.values.passwordAt(ascii.Run(b, end, openersBlank)) {
				return
			}
			if kind == cuePassword && givers.Has(b[at+1:end]) && end < len(b) && b[end] == ' ' && r.values.apposed(kind, ascii.Run(b, end, openersBlank)) {
				return
			}
			at = max(end, at+1)
			continue
		case c == '-' && b[at-1] == ' ' && at+1 < len(b) && b[at+1] == ' ':
			if at = ascii.Run(b, at+1, ascii.Blanks); r.farValue(kind, at) {
				return
			}
			continue
		case c != '|' && c != '>' && separator(b[at:]) > 0:
			next := at + separator(b[at:])
			if next < len(b) && (b[next] > ' ' && b[next] < 0x80 && !openers[b[next]] || c == '=' && b[at-1] != ' ') {
				at = next
				continue
			}
			at = ascii.Run(b, next, ascii.Blanks)
			if kind == cuePIN {
				if endsLine(b[at:ascii.Run(b, at, ascii.Digits)]) {
					r.values.judge(kind, formAssigned, at, ascii.Run(b, at, ascii.Digits), false)
				}
				return
			}
			if r.farValue(kind, at) {
				return
			}
			continue
		}
		at++
	}
}

// apposed takes a value that stands beside its name, between commas, or behind a verb that
// says to type it: "his password, value, is", "asks for a password, type value".
func (r *values) apposed(kind cueKind, at int) bool {
	b := r.text
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind == cuePassword)
	if end-at < 6 || ascii.Run(b[:end], at, hexDash) == end || !endsClause(b[at:end]) || !r.prose.plausible(kind, formBeside, b[at:end], false) {
		return false
	}
	r.found.detect(detectorOf[kind], at, end)
	return true
}

// ands stand before the password in a sentence that says with what to sign in.
var ands = ascii.NewWords(`and und et y e with mit avec con using w`)

// passwordAt takes a word that is built as passwords are, letters with digits and signs or in
// random groups, where a weak word has announced one.
func (r *values) passwordAt(at int) bool {
	b := r.text
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), true)
	if end-at < 7 || end-at > 40 {
		return false
	}
	v := b[at:end]
	sh := shape.Of(v)
	if sh.Letters() < 3 || !(sh.Symbol > 0 && sh.Digit > 0 || unmistakableToken(v, true) || grouped(v)) || !endsClause(v) ||
		!r.prose.plausible(cuePassword, formBeside, v, false) {
		return false
	}
	r.found.detect("password", at, end)
	return true
}

// sentenceEnd reports the marks that end a sentence in East Asian scripts.
func sentenceEnd(b []byte) bool {
	return bytes.HasPrefix(b, []byte("。")) || bytes.HasPrefix(b, []byte("？")) || bytes.HasPrefix(b, []byte("！"))
}

// openings begin a sentence that names what was asked for or spoken of in the one before.
var openings = []string{"it's ", "it is ", "it was ", "its ", "that's ", "that is ", "this is ", "here it is: ", "here: ", "use ",
	"try ", "es ist ", "das ist ", "er ist ", "er lautet ", "es lautet ", "c'est ", "il est ", "es la ", "es ", "son ", "それは", "これは",
	"答えは", "它是", "就是", "是", "그건 ", "이거야 ", "답은 "}

// answer looks behind the end of a sentence for the next one: "What is the password? It's ...".
func (r *sentences) answer(kind cueKind, at int) {
	if kind == cueLogin {
		return
	}
	b := r.text
	for stop := min(len(b), at+24); at < stop && (b[at] <= ' ' || bytes.IndexByte([]byte(".?!>-*|\""), b[at]) >= 0 || b[at] >= 0x80 &&
		sentenceEnd(b[at:])); at++ {
		if b[at] >= 0x80 {
			at += 2
		}
	}
	// A speaker may stand in front.
	if colon := ascii.Run(b, at, ascii.Alnums); colon < len(b) && colon-at < 12 && colon > at && b[colon] == ':' {
		at = ascii.Run(b, colon+1, ascii.Blanks)
	}
	for _, a := range openings {
		if at < len(b) && ascii.HasFold(b[at:], a) {
			r.farValue(kind, ascii.Run(b, at+len(a), ascii.Blanks))
			return
		}
	}
}

// farValue is value for what stands far from its cue; hashes and ids are not taken.
func (r *sentences) farValue(kind cueKind, at int) bool {
	b := r.text
	if kind == cueLogin {
		r.pairs.login(formAssigned, at)
		return true
	}
	at = ascii.Run(b, at, openers)
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind == cuePassword)
	if end-at < 6 {
		return false
	}
	v := b[at:end]
	if ascii.Run(v, 0, hexDash) == len(v) || !r.prose.plausible(kind, formBeside, v, false) {
		return false
	}
	r.found.detect(detectorOf[kind], at, end)
	if kind == cuePassword {
		r.values.replaced(end)
	}
	return true
}

var (
	openers = ascii.NewSet("\"'`*_([{")
	hexDash = ascii.NewSet("0-9a-fA-F-")
)
