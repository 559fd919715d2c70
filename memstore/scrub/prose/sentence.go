package prose

import (
	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// gapWords reads the words between a cue and its value: "is now", "for the database:", は, 是.
func (p *Reader) gapWords(at, limit int, f Form, spaces int, glued bool) (int, Form) {
	b := p.Text
	if f == Assigned {
		return at, f
	}
	if glued || b[at] >= 0xe2 {
		return p.gapGlued(at, limit, spaces)
	}
	if spaces == 0 {
		return at, NoForm
	}
	end := WordEnd(b, at)
	word := b[at:end]
	switch {
	case qualifiers.Has(word) && end < len(b) && b[end] == ' ':
		return ascii.Run(b, end, ascii.Blanks), Beside
	case Copulas.Has(word) && (end >= len(b) || !ascii.Alnums[b[end]]):
		return AfterCopula(p.Text, end, limit)
	case (Links.Has(word) || Toward.Has(word)) && end < len(b) && (b[end] == ' ' || b[end] == '\'' || b[end] >= 0xe2):
		if value, f := p.AfterLink(end, limit); f != NoForm || !Toward.Has(word) {
			return value, f
		}
		return ascii.Run(b, end, ascii.Blanks), Beside
	}
	return at, Beside
}

// qualifiers follow the noun in Romance languages.
var qualifiers = ascii.NewWords(`provisoire temporaire temporal provisional actuel actuelle actual nouveau nuevo nueva initial initiale
 inicial temporanea provvisoria nuova temporária nova`)

// Copulas say that what follows is the value.
var Copulas = ascii.NewWords(`è é is was are were equals be now becomes became ist lautet war wurde heißt bleibt est sont devenu devient
 était es era son fue sido será set changed reset updated stays stay remains bleibt reste queda sigue means`)

// fillersAfter stand between a copula and the value.
var fillersAfter = ascii.NewWords(`is now still currently just simply to as the a be been set changed updated reset probably temporarily
 jetzt nun auf maintenant désormais ahora like toujours aún noch wieder`)

// Links lead to what the secret is for; the value comes after a separator or a copula.
var Links = ascii.NewWords(`do da dos das della dello van voor het for of on to in at from used with via de du des del para pour von zum
 zur für der die das den dem vom im am beim bei l d la le el un une auf im`)

// Toward are links behind which the value itself may stand: "changed the password to".
var Toward = ascii.NewWords(`to auf a en by with zu por con mit avec`)

// WordEnd is the end of a word of a European language.
func WordEnd(b []byte, at int) int {
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

// AfterCopula is where the value behind a verb begins that ends at at.
func AfterCopula(b []byte, at, limit int) (int, Form) {
	for {
		at = ascii.Run(b, at, ascii.Blanks)
		if at < limit && Separator(b[at:]) > 0 && b[at] != '|' && b[at] != '>' {
			at = ascii.Run(b, at+Separator(b[at:]), ascii.Blanks)
			return at, Copula
		}
		end := WordEnd(b, at)
		if at >= limit || end == at || !fillersAfter.Has(b[at:end]) || end < len(b) && b[end] != ' ' && b[end] != ':' {
			break
		}
		at = end
	}
	if at >= limit || at > 0 && b[at-1] != ' ' && b[at-1] != '\t' {
		return at, NoForm
	}
	return at, Copula
}

// AfterLink looks for the end of "for the staging database" on the same line.
func (p *Reader) AfterLink(at, limit int) (int, Form) {
	b := p.Text
	for at < limit {
		switch c := b[at]; {
		case c == '\n' || c == '.' && shape.LastBefore(b, at+1) || c == ';' || c == '!' || c == '?':
			return at, NoForm
		case c == ',' || c == '|':
			return at, NoForm
		case c == ':' && at+1 < len(b) && b[at+1] == '`' && roleBefore(b, at):
			return at, NoForm
		case (c == ':' || c == '=' && b[at-1] == ' ') && at+1 < len(b) && (b[at+1] == ' ' || c == '=' || b[at+1] == '`' || b[at+1] == '*'):
			at = ascii.Run(b, at+1, ascii.Blanks)
			return at, Assigned
		case c == ' ' && at+1 < len(b):
			end := WordEnd(b, at+1)
			if Toward.Has(b[at+1:end]) && end < len(b) && b[end] == ' ' {
				from := ascii.Run(b, end, OpenersBlank)
				if v := b[from:shape.Trimmed(b, from, shape.BareEnd(b, from), true)]; len(v) > 5 &&
					p.Plausible(Password, Beside, v, false) && EndsClause(v) {
					return from, Copula
				}
			}
			if Copulas.Has(b[at+1 : end]) {
				return AfterCopula(p.Text, end, limit)
			}
		}
		at++
	}
	return at, NoForm
}

// roleBefore reports a role of reStructuredText that ends with the colon at at: :issue:`12`.
func roleBefore(b []byte, at int) bool {
	from := ascii.RunBack(b, at, ascii.NameBytes, 24)
	return from < at && from > 0 && b[from-1] == ':'
}

// Ands come before the password in a sentence about signing in.
var Ands = ascii.NewWords(`and und et y e with mit avec con using w`)

var (
	Openers = ascii.NewSet("\"'`*_([{")
	HexDash = ascii.NewSet("0-9a-fA-F-")
)
