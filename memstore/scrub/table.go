package scrub

import (
	"bytes"
	"slices"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/view"
)

// tables reads rows below a line of names: of Markdown, of separated values.
type tables struct {
	reader
	numbers *numbers

	// Up to these offsets the text was read, with an earlier word.
	tableEnd int // rows of tables, of Markdown and of separated values
	rulerEnd int // the line under the head of a table of Markdown
}

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

var markdownTables = detector{
	words: func() []string { return []string{"|--", "| --", "|:-", "| :-"} },
	begin: func(s *scan) reading { return s.tables.table },
}

// table reads a table of Markdown from the line under its head.
func (t *tables) table(at, _ int) {
	b := t.text
	if at < t.rulerEnd {
		return
	}
	rule := ascii.LineStart(b, at, 2000)
	t.rulerEnd = ascii.LineEnd(b, at, 2000)
	if rule == 0 || rule <= t.tableEnd || len(bytes.Trim(b[rule:ascii.LineEnd(b, rule, 2000)], " \t\r|:->")) > 0 {
		return
	}
	head := ascii.LineStart(b, rule-1, 2000)
	t.columns(head, rule-1, ascii.LineEnd(b, rule, 2000)+1, '|')
}

// columns looks at what the head of each column announces, and at the cells below it.
// Rows end at a line without sep.
func (t *tables) columns(head, headEnd, rows int, sep byte) {
	b := t.text
	h := t.readHeads(cells(t.text, head, headEnd, sep))
	at := rows
	for n := 1; h.any && at < len(b); n++ {
		if n%256 == 0 && t.in.ctx.Err() != nil {
			return
		}
		end := ascii.LineEnd(b, at, ascii.MaxLine)
		if bytes.IndexByte(b[at:end], sep) < 0 {
			break
		}
		t.row(h, cells(t.text, at, end, sep))
		at = end + 1
	}
	t.tableEnd = max(rows, at) - 1
}

// heads is what the cells of the first row of a table announce.
type heads struct {
	kinds []judge.Kind
	words [][]uint16 // context words
	any   bool
}

func (t *tables) readHeads(cells []cell) heads {
	b := t.text
	h := heads{kinds: make([]judge.Kind, len(cells)), words: make([][]uint16, len(cells))}
	for i, c := range cells {
		for _, hit := range t.in.hitsIn(c.start, c.end) {
			w := &t.in.e.words[hit.Word]
			if hit.Part || int(hit.End)-len(w.text) < c.start {
				continue
			}
			if len(w.cues) > 0 && (h.kinds[i] == judge.NoCue || h.kinds[i] == judge.User) &&
				judge.KeyMayHold(b[c.start:int(hit.End)-len(w.text)], b[hit.End:c.end]) && judge.EndsHead(b[hit.End:c.end]) {
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
func (t *tables) row(h heads, cells []cell) {
	for i, c := range cells {
		if i < len(h.kinds) && c.end > c.start {
			t.cell(h.kinds[i], h.words[i], c)
		}
	}
}

// cell judges one cell by the head of its column.
func (t *tables) cell(kind judge.Kind, words []uint16, c cell) {
	b := t.text
	if t.in.nextMark(c.start) < c.end {
		kind = judge.NoCue // the value has been there
	}
	t.found.cellEnd = c.end
	defer func() { t.found.cellEnd = len(b) }()
	switch kind {
	case judge.Password, judge.PIN, judge.Secret, judge.TOTP:
		c = unmarked(b, c)
		t.take(kind, span{c.start, c.end, judge.Assigned, bytes.IndexByte(b[c.start:c.end], ' ') < 0})
	}
	if len(words) == 0 || ascii.Run(b, c.start, phoneBytes) == c.start && !ascii.Alnums[b[c.start]] {
		return
	}
	t.found.column, t.numbers.phoneEnd = words, 0
	for i := c.start; i < c.end; {
		if !ascii.Alnums[b[i]] {
			i++
			continue
		}
		end := ascii.Run(b, i, ascii.Alnums)
		t.numbers.numbered(i, end)
		i = end
	}
	t.found.column = nil
}

// phoneBytes are those of a cell that the walk over words reads as a number.
var phoneBytes = ascii.NewSet("0-9()+ ./-")

// file reads a file of separated values; tables of Markdown are met on the way.
func (t *tables) file() {
	if t.format != view.CSV {
		return
	}
	end := ascii.LineEnd(t.text, 0, ascii.MaxLine)
	sep, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		if n := bytes.Count(t.text[:end], []byte{c}); n > most {
			sep, most = c, n
		}
	}
	if most > 0 {
		t.columns(0, end, end+1, sep)
	}
}

// unmarked is a cell without the marks of code or emphasis round it.
func unmarked(b []byte, c cell) cell {
	for c.end-c.start > 2 && (b[c.start] == '`' || b[c.start] == '*') && b[c.end-1] == b[c.start] {
		c.start, c.end = c.start+1, c.end-1
	}
	return c
}
