package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// values reads the value that a cue announces.
type values struct {
	reader
	nearEnd int // up to here the lines of cues were searched for what shows its kind by itself
}

// value reads the value at at and reports it if it may be one.
func (r *values) value(kind prose.Kind, f prose.Form, at int) bool {
	b := r.text
	for at < len(b) && (b[at] == '*' && (at+1 < len(b) && b[at+1] == '*' || at > 0 && b[at-1] == '*') || b[at] == ' ') {
		at++
	}
	if bytes.HasPrefix(b[at:], []byte("<![CDATA[")) {
		at += len("<![CDATA[")
	}
	if at < len(b) && b[at] == '<' && r.angled(kind, at+1) {
		return true
	}
	if done, found := r.inFrame(kind, f, at); done {
		return found
	}
	for at < len(b) && (b[at] == '(' || b[at] == '[' || b[at] == '{') {
		at++
	}
	if r.format == view.YAML && at < len(b) && b[at] == '!' {
		if end := ascii.Run(b, at, ascii.TagBytesYAML); end < len(b) && b[end] == ' ' && end > at+2 {
			at = ascii.Run(b, end, ascii.Blanks)
		}
	}
	at = prose.LiteralPrefix(b, at)
	if n, shut := shape.QuoteAt(b, at); n > 0 {
		at += n
		if bytes.HasPrefix(b[at:], []byte(shut+shut)) && n == 1 { // a fence or a docstring
			return false
		}
		if end := shape.QuotedEnd(b, at, shut); end > at {
			for at < end && b[at] == ' ' {
				at++
			}
			for end > at && b[end-1] == ' ' {
				end--
			}
			return r.judge(kind, f, at, end, true)
		}
	}
	if at >= len(b) {
		return false
	}
	if end := spelled(b, at); end > 0 && kind == prose.Password {
		r.found.announced(detectorOf[kind], ofForm(f), at, end)
		return true
	}
	if end := appPassword(b, at); end > 0 && kind == prose.Password && f == prose.Assigned {
		r.found.detect(detectorOf[kind], at, end)
		return true
	}
	if end := wordsEnd(b, at); end > 0 && kind == prose.Password && f != prose.Beside &&
		(bytes.Contains(bytes.ToLower(r.prose.Cue), []byte("phrase")) || bytes.Contains(bytes.ToLower(r.prose.Cue), []byte("frase"))) {
		return r.judge(kind, prose.Assigned, at, end, true)
	}
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind != prose.Secret)
	end = r.prose.BeforeHost(at, end)
	if i := bytes.IndexByte(b[at:max(at, end)], '|'); i > 0 && inRow(b, at) {
		end = at + i
	}
	if kind == prose.PIN && f != prose.Beside && end == at+3 && ascii.Run(b, at, ascii.Digits) == end && end+4 <= len(b) && b[end] == ' ' &&
		ascii.Run(b, end+1, ascii.Digits) == end+4 && prose.EndsClause(b[at:end+4]) { // 481 927
		r.found.announced(detectorOf[kind], ofForm(f), at, end+4)
		return true
	}
	if wide := prose.WideWord(b, at); f == prose.Assigned && wide > end && kind == prose.Password {
		r.found.detect(detectorOf[kind], at, wide)
		return true
	}
	if kind == prose.TOTP {
		end = max(end, prose.SeedEnd(b, at))
	}
	return r.judge(kind, f, at, end, false)
}

// inRow reports whether the line of at is a row of a table.
func inRow(b []byte, at int) bool {
	first := ascii.Run(b, ascii.LineStart(b, at, 400), ascii.Blanks)
	return first < at && b[first] == '|'
}

// angled reads "<value>", where it is not a name for one.
func (r *values) angled(kind prose.Kind, at int) bool {
	end := shape.BareEnd(r.text, at)
	if end >= len(r.text) || r.text[end] != '>' || shape.Of(r.text[at:end]).Digit < 2 || shape.Of(r.text[at:end]).Soft > 0 {
		return false
	}
	return r.judge(kind, prose.Beside, at, end, false)
}

