package dbfile

import (
	"encoding/binary"
	"io"

	"memcurator/memstore/backend/quietfile"
)

// Tables returns the names of the tables in the file at a path, and reads no more of it than that takes: those that its log adds aren't
// among them. For any other file, and for a damaged database, it returns none.
func Tables(path string) []string {
	f, err := quietfile.Open(path, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(magic)]) != magic {
		return nil
	}
	s := schemaWalk{file: f, size: pageSize(head), left: schemaPages}
	if !validPageSize(s.size) {
		return nil
	}
	s.page(1)
	return s.tables
}

// schemaPages bounds how many pages are read: no program has so large a schema.
const schemaPages = 1000

// The types of pages in the tree of a table, and what the header of a page has where.
const (
	interiorPage, leafPage = 5, 13
	interiorHead, leafHead = 12, 8
	cellCountAt, lastKidAt = 3, 8
)

// schemaWalk reads the tree of the table that every database begins with: a row for each table, with its type and its name first.
type schemaWalk struct {
	file   io.ReaderAt
	size   int
	left   int // pages that may still be read
	tables []string
}

func (s *schemaWalk) page(number uint32) {
	if s.left--; s.left < 0 || number == 0 {
		return
	}
	data := make([]byte, s.size)
	if _, err := s.file.ReadAt(data, int64(number-1)*int64(s.size)); err != nil {
		return
	}
	at := 0
	if number == 1 {
		at = headerSize
	}
	cells := int(binary.BigEndian.Uint16(data[at+cellCountAt:]))
	head := leafHead
	if data[at] == interiorPage {
		head = interiorHead
	}
	for i := range cells {
		pointer := at + head + 2*i
		if pointer+2 > len(data) {
			return
		}
		cell := int(binary.BigEndian.Uint16(data[pointer:]))
		switch {
		case cell+4 > len(data):
			return
		case data[at] == interiorPage:
			s.page(binary.BigEndian.Uint32(data[cell:]))
		case data[at] == leafPage:
			if kind, name, ok := schemaRow(data[cell:]); ok && kind == "table" {
				s.tables = append(s.tables, name)
			}
		}
	}
	if data[at] == interiorPage {
		s.page(binary.BigEndian.Uint32(data[at+lastKidAt:]))
	}
}

// schemaRow reads the first two columns of a row, which are texts.
func schemaRow(cell []byte) (kind, name string, ok bool) {
	take := func(b []byte) (n uint64, rest []byte) {
		for i := 0; i < len(b) && i < 9; i++ {
			if i == 8 {
				return n<<8 | uint64(b[i]), b[i+1:]
			}
			n = n<<7 | uint64(b[i]&0x7f)
			if b[i] < 0x80 {
				return n, b[i+1:]
			}
		}
		return 0, nil
	}
	_, cell = take(cell) // the length of the row
	_, cell = take(cell) // its number
	head, types := take(cell)
	if head == 0 || head > uint64(len(cell)) {
		return "", "", false
	}
	values := cell[head:]
	texts := [2]string{}
	for i := range texts {
		var t uint64
		if t, types = take(types); t < 13 || t%2 == 0 || (t-13)/2 > uint64(len(values)) {
			return "", "", false
		}
		n := (t - 13) / 2
		texts[i], values = string(values[:n]), values[n:]
	}
	return texts[0], texts[1], true
}
