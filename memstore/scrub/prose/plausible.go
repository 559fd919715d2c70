package prose

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// BeforeHost is end, or where the host of a URL begins whose user information has the cue.
func (p *Reader) BeforeHost(at, end int) int {
	b := p.Text
	if i := bytes.IndexByte(b[at:max(at, end)], '@'); i > 0 && p.From > 2 && b[p.From-1] == '/' && b[p.From-2] == '/' {
		return at + i
	}
	return end
}

// Plausible judges a value by its characters and by how it was announced.
func (p *Reader) Plausible(kind Kind, f Form, v []byte, quoted bool) bool {
	if len(v) < 4 || len(v) > shape.MaxValue || bytes.HasPrefix(v, []byte(redact.Word)) {
		return false
	}
	// What it is made of refuses most, at the least cost.
	sh := shape.Of(v)
	ok := false
	switch kind {
	case PIN:
		ok = sh.Digit >= 4 && (sh.Digit == len(v) || sh.Digit == len(v)-1 && !ascii.Digits[v[len(v)-1]]) && len(v) <= 12 && !shape.AllSame(v)
	case Password, Login:
		ok = p.plausiblePassword(f, v, sh, quoted)
	case TOTP:
		ok = plausibleSeed(v)
	default:
		ok = PlausibleToken(f, v, sh)
	}
	if !ok || p.against(kind, f, v, sh, quoted) {
		return false
	}
	return !called(v) && !shape.IsDummy(v) && !p.IsStop(v) && !NotASecret(v) &&
		((quoted || ascii.Run(v, 0, ascii.Letters) == bytes.IndexByte(v, '(')) && numberedWord(v) || !isBracketed(v)) &&
		(sh.Digit >= 2 || bytes.Count(v, []byte("|")) <= 1)
}

func (p *Reader) plausiblePassword(f Form, v []byte, sh shape.Shape, quoted bool) bool {
	if bytes.IndexByte(v, ' ') >= 0 {
		return quoted && (isPassphrase(v) || f != Beside && !p.Weak && p.plainWords(v))
	}
	if len(v) > 128 {
		return false
	}
	mixed := sh.Digit > 0 && sh.Letters()+sh.Other > 0 || sh.Symbol > 0 && sh.Letters()+sh.Digit > 0 || Scattered(v, sh) || unspeakable(v, sh)
	switch f {
	case Assigned:
		if sh.Digit == len(v) {
			return len(v) >= 4
		}
		if sh.Letters() == len(v) && len(v) >= 5 && p.tight(v) {
			return true
		}
		return mixed || sh.Soft > 0 && HyphenWords(v) >= 3 || len(v) >= 6 &&
			(quoted || p.Format != view.Plain && p.Format != view.Markdown || sh.Upper > 0 && sh.Lower > 0 && !capitalised(v)) ||
			len(v) >= 6 && EndsLine(v)
	case Copula:
		if last := v[len(v)-1]; (last == '!' || last == '?') && sh.Letters() == len(v)-1 && stateWord(v[:len(v)-1]) {
			return false // "The two passwords are inconsistent!"
		}
		if quoted {
			return mixed || HyphenWords(v) >= 3 || len(v) >= 6 && sh.Digit == len(v) || len(v) >= 6 && sh.Upper > 0 && sh.Lower > 0
		}
		return len(v) >= 5 && mixed || Grouped(v) || HyphenWords(v) >= 4 || sh.Digit == len(v) && len(v) >= 6 && len(v) <= 12 &&
			!shape.IsDay(v) && EndsClause(v) || p.plainWord(v, sh)
	}
	if (Grouped(v) || unspeakable(v, sh)) && EndsClause(v) {
		return true
	}
	if sh.Digit == len(v) {
		return len(v) >= 6 && len(v) <= 12 && !shape.IsDay(v) && EndsClause(v)
	}
	if mixed && sh.Digit > 0 && len(v) >= 7 && EndsLine(v) && !Versioned(v) &&
		(p.From == ascii.LineStart(p.Text, p.From, 8) || AfterName(p.Text, p.From)) {
		return true
	}
	if quoted && HyphenWords(v) >= 3 && sh.Digit+sh.Symbol+sh.Other == 0 && AfterName(p.Text, p.From) {
		return true
	}
	if HyphenWords(v) >= 4 && bytes.IndexByte(v, '_') < 0 && sh.Letters() >= len(v)*3/4 && EndsClause(v) {
		return true
	}
	return len(v) >= 6 && mixed && (sh.Digit > 0 || Scattered(v, sh)) && (quoted && sh.Digit > 0 || !wordish(v, sh))
}

// tight reports a value directly behind an equals sign: "pwd=value".
func (p *Reader) tight(v []byte) bool {
	at := len(p.Text) - cap(v)
	return at > 0 && p.Text[at-1] == '='
}
