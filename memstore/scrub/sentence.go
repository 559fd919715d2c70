package scrub

import (
	"bytes"
	"unicode/utf8"

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

// farWord takes the value after a word that leads to one: "is", "and", "type". It returns where to continue and whether to stop.
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

// farSeparator takes the value after a separator. It returns where to continue and whether to stop.
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
	if end-at < 6 || ascii.Run(b[:end], at, prose.HexDash) == end || !prose.EndsClause(b[at:end]) ||
		!r.prose.Plausible(kind, prose.Beside, b[at:end], false) {
		return false
	}
	r.found.announced(detectorOf[kind], beside, at, end)
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
	r.found.announced("password", beside, at, end)
	return true
}

// openings begin a sentence that names what was asked for or spoken of in the one before.
var openings = ascii.NewPhrases("it's ", "it is ", "it was ", "its ", "that's ", "that is ", "this is ", "here it is: ", "here: ", "use ",
	"try ", "es ist ", "das ist ", "er ist ", "er lautet ", "es lautet ", "c'est ", "il est ", "es la ", "es ", "son ", "それは", "これは",
	"答えは", "它是", "就是", "是", "그건 ", "이거야 ", "답은 ")

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
	// A speaker may come first.
	if colon := ascii.Run(b, at, ascii.Alnums); colon < len(b) && colon-at < 12 && colon > at && b[colon] == ':' {
		at = ascii.Run(b, colon+1, ascii.Blanks)
	}
	if opening := openings.Begin(b[min(at, len(b)):]); opening != "" {
		r.farValue(kind, ascii.Run(b, at+len(opening), ascii.Blanks))
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
	if end := spelled(b, at); end > 0 && kind == prose.Password {
		r.found.announced(detectorOf[kind], stated, at, end)
		return true
	}
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind == prose.Password)
	if end-at < 6 {
		return false
	}
	v := b[at:end]
	if ascii.Run(v, 0, prose.HexDash) == len(v) || !r.prose.Plausible(kind, prose.Beside, v, false) {
		return false
	}
	r.found.announced(detectorOf[kind], stated, at, end)
	if kind == prose.Password {
		r.values.replaced(end)
	}
	return true
}

// before looks for a value in front of its cue, which ends at end.
func (r *sentences) before(kind prose.Kind, at, end int) {
	if kind == prose.Login {
		r.pairs.pairBefore(at)
		return
	}
	if kind != prose.Password && kind != prose.Secret || !mayEndSentence(r.text, end) {
		return
	}
	b := r.text
	from := ascii.LineStart(b, at, 160)
	line := prose.TrimMarks(b[from:at])
	if open := bytes.LastIndexByte(line, '('); open > 6 && line[open-1] == ' ' && len(line)-open < 24 &&
		bytes.IndexByte(line[open:], ')') < 0 {
		r.valueBefore(kind, from, prose.TrimMarks(line[:open]), false)
		return
	}
	for words := 0; words <= 5 && len(line) > 0; words++ {
		if rest, ok := cutLink(line); ok {
			r.valueBefore(kind, from, rest, true)
			return
		}
		start := wordBefore(line)
		if start == len(line) {
			return
		}
		line = prose.TrimMarks(line[:start])
	}
}

// wordBefore is the start of the word, or of the few signs of another script, at the end of line.
func wordBefore(line []byte) int {
	if n := len(line); line[n-1] >= 0xe2 || line[n-1] >= 0x80 && line[n-1] < 0xc0 {
		i := n
		for i > 0 && n-i < 18 {
			r, size := utf8.DecodeLastRune(line[:i])
			if r < 0x2e80 || r == '。' || r == '、' || r == '，' || r == '：' {
				break
			}
			if i < n && lastLink(line[:i]) {
				break
			}
			i -= size
		}
		return i
	}
	return ascii.RunBack(line, len(line), beforeBytes, 24)
}

var beforeBytes = ascii.NewSet("a-zA-Z0-9-")

func lastLink(line []byte) bool {
	_, ok := cutLink(line)
	return ok
}

// linksBefore stand between a value and the cue behind it: "with ... as password".
var linksBefore = ascii.NewWords(`as is was for als ist war für comme est pour como es era para come è é`)

