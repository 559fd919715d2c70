package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// Values in the source of programs that no word beside them names: keys in the calls that
// take one, rows that are put into a table, private numbers of a JSON Web Key.

// keyedCalls take a key as an argument.
var keyedCalls = detector{
	words: func() []string {
		return []string{"jwt.sign(", "jwt.encode(", "jwt.decode(", "jwt.verify(", "hmac.new(", "createhmac(", "fernet(", "secretkeyspec("}
	},
	read: (*scan).keyed,
}

// keyed takes the tokens among the texts in quotes of a call.
func (s *scan) keyed(start, at int) {
	b := s.text
	if start > 0 && ascii.Alnums[b[start-1]] {
		return
	}
	for end := ascii.LineEnd(b, at, 400); at < end && b[at] != ')'; {
		n, shut := shape.QuoteAt(b, at)
		if n == 0 {
			at++
			continue
		}
		stop := shape.QuotedEnd(b, at+n, shut)
		if stop < 0 {
			return
		}
		s.judge(cueSecret, formAssigned, at+n, stop, true)
		at = stop + len(shut)
	}
}

var jsonWebKeys = detector{words: func() []string { return []string{`"kty"`} }, read: func(s *scan, _, end int) { s.jwk(end) }}

// jwk takes the private numbers of a JSON Web Key whose "kty" ends at at.
func (s *scan) jwk(at int) {
	b := s.text
	if at < s.jwkEnd {
		return
	}
	const reach = 4096
	from, to := max(0, at-reach), min(len(b), at+reach)
	from += bytes.LastIndexByte(b[from:at], '{') + 1
	if i := bytes.IndexByte(b[at:to], '}'); i >= 0 {
		to = at + i
	}
	s.jwkEnd = to
	for _, name := range []string{`"d"`, `"k"`, `"p"`, `"q"`, `"dp"`, `"dq"`, `"qi"`} {
		i := bytes.Index(b[from:to], []byte(name))
		if i < 0 {
			continue
		}
		start := ascii.Run(b, from+i+len(name), jwkGap)
		end := ascii.Run(b, start, ascii.Named["b64url"])
		if end-start >= 16 && end <= to && !shape.IsDummy(b[start:end]) && !shape.Readable(b[start:end]) {
			s.detect("private-key", start, end)
		}
	}
}

var jwkGap = ascii.NewSet(" \t\r\n:\"")

// maxInsert bounds a statement, in bytes, and the columns of its table.
const (
	maxInsert  = 16 << 10
	maxColumns = 64
)

var insertedRows = detector{words: func() []string { return []string{"insert into"} }, read: func(s *scan, _, end int) { s.insert(end) }}

// insert reads INSERT INTO t (a, password) VALUES ('...', '...'), whose words end at at.
func (s *scan) insert(at int) {
	b := s.text
	stop := min(len(b), at+maxInsert)
	if at < s.insertEnd {
		return
	}
	open := bytes.IndexByte(b[at:min(stop, at+200)], '(')
	if open < 0 {
		return
	}
	head := at + open + 1
	shut := bytes.IndexByte(b[head:min(stop, head+2000)], ')')
	if shut < 0 {
		return
	}
	values := ascii.Run(b, head+shut+1, elementGap)
	if !ascii.HasFold(b[values:], "values") {
		return
	}
	h := s.readHeads(s.cells(head, head+shut, ','))
	for at = values + len("values"); h.any && at < stop; {
		at = ascii.Run(b, at, elementGap)
		if at >= stop || b[at] != '(' {
			break
		}
		row, next := s.tuple(at+1, stop)
		s.row(h, row)
		at = next
	}
	s.insertEnd = at
}

// tuple are the values of one row of a statement, without quotes, and where it ends.
func (s *scan) tuple(at, stop int) ([]cell, int) {
	b := s.text
	var out []cell
	for at < stop && len(out) < maxColumns {
		at = ascii.Run(b, at, elementGap)
		if at >= stop || b[at] == ')' {
			return out, at + 1
		}
		if n, shut := shape.QuoteAt(b, at); n > 0 {
			end := shape.QuotedEnd(b, at+n, shut)
			if end < 0 {
				break
			}
			out, at = append(out, cell{at + n, end}), end+len(shut)
			continue
		}
		end := at
		for end < stop && b[end] != ',' && b[end] != ')' && b[end] != '\n' {
			end++
		}
		if end == at {
			break
		}
		out, at = append(out, cell{at, end}), end
	}
	return out, stop
}
