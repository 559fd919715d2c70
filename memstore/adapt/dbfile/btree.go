package dbfile

import (
	"encoding/binary"
	"errors"
	"math"
)

// The tree of a table, by the documentation of the file format: interior pages name the pages below them, the cells of leaf pages are
// rows, and a row that doesn't fit into its page goes on in a chain of others.

// The types of pages in the tree of a table, and what the header of a page has where.
const (
	interiorPage, leafPage = 5, 13
	interiorHead, leafHead = 12, 8
	cellCountAt, lastKidAt = 3, 8
	kidBytes               = 4  // the number of a page
	mostDepth              = 20 // of a tree: 2^32 pages make less
)

// errForm means that bytes aren't a tree as it is read here. SQLite says whether it is damaged.
var errForm = errors.New("not the tree of a table")

// tree reads the trees of tables.
type tree struct {
	page   func(number uint32) []byte // nil if it isn't there
	usable int                        // bytes of a page
	left   int                        // pages that may still be read: in a damaged file they name each other in a circle
}

// next is the page of a number; ok is false if it isn't there, or too many were read.
func (t *tree) next(number uint32) (data []byte, ok bool) {
	if t.left--; t.left < 0 {
		return nil, false
	}
	data = t.page(number)
	return data, data != nil
}

// leaves calls do with the cells of each leaf page below a page, in order.
func (t *tree) leaves(number uint32, depth int, do func(page []byte, cells []byte) error) error {
	at := 0
	data, ok := t.next(number)
	if !ok || depth > mostDepth {
		return errForm
	}
	if number == 1 {
		at = headerSize
	}
	head := leafHead
	switch data[at] {
	case interiorPage:
		head = interiorHead
	case leafPage:
	default:
		return errForm
	}
	end := at + head + 2*int(binary.BigEndian.Uint16(data[at+cellCountAt:]))
	if end > t.usable {
		return errForm
	}
	cells := data[at+head : end] // two bytes each: where in the page it is
	if data[at] == leafPage {
		return do(data, cells)
	}
	last := binary.BigEndian.Uint32(data[at+lastKidAt:])
	for ; len(cells) > 0; cells = cells[2:] {
		cell := int(binary.BigEndian.Uint16(cells))
		if cell+kidBytes > t.usable {
			return errForm
		}
		if err := t.leaves(binary.BigEndian.Uint32(data[cell:]), depth+1, do); err != nil {
			return err
		}
	}
	return t.leaves(last, depth+1, do)
}

// count is how many rows are in the tree below a page.
func (t *tree) count(root uint32) (n int, err error) {
	err = t.leaves(root, 0, func(_, cells []byte) error {
		n += len(cells) / 2
		return nil
	})
	return n, err
}

// rows calls do with each row of the tree below a page, in order. The values are those of the row until do returns; their texts stay.
func (t *tree) rows(root uint32, do func(values []Value) error) error {
	var values []Value
	last, first := int64(0), true
	return t.leaves(root, 0, func(page, cells []byte) error {
		text := string(page[:t.usable]) // one copy for the texts of all rows in it
		for ; len(cells) > 0; cells = cells[2:] {
			number, row, err := t.cell(page, text, int(binary.BigEndian.Uint16(cells)))
			if err == nil && !first && number <= last {
				err = errForm
			}
			if err == nil {
				values, err = record(values[:0], row)
			}
			if err == nil {
				err = do(values)
			}
			if err != nil {
				return err
			}
			last, first = number, false
		}
		return nil
	})
}

