package prose

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// against reports what speaks against a value: the cue has other meanings, the value is named after it, a sentence or a program goes
// on behind it.
func (p *Reader) against(kind Kind, f Form, v []byte, sh shape.Shape, quoted bool) bool {
	words := sh.Digit+sh.Symbol+sh.Other == 0
	switch {
	case sh.Other > 0 && sh.Letters()+sh.Digit < 4 && v[0] >= 0xe2:
		return true // a count of signs in another script
	case f != Assigned && Versioned(v) && bytes.IndexByte(v, '.') > 0,
		p.ofSession() && (shape.IsUUID(v) || len(v) == 32 && ascii.Run(v, 0, ascii.Hexes) == 32):
		return true // GPL-3.0
	case p.Weak && !p.strongAlone(f, v, sh):
		return true
	case v[0] == '[' && p.IsStop(v[1:]): // [1Password
		return true
	case shape.IsSetting(v) && sh.Digit == 0 && sh.Upper == 0 && bytes.IndexByte(v, '.') < bytes.IndexByte(v, '='):
		return true // git.mode=batch
	case (f == Beside || p.Weak) && (shape.IsErrorCode(v) || isNumberedConstant(v, sh)):
		return true
	case bytes.HasPrefix(v[:cap(v)][len(v):], []byte("](")):
		return true // the text of a link
	case f == Assigned && !quoted && p.afterBar(v) && sh.Digit+sh.Symbol+sh.Other == 0 && shape.IsIdentifier(v):
		return true // the name of the next column
	case shape.IsSetting(v) && (f != Assigned || p.Weak || v[0] == '-' || bytes.IndexAny(v[:max(0, bytes.IndexByte(v, '='))], "-_") > 0):
		return true
	case (kind == Secret || kind == Key) && (sh.Other > 0 || sh.Soft > 0 && shape.IsNumberedName(v) || isPublic(v)):
		return true
	case f == Assigned && IsConstraint(v):
		return true
	case f == Assigned && !quoted && words && (p.Format == view.Markdown || p.Format == view.Plain) && proseFollows(v):
		return true // `auth.password`: WebSocket sign-in
	}
	if !shape.IsIdentifier(v) {
		return false
	}
	if f == Assigned {
		return !quoted && bytes.IndexByte(v, '.') > 0 && bytes.IndexByte(v, '_') > 0 || // pass_from = t1.player_id
			bytes.HasPrefix(v[:cap(v)][len(v):], []byte(" ? ")) // a choice in the source of a program
	}
	numbered := sh.Digit > 0 && ascii.Digits[v[len(v)-1]] && (sh.Digit > 1 || len(v) >= 8)
	return sh.Symbol+sh.Other == 0 && !numbered && !(f == Copula && p.foreignCue() && p.plainWord(v, sh))
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
	if v[0] == '#' || sh.Letters() == len(v) && (sh.Lower == 0 || string(p.Cue) == "PASS") {
		return false // a tag; PASS: README, tests pass: VERIFIED
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

// afterBar reports a value that begins its cell in a row of a table.
func (p *Reader) afterBar(v []byte) bool {
	at := len(p.Text) - cap(v)
	at = ascii.RunBack(p.Text, at, ascii.Blanks, 24)
	return at > 0 && p.Text[at-1] == '|'
}

// isNumberedConstant recognises the name of a constant with a number: LIMPIEZA_48H.
func isNumberedConstant(v []byte, sh shape.Shape) bool {
	return sh.Lower+sh.Symbol+sh.Other == 0 && sh.Digit <= 3 && sh.Letters() >= 5 && bytes.IndexByte(v, '_') > 0
}

// ofSession is set for a cue that is the id of a session. What has the form of a UUID there names a conversation; it opens nothing.
func (p *Reader) ofSession() bool {
	return ascii.HasFold(p.Cue, "sess") && (len(p.Cue) <= len("session") || ascii.HasFold(p.Cue[len(p.Cue)-2:], "id"))
}

// proseFollows reports a value after which a sentence continues in its line with a lower-case word.
func proseFollows(v []byte) bool {
	rest := v[:cap(v)][len(v):]
	rest = rest[:min(len(rest), 40)]
	if len(rest) < 4 || rest[0] != ' ' || rest[1] < 0x80 && EndsClause(v) {
		return false
	}
	if rest[1] >= 0xe3 {
		return foreignEnds.Begin(rest[1:]) == ""
	}
	end := ascii.Run(rest, 1, ascii.Lowers)
	return end > 2 && (end == len(rest) || rest[end] == ' ' || rest[end] == '.' || rest[end] == ',')
}