// judge reports the span if it is plausible.
func (r *values) judge(kind prose.Kind, f prose.Form, at, end int, quoted bool) bool {
	if at > 0 && at < end && r.text[at] == '@' && r.text[at-1] == '>' {
		return false // what follows a placeholder: <password>@host
	}
	if end <= at || !r.prose.Plausible(kind, f, r.text[at:end], quoted) {
		return false
	}
	r.found.announced(detectorOf[kind], ofForm(f), at, end)
	return true
}

// wordsEnd is the end of four to ten plain words at at, with spaces between, to the end of the sentence.
func wordsEnd(b []byte, at int) int {
	for n := 1; n <= 10; n++ {
		end := ascii.Run(b, at, ascii.Lowers)
		if end-at < 3 {
			return 0
		}
		if end >= len(b) || b[end] != ' ' {
			if n >= 4 && (end >= len(b) || shape.LastBefore(b, end) || b[end] == '.') {
				return end
			}
			return 0
		}
		at = end + 1
	}
	return 0
}

// spelled is the end of four and more groups of four letters and digits, as people read out a random key.
func spelled(b []byte, at int) int {
	end := at
	for n := 0; ; n++ {
		stop := ascii.Run(b, end, ascii.Alnums)
		if stop-end != 4 {
			return 0
		}
		if stop+1 < len(b) && b[stop] == ' ' && ascii.Run(b, stop+1, ascii.Alnums) == stop+5 {
			end = stop + 1
			continue
		}
		sh := shape.Of(b[at:stop])
		if n < 3 || sh.Digit < 2 || sh.Letters() < 6 || shape.Readable(b[at:stop]) {
			return 0
		}
		return stop
	}
}

// appPassword is the end of four groups of four small letters, as Google makes them.
func appPassword(b []byte, at int) int {
	for group := range 4 {
		end := ascii.Run(b, at, ascii.Lowers)
		if end-at != 4 || group < 3 && (end >= len(b) || b[end] != ' ') {
			return 0
		}
		if group == 3 {
			return end
		}
		at = end + 1
	}
	return 0
}

// Values in a frame of their own: an object, a list, struck out, one key of a connection string.

// maxElements bounds a list of values.
const maxElements = 100

// inFrame reads a value that does not start bare at at. done says that no other reader
// applies.
func (r *values) inFrame(kind prose.Kind, f prose.Form, at int) (done, found bool) {
	b := r.text
	if len(b)-at < 2 {
		return false, false
	}
	switch rest := b[at:]; {
	case bytes.HasPrefix(rest, []byte("~~")): // the old value, struck out, before the new one
		end := bytes.Index(rest[2:ascii.LineEnd(rest, 0, shape.MaxValue)], []byte("~~"))
		if end < 1 {
			return false, false
		}
		old := r.judge(kind, f, at+2, at+2+end, false)
		return true, r.value(kind, f, ascii.Run(b, at+end+4, ascii.Blanks)) || old
	case bytes.HasPrefix(rest, []byte("||")) && len(rest) > 2 && rest[2] > ' ': // hidden until it is clicked
		end := bytes.Index(rest[2:ascii.LineEnd(rest, 0, shape.MaxValue)], []byte("||"))
		return end > 0, end > 0 && r.judge(kind, f, at+2, at+2+end, false)
	case f != prose.Assigned:
	case rest[0] == '{':
		if p, g := prose.GapPair(r.text, at+1, min(len(b), at+prose.MaxGap)); g == prose.Assigned {
			return true, r.value(kind, prose.Assigned, p)
		}
	case rest[0] == '[':
		return r.elements(kind, at+1)
	}
	return false, false
}

// elements reads the strings of an array from behind its bracket.
func (r *values) elements(kind prose.Kind, at int) (done, found bool) {
	b := r.text
	for range maxElements {
		at = ascii.Run(b, at, elementGap)
		n, shut := shape.QuoteAt(b, at)
		if n == 0 {
			break
		}
		end := shape.QuotedEnd(b, at+n, shut)
		if end < 0 {
			break
		}
		found = r.judge(kind, prose.Assigned, at+n, end, true) || found
		done, at = true, end+len(shut)
	}
	return done, found
}

var elementGap = ascii.NewSet(" ,\t\r\n")

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