// cell returns the number and the bytes of the row at a place of a page, which text is a copy of.
func (t *tree) cell(page []byte, text string, at int) (number int64, row string, err error) {
	if at >= len(text) {
		return 0, "", errForm
	}
	rest := text[at:]
	size, n := varint(rest)
	unsigned, m := varint(rest[n:])
	if rest = rest[n+m:]; n == 0 || m == 0 || size > uint64(t.left+1)*uint64(t.usable) {
		return 0, "", errForm
	}
	number = int64(unsigned) //nolint:gosec // as it is stored
	whole := int(size)
	local := t.local(whole)
	if local == whole && local <= len(rest) {
		return number, rest[:local], nil
	}
	if local == whole || local+kidBytes > len(rest) {
		return 0, "", errForm
	}
	bytes := make([]byte, 0, whole)
	bytes = append(bytes, rest[:local]...)
	next := binary.BigEndian.Uint32(page[at+n+m+local:])
	for len(bytes) < whole {
		data, ok := t.next(next)
		if !ok {
			return 0, "", errForm
		}
		next = binary.BigEndian.Uint32(data)
		bytes = append(bytes, data[kidBytes:min(t.usable, kidBytes+whole-len(bytes))]...)
	}
	return number, string(bytes), nil
}

// local is how many bytes of a row are in its cell.
func (t *tree) local(size int) int {
	most := t.usable - 35
	if size <= most {
		return size
	}
	least := (t.usable-12)*32/255 - 23
	if n := least + (size-least)%(t.usable-kidBytes); n <= most {
		return n
	}
	return least
}

// Value is one value of a row, as it is stored.
type Value struct {
	Kind  ValueKind
	Int   int64
	Float float64
	Text  string // also the bytes of a blob
}

// ValueKind is the type of a [Value].
type ValueKind uint8

// The types of values.
const (
	Null ValueKind = iota
	Int
	Float
	Text
	Blob
)

// Serial types of values in a row.
const (
	serialNull, serialInt8, serialInt64, serialFloat = 0, 1, 6, 7
	serialZero, serialOne                            = 8, 9
	serialBlob                                       = 12 // and above: even ones are blobs, odd ones texts
)

var intSizes = [...]int{serialInt8: 1, 2, 3, 4, 6, serialInt64: 8}

// record appends the values of a row.
func record(values []Value, row string) ([]Value, error) {
	size, n := varint(row)
	if n == 0 || size < uint64(n) || size > uint64(len(row)) {
		return nil, errForm
	}
	types, rest := row[n:size], row[size:]
	for types != "" {
		serial, n := varint(types)
		if n == 0 {
			return nil, errForm
		}
		types = types[n:]
		var v Value
		length := 0
		switch {
		case serial >= serialBlob && (serial-serialBlob)/2 > uint64(len(rest)):
			return nil, errForm
		case serial >= serialBlob:
			length = int(serial-serialBlob) / 2
			v = Value{Kind: Blob, Text: rest[:length]}
			if serial%2 == 1 {
				v.Kind = Text
			}
		case serial == serialNull:
		case serial == serialZero || serial == serialOne:
			v = Value{Kind: Int, Int: int64(serial - serialZero)}
		case serial <= serialFloat:
			if length = 8; serial < serialFloat {
				length = intSizes[serial]
			}
			if length > len(rest) {
				return nil, errForm
			}
			bits := bigEndian(rest[:length])
			switch f := math.Float64frombits(bits); {
			case serial < serialFloat:
				shift := 64 - 8*length
				v = Value{Kind: Int, Int: int64(bits<<shift) >> shift} //nolint:gosec // the sign is part of the bits
			case !math.IsNaN(f): // which SQLite reads as NULL
				v = Value{Kind: Float, Float: f}
			}
		default:
			return nil, errForm
		}
		rest = rest[length:]
		values = append(values, v)
	}
	return values, nil
}

func bigEndian(s string) (n uint64) {
	for i := range len(s) {
		n = n<<8 | uint64(s[i])
	}
	return n
}

// varint reads a number of up to nine bytes, and returns how many they are; 0 if the text ends before it does.
func varint(s string) (n uint64, size int) {
	for i := 0; i < len(s) && i < 9; i++ {
		if i == 8 {
			return n<<8 | uint64(s[i]), 9
		}
		n = n<<7 | uint64(s[i]&0x7f)
		if s[i] < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}
