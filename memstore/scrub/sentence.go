package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// sentences reads values that stand further from their cue in its sentence, or in front of it.
type sentences struct {
	reader
	values *values
	pairs  *pairs
}

// far looks on in the sentence for a separator or a copula, and behind it for a value
// that is one beyond doubt: "password, in case you need it: ...", "the key we use is ...".
func (r *sentences) far(kind prose.Kind, at int) {
	if kind != prose.Password && kind != prose.Secret && kind != prose.Login && kind != prose.PIN {
		return
	}
	b := r.text
	limit := min(len(b), at+80)
	if next := ascii.Run(b, at, ascii.Blanks); prose.NotValue.Has(b[next:prose.WordEnd(b, next)]) {
		return // "the password manager is ..."
	}
	if at < limit && bytes.IndexByte([]byte(" ,:.?!"), b[at]) < 0 && !prose.SentenceEnd(b[at:]) {
		return
	}
	if at+1 < limit && b[at] == ',' && b[at+1] == ' ' && r.values.apposed(kind, ascii.Run(b, at+1, prose.OpenersBlank)) {
		return
	}
	for done := false; at < limit && !done; {
		switch c := b[at]; {
		case c == '"' && at+2 < limit && b[at+1] == ',' && (b[at+2] == '"' || b[at+2] == ' ' && at+3 < limit && b[at+3] == '"'):
			return // another key
		case c == '{' && (r.format != view.Markdown && r.format != view.Plain):
			return // keys of its own
		case c == '\n' || c == ';' || (c == '.' || c == '?' || c == '!') && shape.LastBefore(b, at+1) || c >= 0xe2 && prose.SentenceEnd(b[at:]):
			r.answer(kind, at)
			return
		case (c == ' ' || c == '\'') && at+1 < len(b) && ascii.Letters[b[at+1]]:
			at, done = r.farWord(kind, at+1, limit)
		case c == '-' && b[at-1] == ' ' && at+1 < len(b) && b[at+1] == ' ':
			at = ascii.Run(b, at+1, ascii.Blanks)
			done = r.farValue(kind, at)
		case c != '|' && c != '>' && prose.Separator(b[at:]) > 0:
			at, done = r.farSeparator(kind, at)
		default:
			at++
		}
	}
}

// farWord takes the value behind a word that leads to one: "is", "and", "type". It returns where to go on and whether to stop.
func (r *sentences) farWord(kind prose.Kind, at, limit int) (next int, done bool) {
	b := r.text
	end := prose.WordEnd(b, at)
	word, value := b[at:end], ascii.Run(b, end, prose.OpenersBlank)
	spaced := end < len(b) && b[end] == ' '
	switch {
	case (kind == prose.Password || kind == prose.Secret) && spaced && prose.Copulas.Has(word):
		if from, f := prose.AfterCopula(b, end, limit); f != prose.NoForm && r.farValue(kind, from) {
			return end, true
		}
		if kind == prose.Password && givers.Has(word) {
			return end, r.values.apposed(kind, value)
		}
	case kind == prose.Login && prose.Ands.Has(word):
		return end, r.values.passwordAt(value)
	case kind == prose.Password && spaced && givers.Has(word):
		return end, r.values.apposed(kind, value)
	}
	return end, false
}

// farSeparator takes the value behind a separator. It returns where to go on and whether to stop.
func (r *sentences) farSeparator(kind prose.Kind, at int) (next int, done bool) {
	b := r.text
	next = at + prose.Separator(b[at:])
	if next < len(b) && (b[next] > ' ' && b[next] < 0x80 && !prose.Openers[b[next]] || b[at] == '=' && b[at-1] != ' ') {
		return next, false
	}
	at = ascii.Run(b, next, ascii.Blanks)
	if kind != prose.PIN {
		return at, r.farValue(kind, at)
	}
	if end := ascii.Run(b, at, ascii.Digits); prose.EndsLine(b[at:end]) {
		r.values.judge(kind, prose.Assigned, at, end, false)
	}
	return at, true
}

// apposed takes a value that stands beside its name, between commas, or behind a verb that
// says to type it: "his password, value, is", "asks for a password, type value".
func (r *values) apposed(kind prose.Kind, at int) bool {
	b := r.text
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind == prose.Password)
	if end-at < 6 || ascii.Run(b[:end], at, prose.HexDash) == end || !prose.EndsClause(b[at:end]) || !r.prose.Plausible(kind, prose.Beside, b[at:end], false) {
		return false
	}
	r.found.detect(detectorOf[kind], at, end)
	return true
}

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
	if sh.Letters() < 3 || !(sh.Symbol > 0 && sh.Digit > 0 || prose.UnmistakableToken(v, true) || prose.Grouped(v)) || !prose.EndsClause(v) ||
		!r.prose.Plausible(prose.Password, prose.Beside, v, false) {
		return false
	}
	r.found.detect("password", at, end)
	return true
}

// openings begin a sentence that names what was asked for or spoken of in the one before.
var openings = []string{"it's ", "it is ", "it was ", "its ", "that's ", "that is ", "this is ", "here it is: ", "here: ", "use ",
	"try ", "es ist ", "das ist ", "er ist ", "er lautet ", "es lautet ", "c'est ", "il est ", "es la ", "es ", "son ", "それは", "これは",
	"答えは", "它是", "就是", "是", "그건 ", "이거야 ", "답은 "}

// answer looks behind the end of a sentence for the next one: "What is the password? It's ...".
func (r *sentences) answer(kind prose.Kind, at int) {
	if kind == prose.Login {
		return
	}
	b := r.text
	for stop := min(len(b), at+24); at < stop && (b[at] <= ' ' || bytes.IndexByte([]byte(".?!>-*|\""), b[at]) >= 0 || b[at] >= 0x80 &&
		prose.SentenceEnd(b[at:])); at++ {
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
func (r *sentences) farValue(kind prose.Kind, at int) bool {
	b := r.text
	if kind == prose.Login {
		r.pairs.login(prose.Assigned, at)
		return true
	}
	at = ascii.Run(b, at, prose.Openers)
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind == prose.Password)
	if end-at < 6 {
		return false
	}
	v := b[at:end]
	if ascii.Run(v, 0, prose.HexDash) == len(v) || !r.prose.Plausible(kind, prose.Beside, v, false) {
		return false
	}
	r.found.detect(detectorOf[kind], at, end)
	if kind == prose.Password {
		r.values.replaced(end)
	}
	return true
}
