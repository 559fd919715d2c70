package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// codes reads lists of recovery codes.
type codes struct {
	reader
	codesEnd int    // of the line in which a list was announced
	lastCode []byte // the first code of a list, which the others are like
}

// maxCodes bounds a list of recovery codes, and how far it may reach in bytes.
const (
	maxCodes     = 40
	maxCodesText = 2000
)

// recovery takes the codes that follow "recovery codes": in the same line, in the lines
// below, in a list, a table or an array. It ends where a line holds other text.
func (r *codes) recovery(at int) {
	b := r.text
	if at < r.codesEnd {
		return // another word of the same announcement
	}
	stop := min(len(b), at+maxCodesText)
	r.codesEnd = ascii.LineEnd(b, at, maxCodesText)
	found, blank := 0, 0
	r.lastCode = nil
	for line := 0; at < stop && line < 30 && found < maxCodes; line++ {
		end := ascii.LineEnd(b, at, maxCodesText)
		text := bytes.TrimSpace(b[at:end])
		n := 0
		switch {
		case len(text) == 0:
			blank++
		case line > 0 && (bytes.HasPrefix(text, []byte("#")) || found > 0 && blank > 0 && !isList(text)):
			return
		default:
			n = r.codesIn(at, end, line == 0)
			if n == 0 && found > 0 && !isFrame(text) || n == 0 && line > 2 {
				return
			}
			blank = 0
		}
		if blank > 2 {
			return
		}
		found += n
		at = end + 1
	}
}

// isList reports an item of a list or a row of a table.
func isList(line []byte) bool {
	return bytes.IndexByte([]byte("-*|+0123456789`\""), line[0]) >= 0
}

// isFrame reports a line that belongs to a list without being an item: a fence, a bracket, a rule.
func isFrame(line []byte) bool {
	return bytes.HasPrefix(line, []byte("```")) || len(line) < 3 || bytes.HasPrefix(line, []byte("|-"))
}

// codesIn proposes the codes of one line. In the line of the cue they may stand among words.
func (r *codes) codesIn(from, end int, first bool) int {
	b := r.text
	n, words := 0, 0
	var spans [][2]int
	for at := from; at < end; {
		if !ascii.Alnums[b[at]] {
			at++
			continue
		}
		stop := ascii.Run(b, at, codeBytes)
		for stop > at && b[stop-1] == '-' {
			stop--
		}
		if stop < end && (b[stop] == '.' || b[stop] == ')') && stop-at <= 2 && ascii.Run(b, at, ascii.Digits) == stop { // "1."
			at = stop + 1
			continue
		}
		if stop < end && b[stop] == ' ' && isGroup(b[at:stop]) { // groups with spaces between
			for stop < end && b[stop] == ' ' && isGroup(b[stop+1:ascii.Run(b, stop+1, ascii.Alnums)]) &&
				ascii.Run(b, stop+1, ascii.Alnums)-stop-1 == ascii.Run(b, at, ascii.Alnums)-at {
				stop = ascii.Run(b, stop+1, ascii.Alnums)
			}
		}
		v := b[at:stop]
		sh := shape.Of(v)
		switch {
		case r.codeAt(from, end, at, stop):
			spans = append(spans, [2]int{at, stop})
			n++
			if r.lastCode == nil {
				r.lastCode = v
			}
		case len(v) > 2 && sh.Digit == 0:
			words++
		case len(v) > 3 && !first && r.lastCode != nil:
			return 0 // a number that is not a code: the list is over
		}
		at = stop
	}
	if !first && words > 2*n+1 {
		return 0
	}
	for _, sp := range spans {
		r.found.detect("recovery", sp[0], sp[1])
	}
	return n
}

// codeAt reports whether a token is a code, built as those before it.
func (r *codes) codeAt(from, end, at, stop int) bool {
	b := r.text
	v := b[at:stop]
	if shape.IsDate(v) || shape.IsMask(v) || prose.IsTicket(v) || len(v) == 7 && r.lastCode == nil && ascii.Run(v, 0, hexLowers) == 7 &&
		at > 0 && b[at-1] == '`' || // a commit
		at > from && glue[b[at-1]] || stop < end && glue[b[stop]] {
		return false
	}
	if r.lastCode != nil && !likeCode(v, r.lastCode) {
		return false
	}
	return isCode(v) || alone(b, from, end, at, stop) && r.lastCode != nil && bytes.IndexByte(v, '-') > 0
}

var hexLowers = ascii.NewSet("0-9a-f")

// glue joins a token to more of the same: base64, a path, a version.
var glue = ascii.NewSet("+/=_@")

var codeBytes = ascii.NewSet("a-zA-Z0-9-")

// isGroup reports one group of a code written with spaces.
func isGroup(v []byte) bool {
	return len(v) >= 3 && len(v) <= 8 && ascii.Run(v, 0, ascii.Alnums) == len(v) && shape.Of(v).Digit > 0
}

// isCode reports what recovery codes look like: 8 digits, groups of equal length, letters and digits mixed.
func isCode(v []byte) bool {
	sh := shape.Of(v)
	groups := bytes.FieldsFunc(v, func(r rune) bool { return r == '-' || r == ' ' })
	if len(groups) > 1 {
		for _, g := range groups {
			if len(g) < 3 || len(g) > 12 {
				return false
			}
		}
		return sh.Digit > 1 && len(v) >= 7 || sh.Digit > 0 && len(v) >= 9 && len(groups[0]) == len(groups[1]) || sh.Lower == 0 &&
			len(groups) >= 2 && len(v) >= 9 || len(groups) >= 3 && len(groups[0]) == len(groups[1]) && len(groups[1]) == len(groups[2]) &&
			len(groups[0]) <= 6
	}
	switch {
	case sh.Digit == len(v):
		return len(v) >= 6 && len(v) <= 10 || len(v) == 16 || len(v) == 12
	case sh.Digit > 0 && sh.Letters() > 0:
		return len(v) >= 6 && len(v) <= 64 && !wordWithNumber(v)
	}
	return sh.Upper == len(v) && len(v) >= 8 && len(v) <= 32 && ascii.Entropy(v) > 2.5 && !prose.Pronounceable(string(bytes.ToLower(v)))
}

// alone reports a token that is all its line holds, except for the marks of a list.
func alone(b []byte, from, end, at, stop int) bool {
	return len(bytes.Trim(b[from:at], " \t-*|>`\"'0123456789.)[]")) == 0 && len(bytes.Trim(b[stop:end], " \t\r|`\"',)[]")) == 0
}

// likeCode reports a token built as another code: groups as long, the same marks between.
func likeCode(v, first []byte) bool {
	n, m := ascii.Run(v, 0, ascii.Alnums), ascii.Run(first, 0, ascii.Alnums)
	if n == len(v) && m == len(first) {
		return n-m <= 2 && m-n <= 2
	}
	return n == m && n < len(v) && m < len(first) && v[n] == first[m]
}

// wordWithNumber recognises "github2", "step10".
func wordWithNumber(v []byte) bool {
	n := ascii.Run(v, 0, ascii.Letters)
	return n >= 3 && ascii.Run(v, n, ascii.Digits) == len(v) && len(v)-n <= 2
}
