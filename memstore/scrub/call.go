package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// maxCall bounds the arguments of a call that are read, in bytes.
const maxCall = 400

// pairCall reads two texts in brackets behind a word for signing in: login("bob", "value"),
// auth=("bob", "value"), "credentials": ["bob", "value"].
func (r *pairs) pairCall(at int) bool {
	b := r.text
	if at < len(b) && b[at] == '"' {
		at++
	}
	at = ascii.Run(b, at, ascii.Blanks)
	if at < len(b) && (b[at] == '=' || b[at] == ':') {
		at = ascii.Run(b, at+1, ascii.Blanks)
	}
	if at >= len(b) || b[at] != '(' && b[at] != '[' {
		return false
	}
	args := arguments(r.text, at+1)
	f := prose.Assigned
	if b[at] == '[' {
		f = prose.Copula // lists of scopes and methods have two items too
	}
	if len(args) != 2 || !prose.QuotedArgument(b, args[0].start, args[0].end) {
		return false
	}
	if sh := shape.Of(bytes.Trim(b[args[1].start:args[1].end], "\"' \t\r\n")); f == prose.Copula && sh.Digit+sh.Symbol == 0 {
		return false
	}
	return r.values.literal(args[1], f)
}

// arguments splits what stands between brackets at its commas; at is behind the first bracket.
func arguments(b []byte, at int) []cell {
	var args []cell
	from, depth := at, 0
	limit := min(len(b), at+maxCall)
	for i := at; i < limit; i++ {
		switch c := b[i]; c {
		case '"', '\'', '`':
			end := shape.QuotedEnd(b, i+1, string(rune(c)))
			if end < 0 {
				return nil
			}
			i = end
		case '(', '[', '{':
			depth++
		case ')', ']', '}', ',':
			if c != ',' && depth > 0 {
				depth--
				continue
			}
			if depth > 0 {
				continue
			}
			args = append(args, cell{ascii.Run(b, from, ascii.JSONSpace), i})
			if c != ',' || len(args) > 5 {
				return args
			}
			from = i + 1
		}
	}
	return nil
}

// literal takes an argument that is a text and may be a password.
func (r *values) literal(arg cell, f prose.Form) bool {
	b := r.text
	at := prose.LiteralPrefix(b, arg.start)
	n, shut := shape.QuoteAt(b, at)
	if n == 0 || at >= arg.end {
		return false
	}
	end := shape.QuotedEnd(b, at+n, shut)
	return end > 0 && end < arg.end && r.judge(prose.Login, f, at+n, end, true)
}
