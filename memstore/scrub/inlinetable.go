package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// Tables inside a text of another format: of a page, and rows of separated
// values below a line of names.

// maxPageTable bounds a table of a page, in bytes.
const maxPageTable = 256 << 10

// framed reads the table in whose first row the cue from from to to is a name of its own.
func (t *tables) framed(from, to int) {
	switch at := max(0, from-maxHeadCell); {
	case from >= t.pageEnd && bytes.LastIndexByte(t.text[at:from], '<') >= 0:
		t.pageTable(from)
	case t.format != view.CSV && from > t.tableEnd:
		t.separated(from, to)
	}
}

// maxHeadCell bounds the text before the cue in a cell of the first row.
const maxHeadCell = 120

// pageTable reads the table of a page of which a head holds the place at: <th>Password</th>.
func (t *tables) pageTable(at int) {
	b := t.text
	before := b[max(0, at-maxHeadCell):at]
	th := lastFold(before, "<th")
	if th < 0 || lastFold(before, "</th") > th {
		return
	}
	limit := min(len(b), at+maxPageTable)
	head := max(0, at-2000)
	head += max(0, lastFold(b[head:at], "<tr"))
	row, next := pageRow(t.text, head, limit)
	h := t.readHeads(row)
	for h.any && next < limit {
		row, next = pageRow(t.text, next, limit)
		t.row(h, row)
	}
	t.pageEnd = next
}

// pageRow are the cells of a row of a page from at on, and where the next one begins; that
// is limit behind the last.
func pageRow(b []byte, at, limit int) ([]cell, int) {
	var out []cell
	open := -1
	shut := func(end int) {
		if open >= 0 {
			out = append(out, bareCell(b, open, end))
		}
		open = -1
	}
	for rows := 0; ; at++ {
		i := bytes.IndexByte(b[at:limit], '<')
		if i < 0 {
			shut(limit)
			return out, limit
		}
		at += i
		switch rest := b[at:limit]; {
		case ascii.HasFold(rest, "<tr"):
			if rows++; rows > 1 {
				shut(at)
				return out, at
			}
		case ascii.HasFold(rest, "</table"):
			shut(at)
			return out, limit
		case ascii.HasFold(rest, "<td"), ascii.HasFold(rest, "<th") && !ascii.HasFold(rest, "<thead"):
			shut(at)
			if j := bytes.IndexByte(rest, '>'); j > 0 {
				open = at + j + 1
			}
		case ascii.HasFold(rest, "</td"), ascii.HasFold(rest, "</th"), ascii.HasFold(rest, "</tr"):
			shut(at)
		}
	}
}

// bareCell is a cell of a page without the tags and blanks round its text.
func bareCell(b []byte, start, end int) cell {
	for {
		start = min(ascii.Run(b, start, ascii.JSONSpace), end)
		j := bytes.IndexByte(b[start:end], '>')
		if start == end || b[start] != '<' || j < 0 {
			break
		}
		start += j + 1
	}
	for end > start {
		if c := b[end-1]; c <= ' ' {
			end--
			continue
		}
		j := bytes.LastIndexByte(b[start:end], '<')
		if b[end-1] != '>' || j < 0 {
			break
		}
		end = start + j
	}
	return cell{start, end}
}

// lastFold is where the ASCII word, in any case, begins last in b; -1: nowhere.
func lastFold(b []byte, word string) int {
	for at := len(b); ; {
		at = bytes.LastIndexByte(b[:at], word[0])
		if at < 0 || ascii.HasFold(b[at:], word) {
			return at
		}
	}
}

// separated reads rows below a line of names: "name;user;password". The cue is a name of
// its own, and the row below has as many cells.
func (t *tables) separated(from, to int) {
	if from < t.framedEnd {
		return // another name of the same line
	}
	b := t.text
	for to < len(b) && (b[to] == '"' || b[to] == ' ') {
		to++
	}
	if to < len(b) && b[to] != ';' && b[to] != '\t' && b[to] != ',' && b[to] != '\n' && b[to] != '\r' &&
		!bytes.HasSuffix(b[:to], []byte("  ")) {
		return
	}
	head, end := ascii.LineStart(b, from, 300), ascii.LineEnd(b, to, 300)
	if end >= len(b) || b[end] != '\n' || head > 0 && b[head-1] != '\n' {
		return
	}
	t.framedEnd = end
	next := ascii.LineEnd(b, end+1, ascii.MaxLine)
	for _, sep := range []byte{';', '\t', ','} {
		n := bytes.Count(b[head:end], []byte{sep})
		if n == 0 || n == 1 && sep == ',' || n != bytes.Count(b[end+1:next], []byte{sep}) {
			continue
		}
		if namesOnly(b, cells(t.text, head, end, sep)) {
			t.columns(head, end, end+1, sep, n)
			return
		}
	}
	t.aligned(head, end)
}

// aligned reads columns that blanks hold apart, two or more between their names.
func (t *tables) aligned(head, end int) {
	b := t.text
	starts, names := columnStarts(b, head, end)
	if len(starts) < 2 || len(starts) > maxColumns || !namesOnly(b, names) {
		return
	}
	h := t.readHeads(names)
	at := end + 1
	for n := 1; h.any && at < len(b); n++ {
		if n%256 == 0 && t.in.ctx.Err() != nil {
			return
		}
		stop := ascii.LineEnd(b, at, ascii.MaxLine)
		cells := make([]cell, len(starts))
		for i, offset := range starts {
			from := at + offset
			to := stop
			if i+1 < len(starts) {
				to = at + starts[i+1]
			}
			if from >= stop || b[from] <= ' ' || from > at && b[from-1] != ' ' || to > stop {
				t.tableEnd = max(t.tableEnd, at-1)
				return
			}
			for to > from && b[to-1] <= ' ' {
				to--
			}
			cells[i] = cell{from, to}
		}
		t.row(h, cells)
		at = stop + 1
	}
	t.tableEnd = max(t.tableEnd, at-1)
}

// columnStarts are the names of columns in a line, and where they begin in it.
func columnStarts(b []byte, head, end int) (starts []int, names []cell) {
	for at := head; at < end; {
		stop := bytes.Index(b[at:end], []byte("  "))
		if stop < 0 {
			stop = end - at
		}
		if stop > 0 {
			starts, names = append(starts, at-head), append(names, cell{at, at + stop})
		}
		at += stop
		for at < end && b[at] == ' ' {
			at++
		}
	}
	return starts, names
}

// namesOnly reports cells of one to three words each, as the names of columns are.
func namesOnly(b []byte, cells []cell) bool {
	for _, c := range cells {
		v := b[c.start:c.end]
		if len(v) == 0 || len(v) > 40 || bytes.Count(v, []byte(" ")) > 2 || bytes.ContainsAny(v, ".:=(){}[]!?") {
			return false
		}
	}
	return true
}

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
