package prose

import (
	"bytes"
	"slices"

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

// Plausible judges a value by what it is made of and by how it was announced.
func (p *Reader) Plausible(kind Kind, f Form, v []byte, quoted bool) bool {
	if len(v) < 4 || len(v) > shape.MaxValue || bytes.HasPrefix(v, []byte(redact.Opening)) {
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
		ok = PlausibleToken(f, v, sh) || f == Assigned && p.calledSecret() && secretLike(v, sh)
	}
	if sh.Other > 0 && sh.Letters()+sh.Digit < 4 && (v[0] >= 0xe2 || mostlyWide(v)) {
		return false // a count of signs in another script
	}
	if f != Assigned && Versioned(v) && bytes.IndexByte(v, '.') > 0 || p.namedAfter(v, sh) {
		return false // GPL-3.0
	}
	if quoted && f == Assigned && p.translated(v, sh) {
		return false
	}
	if f == Assigned && !quoted && (p.Format == view.Markdown || p.Format == view.Plain) && sh.Digit+sh.Symbol+sh.Other == 0 && proseFollows(v) {
		return false // `auth.password`: WebSocket sign-in
	}
	if f == Assigned && !quoted && bytes.IndexByte(v, '.') > 0 && bytes.IndexByte(v, '_') > 0 && shape.IsIdentifier(v) {
		return false // pass_from = t1.player_id
	}
	if shape.IsIdentifier(v) && bytes.HasPrefix(v[:cap(v)][len(v):], []byte(" ? ")) {
		return false // a choice in the source of a program
	}
	if shape.IsSetting(v) && (f != Assigned || p.Weak || v[0] == '-' || bytes.IndexAny(v[:max(0, bytes.IndexByte(v, '='))], "-_") > 0) ||
		p.Weak && !p.strongAlone(f, v, sh) || p.ofSession() && shape.IsUUID(v) {
		return false
	}
	if f != Assigned && sh.Symbol+sh.Other == 0 && (sh.Digit == 0 || !ascii.Digits[v[len(v)-1]] || sh.Digit == 1 && len(v) < 8) && shape.IsIdentifier(v) && !(f == Copula && p.foreignCue() && p.plainWord(v, sh)) || (kind == Secret || kind == Key) && (sh.Other > 0 || sh.Soft > 0 && shape.IsNumberedName(v) || isPublic(v)) {
		return false
	}
	return ok && !(sh.Digit == len(v) && counted(v)) && !called(v) && !shape.IsDummy(v) && !p.IsStop(v) && !NotASecret(v) &&
		((quoted || ascii.Run(v, 0, ascii.Letters) == bytes.IndexByte(v, '(')) && numberedWord(v) || !isBracketed(v)) &&
		(sh.Digit >= 2 || bytes.Count(v, []byte("|")) <= 1)
}

func (p *Reader) plausiblePassword(f Form, v []byte, sh shape.Shape, quoted bool) bool {
	if bytes.IndexByte(v, ' ') >= 0 {
		return quoted && (f == Assigned || f == Copula) && isPassphrase(v) || quoted && p.calledPhrase() && plainWords(v)
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
	if HyphenWords(v) >= 4 && bytes.IndexByte(v, '_') < 0 && sh.Letters() >= len(v)*3/4 && EndsClause(v) {
		return true
	}
	return len(v) >= 6 && mixed && (sh.Digit > 0 || Scattered(v, sh)) && (quoted && sh.Digit > 0 || !wordish(v, sh))
}

// proseFollows reports a value behind which a sentence goes on in its line with a word of small letters.
func proseFollows(v []byte) bool {
	rest := v[:cap(v)][len(v):]
	rest = rest[:min(len(rest), 40)]
	if len(rest) < 4 || rest[0] != ' ' || rest[1] < 0x80 && EndsClause(v) {
		return false
	}
	if rest[1] >= 0xe3 {
		return !slices.ContainsFunc(foreignEnds, func(w string) bool { return bytes.HasPrefix(rest[1:], []byte(w)) })
	}
	end := ascii.Run(rest, 1, ascii.Lowers)
	return end > 2 && (end == len(rest) || rest[end] == ' ' || rest[end] == '.' || rest[end] == ',')
}

// namedAfter reports a name in a program or a setting that has the word for the secret in it: allowBypass, secretNonBase64Encoded.
func (p *Reader) namedAfter(v []byte, sh shape.Shape) bool {
	if len(p.Cue) < 4 || sh.Digit > 2 || sh.Symbol+sh.Other > 0 || len(v) < len(p.Cue)+4 || !ascii.Letters[v[len(v)-1]] ||
		!bytes.Contains(bytes.ToLower(v), bytes.ToLower(p.Cue)) {
		return false
	}
	parts := 0
	EachPart(v, func(w []byte) { parts++ })
	return parts > 2 && shape.Readable(v) || parts == 2 && sh.Digit == 0 && sh.Upper > 0
}

// translated reports a text of a translation: words alone, for a key that is a text itself ("Reset password": "Palavra-passe nova")
// or begins with a capital letter as the word does ("Password": "Wachtwoord").
func (p *Reader) translated(v []byte, sh shape.Shape) bool {
	if sh.Digit > 0 || sh.Symbol > bytes.Count(v, []byte(" ")) || p.Format != view.JSON && p.Format != view.YAML && p.Format != view.JSONL {
		return false
	}
	from := max(0, p.From-120)
	open := bytes.LastIndexAny(p.Text[from:p.From], "\"'\n")
	if open < 0 || p.Text[from+open] == '\n' {
		return false
	}
	start := from + open + 1
	key := p.Text[start:]
	if end := bytes.IndexByte(key[:min(len(key), 160)], p.Text[from+open]); end > 0 {
		key = key[:end]
	}
	return bytes.IndexByte(key, ' ') > 0 || ascii.Uppers[key[0]] && shape.Of(key).Lower > 0 && ascii.Uppers[v[0]] && sh.Upper == 1 && sh.Soft == 0
}

// strongAlone reports what a word with other meanings may announce: directly behind it anything but names, in its sentence only
// what no other word is built like.
func (p *Reader) strongAlone(f Form, v []byte, sh shape.Shape) bool {
	if shape.IsIdentifier(v) {
		return false
	}
	if bytes.IndexByte(v, '=') > 0 && sh.Other > 0 {
		return false // ΔG=242
	}
	if sh.Letters() == len(v)-1 && sh.Symbol == 1 && v[len(v)-1] == '!' {
		return false // a cry
	}
	if ascii.HasFold(p.Cue, "wpa") && sh.Digit+sh.Symbol == 0 {
		return false // WPA2: Enterprise
	}
	if f == Assigned || f == Beside && AfterName(p.Text, p.From) {
		return (sh.Digit+sh.Symbol+sh.Other > 0 || HyphenWords(v) != 2) && !(sh.Soft > 0 && shape.IsNumberedName(v))
	}
	return Unmistakable(v) || UnmistakableToken(v, true) || Grouped(v) || Scattered(v, sh) || unspeakable(v, sh) ||
		sh.Digit > 0 && sh.Letters() > 0 && !shape.IsNumberedName(v) && EndsClause(v)
}

// ofSession is set for a cue that says session. What has the form of a UUID there names a conversation; it opens nothing.
func (p *Reader) ofSession() bool { return bytes.Contains(bytes.ToLower(p.Cue), []byte("sess")) }

// tight reports a value directly behind an equals sign: "pwd=value".
func (p *Reader) tight(v []byte) bool {
	at := len(p.Text) - cap(v)
	return at > 0 && p.Text[at-1] == '='
}

// calledSecret is set for a cue that says secret, which people choose as they choose passwords.
func (p *Reader) calledSecret() bool {
	return bytes.Contains(bytes.ToLower(p.Cue), []byte("secret"))
}

// calledPhrase is set for a cue that says phrase.
func (p *Reader) calledPhrase() bool {
	return bytes.Contains(bytes.ToLower(p.Cue), []byte("phrase"))
}

// InConnection reports the value of a key in a connection string: whatever stands there
// is the password.
func (p *Reader) InConnection(kind Kind, at, end int) bool {
	b := p.Text
	v := b[at:end]
	if kind != Password || len(v) < 4 || at == 0 || b[at-1] != '=' || shape.IsDummy(v) || p.IsStop(v) || NotASecret(v) ||
		isBracketed(v) || bytes.IndexByte(v, ' ') >= 0 {
		return false
	}
	key := ascii.RunBack(b, at-1, shape.PairNames, 32)
	before := key > 0 && b[key-1] == ';' && shape.NextPair(b, key)
	after := end+1 < len(b) && (b[end] == ';' || b[end] == ' ') && shape.NextPair(b, end+1) && b[end+1] != ' '
	return before && (after || shape.LastBefore(b, end)) || after && (b[end] == ';' || ascii.HasFold(b[end+1:], "sslmode") ||
		ascii.HasFold(b[end+1:], "host") || ascii.HasFold(b[end+1:], "dbname"))
}
