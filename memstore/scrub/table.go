package scrub

import (
	"bytes"
	"slices"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/view"
)

// cell is a span of one cell without its padding.
type cell struct{ start, end int }

// cells splits a line at sep.
func cells(b []byte, start, end int, sep byte) []cell {
	if sep == '|' {
		for start < end && (b[start] == ' ' || b[start] == '\t' || b[start] == '>') {
			start++
		}
		if start < end && b[start] == '|' {
			start++
		}
	}
	var out []cell
	from, quote := start, false
	for i := start; i <= end; i++ {
		if i < end && b[i] == '"' && sep != '|' {
			quote = !quote
		}
		if i < end && (b[i] != sep || quote || i > start && b[i-1] == '\\') {
			continue
		}
		a, z := from, i
		for a < z && (b[a] == ' ' || b[a] == '\t' || b[a] == '"') {
			a++
		}
		for z > a && (b[z-1] == ' ' || b[z-1] == '\t' || b[z-1] == '\r' || b[z-1] == '"') {
			z--
		}
		out = append(out, cell{a, z})
		from = i + 1
	}
	return out
}

// table reads a table of Markdown from the line under its head.
func (s *scan) table(at int) {
	b := s.text
	if at < s.rulerEnd {
		return
	}
	rule := ascii.LineStart(b, at, 2000)
	s.rulerEnd = ascii.LineEnd(b, at, 2000)
	if rule == 0 || rule <= s.tableEnd || len(bytes.Trim(b[rule:ascii.LineEnd(b, rule, 2000)], " \t\r|:->")) > 0 {
		return
	}
	head := ascii.LineStart(b, rule-1, 2000)
	s.columns(head, rule-1, ascii.LineEnd(b, rule, 2000)+1, '|')
}

// columns looks at what the head of each column announces, and at the cells below it.
// Rows end at a line without sep.
func (s *scan) columns(head, headEnd, rows int, sep byte) {
	b := s.text
	h := s.readHeads(cells(s.text, head, headEnd, sep))
	at := rows
	for n := 1; h.any && at < len(b); n++ {
		if n%256 == 0 && s.ctx.Err() != nil {
			return
		}
		end := ascii.LineEnd(b, at, ascii.MaxLine)
		if bytes.IndexByte(b[at:end], sep) < 0 {
			break
		}
		s.row(h, cells(s.text, at, end, sep))
		at = end + 1
	}
	s.tableEnd = max(rows, at) - 1
}

// heads is what the cells of the first row of a table announce.
type heads struct {
	kinds []judge.Kind
	words [][]uint16 // context words
	any   bool
}

func (s *scan) readHeads(cells []cell) heads {
	b := s.text
	h := heads{kinds: make([]judge.Kind, len(cells)), words: make([][]uint16, len(cells))}
	for i, c := range cells {
		for _, hit := range s.hitsIn(c.start, c.end) {
			w := &s.e.words[hit.Word]
			if hit.Part || int(hit.End)-len(w.text) < c.start {
				continue
			}
			if len(w.cues) > 0 && (h.kinds[i] == judge.NoCue || h.kinds[i] == judge.Login) &&
				judge.KeyMayHold(b[c.start:int(hit.End)-len(w.text)], b[hit.End:c.end]) {
				h.kinds[i] = w.cues[0]
			}
			if w.context && !slices.Contains(h.words[i], hit.Word) {
				h.words[i] = append(h.words[i], hit.Word)
			}
			h.any = true
		}
	}
	return h
}

// row judges the cells of a row by the heads of their columns.
func (s *scan) row(h heads, cells []cell) {
	for i, c := range cells {
		if i < len(h.kinds) && c.end > c.start {
			s.cell(h.kinds[i], h.words[i], c)
		}
	}
}

// cell judges one cell by the head of its column.
func (s *scan) cell(kind judge.Kind, words []uint16, c cell) {
	b := s.text
	if s.nextMark(c.start) < c.end {
		kind = judge.NoCue // the value has been there
	}
	s.cellEnd = c.end
	defer func() { s.cellEnd = len(b) }()
	switch kind {
	case judge.Password, judge.PIN, judge.Secret, judge.TOTP:
		c = unmarked(b, c)
		s.take(kind, span{c.start, c.end, judge.Assigned, bytes.IndexByte(b[c.start:c.end], ' ') < 0})
	case judge.Login:
		if m := pairInCell.Get().FindIndex(b[c.start:c.end]); m != nil {
			c = unmarked(b, cell{c.start + m[1], c.end})
			s.take(judge.Password, span{c.start, c.end, judge.Copula, false})
		}
	case judge.Key:
		if c = unmarked(b, c); c.end-c.start >= 20 && ascii.Run(b, c.start, ascii.HexDashes) < c.end {
			s.take(judge.Secret, span{c.start, c.end, judge.Copula, true})
		}
	}
	if len(words) == 0 {
		return
	}
	s.column, s.phoneEnd = words, 0
	for i := c.start; i < c.end; {
		if !ascii.Alnums[b[i]] {
			i++
			continue
		}
		end := ascii.Run(b, i, ascii.Alnums)
		s.numbered(i, end)
		i = end
	}
	s.column = nil
}

// pairInCell leads to the password of a pair in a cell below "login": bob / value
var pairInCell = ascii.NewExpression("^[\"'`]?[\\w.@+-]{1,64}[\"'`]?[ \t]*[/:|,][ \t]*")

// separated reads a file of separated values; tables of Markdown are met on the way.
func (s *scan) separated() {
	if s.format != view.CSV {
		return
	}
	end := ascii.LineEnd(s.text, 0, ascii.MaxLine)
	sep, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		if n := bytes.Count(s.text[:end], []byte{c}); n > most {
			sep, most = c, n
		}
	}
	if most > 0 {
		s.columns(0, end, end+1, sep)
	}
}

// unmarked is a cell without the marks of code or emphasis round it.
func unmarked(b []byte, c cell) cell {
	for c.end-c.start > 2 && (b[c.start] == '`' || b[c.start] == '*') && b[c.end-1] == b[c.start] {
		c.start, c.end = c.start+1, c.end-1
	}
	return c
}