// foreignLinks are the same in scripts without spaces.
var foreignLinks = ascii.NewLiterals("を", "를", "을", "가", "이", "は", "が", "という", "라는", "作为", "设为", "是", "为", "當作", "当作", "用作", "로", "으로")

var arrowsBack = ascii.NewLiterals("←", "<-", "<=", "⟵")

// cutLink takes a link off the end of line.
func cutLink(line []byte) ([]byte, bool) {
	last := line[len(line)-1]
	if last == '-' || last == '=' || last >= 0x80 {
		link := arrowsBack.End(line)
		if link == "" {
			link = foreignLinks.End(line)
		}
		if link != "" && len(link) < len(line) {
			return prose.TrimMarks(line[:len(line)-len(link)]), true
		}
	}
	if n := len(line); n > 2 && (line[n-1] == '-' || line[n-1] == '=') && line[n-2] == ' ' {
		return prose.TrimMarks(line[:n-1]), true
	}
	from := len(line)
	for from > 0 && (ascii.Letters[line[from-1]] || line[from-1] >= 0x80) {
		from--
	}
	if from == 0 || line[from-1] != ' ' || !linksBefore.Has(line[from:]) {
		return nil, false
	}
	return prose.TrimMarks(line[:from]), true
}

// valueBefore takes the last word of line, which begins at from, if it may be a value.
func (r *sentences) valueBefore(kind prose.Kind, from int, line []byte, linked bool) {
	b := r.text
	line = bytes.TrimRight(line, "”」』»")
	start := bytes.LastIndexAny(line, " \t`\"'“「『«(") + 1
	if i := lastForeign(line); i > start {
		start = i
	}
	for start < len(line) && line[start] == '*' {
		start++
	}
	if start > 1 && string(line[start-2:start]) == "](" {
		return // where a link leads
	}
	for len(line) > start && line[len(line)-1] == ')' && bytes.IndexByte(line[start:], '(') < 0 {
		line = line[:len(line)-1] // of a remark that began before
	}
	v := b[from+start : from+len(line)]
	given := linked && start > 0 && givers.Has(prose.LastWord(line[:start])) && len(v) >= 32 && ascii.Run(v, 0, ascii.Hexes) == len(v)
	if given && kind == prose.Secret && !shape.IsDummy(v) { // use <32 hexadecimal digits> as the token
		r.found.announced(detectorOf[kind], stated, from+start, from+len(line))
		return
	}
	if len(v) < 6 || shape.Of(v).Letters() == 0 || ascii.Run(v, 0, prose.HexDash) == len(v) ||
		bytes.Contains(bytes.ToLower(v), []byte("password")) {
		return
	}
	f := prose.Beside
	if quote := start > 0 && bytes.IndexByte([]byte("`\"'"), line[start-1]) >= 0; linked && (quote ||
		givers.Has(prose.LastWord(line[:start]))) {
		f = prose.Copula
	}
	if linked && prose.Grouped(v) && !shape.IsDummy(v) || r.prose.Plausible(kind, f, v, false) && (f == prose.Copula ||
		shape.Of(v).Digit > 0) {
		r.found.announced(detectorOf[kind], stated, from+start, from+len(line))
	}
}

// givers are verbs whose object is the value.
var givers = ascii.NewWords(`mis habe gesetzt puse puesto made chose picked use uses used using try enter type set put take keep nimm
 nutze nutzt verwende setze gib utilise utilisez utiliser mets entre usa use usar pon introduce`)

// mayEndSentence reports whether a cue at whose end nothing follows that makes it the
// first half of another word: "password policy", "password hash".
func mayEndSentence(b []byte, end int) bool {
	if end >= len(b) || b[end] != ' ' {
		return end >= len(b) || !ascii.Alnums[b[end]]
	}
	next := ascii.Run(b, end, ascii.Blanks)
	word := b[next:prose.WordEnd(b, next)]
	return len(word) == 0 || !prose.NotValue.Has(word) && !laterHalf.Has(word)
}

// laterHalf are nouns that make a password something else, beside those of notValue.
var laterHalf = ascii.NewWords(`database databases vault managers cipher library plugin policies tool app entry store stores wallet
 cracker recovery protection encryption hashing derivation safe`)

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
