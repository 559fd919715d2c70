package tables

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"
	"unicode"

	"memcurator/memstore/adapt"
)

const (
	extension = ".md"
	tailBytes = 8 // of an ID, at the end of a name
)

// name is that of the file of a record.
func (r *row) name() string {
	parts := []string{r.table.folder}
	for i, c := range r.table.path {
		if c == month {
			parts = append(parts, r.created().Format("2006-01"))
			continue
		}
		s := adapt.SafeName(r.values[c])
		if i == len(r.table.path)-1 && (r.table.tailed || s != r.values[c]) {
			s += " " + tail(r.id())
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "/") + extension
}

// placeOf finds the table of a file of cc-memory, and the parts of its name below the table's folder.
func placeOf(name string) (t *table, segments []string, ok bool) {
	base, ok := strings.CutSuffix(name, extension)
	for _, t := range ccMemory.tables {
		if rest, below := strings.CutPrefix(base, t.folder+"/"); ok && below {
			segments := strings.Split(rest, "/")
			return t, segments, len(segments) == len(t.path)
		}
	}
	return nil, nil, false
}

// said is what a name says of a column of the path.
func (t *table) said(segments []string, i int) string {
	s := segments[i]
	if at := len(s) - tailBytes - 1; t.tailed && at > 0 && s[at] == ' ' {
		return s[:at]
	}
	return s
}

// tail is the end of an ID, which differs where its beginning, a time, doesn't.
func tail(id string) string {
	s := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, id)
	return s[max(0, len(s)-tailBytes):]
}

// newID makes an ID as the program does, a UUID of version 7. If the name of the file ends like an ID, the ID ends so.
func newID(now time.Time, name string) string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (8 * (5 - i)))
	}
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	base := strings.TrimSuffix(name, extension)
	if end, err := hex.DecodeString(base[max(0, len(base)-tailBytes):]); err == nil {
		copy(b[len(b)-len(end):], end)
	}
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
