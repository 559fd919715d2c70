package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// webKeys reads JSON Web Keys.
type webKeys struct {
	reader
	jwkEnd int // of the key that was read last
}

// Values in the source of programs that no word beside them names: keys in the calls that
// take one, rows that are put into a table, private numbers of a JSON Web Key.

// keyedCalls take a key as an argument.
var keyedCalls = detector{
	words: func() []string {
		return []string{"jwt.sign(", "jwt.encode(", "jwt.decode(", "jwt.verify(", "hmac.new(", "createhmac(", "fernet(", "secretkeyspec("}
	},
	begin: func(s *scan) reading { return (&calls{s.reader, s.values}).keyed },
}

// keyed takes the tokens among the texts in quotes of a call.
func (r *calls) keyed(start, at int) {
	b := r.text
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
		r.values.judge(prose.Secret, prose.Assigned, at+n, stop, true)
		at = stop + len(shut)
	}
}

var jsonWebKeys = detector{
	words: func() []string { return []string{`"kty"`} },
	begin: func(s *scan) reading { return (&webKeys{reader: s.reader}).jwk },
}

// jwk takes the private numbers of a JSON Web Key whose "kty" ends at at.
func (r *webKeys) jwk(_, at int) {
	b := r.text
	if at < r.jwkEnd {
		return
	}
	const reach = 4096
	from, to := max(0, at-reach), min(len(b), at+reach)
	from += bytes.LastIndexByte(b[from:at], '{') + 1
	if i := bytes.IndexByte(b[at:to], '}'); i >= 0 {
		to = at + i
	}
	r.jwkEnd = to
	for _, name := range []string{`"d"`, `"k"`, `"p"`, `"q"`, `"dp"`, `"dq"`, `"qi"`} {
		i := bytes.Index(b[from:to], []byte(name))
		if i < 0 {
			continue
		}
		start := ascii.Run(b, from+i+len(name), jwkGap)
		end := ascii.Run(b, start, ascii.Named["b64url"])
		if end-start >= 16 && end <= to && !shape.IsDummy(b[start:end]) && !shape.Readable(b[start:end]) {
			r.found.detect("private-key", start, end)
		}
	}
}

var jwkGap = ascii.NewSet(" \t\r\n:\"")

// maxInsert bounds a statement, in bytes, and the columns of its table.
const (
	maxInsert  = 16 << 10
	maxColumns = 64
)

var insertedRows = detector{
	words: func() []string { return []string{"insert into"} },
	begin: func(s *scan) reading { return s.tables.insert },
}

// insert reads INSERT INTO t (a, password) VALUES ('...', '...'), whose words end at at.
func (t *tables) insert(_, at int) {
	b := t.text
	stop := min(len(b), at+maxInsert)
	if at < t.insertEnd {
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
	h := t.readHeads(cells(t.text, head, head+shut, ','))
	for at = values + len("values"); h.any && at < stop; {
		at = ascii.Run(b, at, elementGap)
		if at >= stop || b[at] != '(' {
			break
		}
		row, next := tuple(t.text, at+1, stop)
		t.row(h, row)
		at = next
	}
	t.insertEnd = at
}

// tuple are the values of one row of a statement, without quotes, and where it ends.
func tuple(b []byte, at, stop int) ([]cell, int) {
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
