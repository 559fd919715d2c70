package dbfile

import (
	"encoding/binary"
	"io"
	"math"

	"memcurator/memstore/backend/quietfile"
)

// Tables returns the names of the tables in the file at a path, and reads no more of it than that takes: those that its log adds aren't
// among them. For any other file, and for a damaged database, it returns none.
func Tables(path string) (names []string) {
	f, err := quietfile.Open(path, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	t, ok := treeOf(f, math.MaxInt64)
	if !ok {
		return nil
	}
	t.schema(func(name string, _ uint32) { names = append(names, name) })
	return names
}

// treeOf reads the trees of a database of a size from a file, a page at a time.
func treeOf(f io.ReaderAt, size int64) (*tree, bool) {
	head := make([]byte, headerSize)
	if _, err := f.ReadAt(head, 0); err != nil || !isDatabase(head) {
		return nil, false
	}
	each := int64(pageSize(head))
	return &tree{usable: usable(head), left: int(min(size/each, math.MaxInt32)), page: func(number uint32) []byte {
		data := make([]byte, each)
		if _, err := f.ReadAt(data, (int64(number)-1)*each); err != nil {
			return nil
		}
		return data
	}}, true
}

// schemaPages bounds how many pages are read for the names of tables: no program has so large a schema.
const schemaPages = 1000

// schema calls do with each table of a database and the first page of its tree. The table that every database begins with has a row for
// each, with its type and its name first.
func (t *tree) schema(do func(name string, root uint32)) {
	walk := *t
	walk.left = min(walk.left, schemaPages)
	_ = walk.rows(1, func(v []Value) error { // of a damaged database, what is there counts
		if len(v) > 3 && v[0].Text == "table" && v[1].Kind == Text && v[3].Int > 0 && v[3].Int <= math.MaxUint32 {
			do(v[1].Text, uint32(v[3].Int)) //nolint:gosec // it was compared
		}
		return nil
	})
}

// usable is how many bytes of each page hold something.
func usable(head []byte) int { return pageSize(head) - int(head[reservedAt]) }

// isUTF8 reports whether the texts are stored in UTF-8.
func isUTF8(head []byte) bool { return binary.BigEndian.Uint32(head[encodingAt:]) == utf8Encoding }
