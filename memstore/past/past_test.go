package past

import (
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
)

func TestCompare(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one, two := memstore.Sum([]byte("one")), memstore.Sum([]byte("two"))
	file := func(path string, size int64, sum memstore.Digest, at time.Time) Entry {
		return Entry{Path: "/memories/" + path, Kind: memstore.KindFile, Size: size, Digest: sum, ModTime: at}
	}
	folder := func(path string) Entry { return Entry{Path: "/memories/" + path, Kind: memstore.KindDir} }
	old := &Tree{Entries: []Entry{
		file("changed", 3, one, at), folder("d"), file("d/gone", 3, one, at), folder("empty"), file("large", 9, memstore.Digest{}, at),
		file("read since", 3, memstore.Digest{}, at), file("same", 3, one, at), file("touched", 9, memstore.Digest{}, at),
	}}
	now := &Tree{Entries: []Entry{
		file("changed", 3, two, at), file("large", 9, memstore.Digest{}, at), file("new", 3, two, at),
		file("read since", 3, one, at), file("same", 3, one, at.Add(time.Hour)), file("touched", 9, memstore.Digest{}, at.Add(time.Hour)),
	}}
	var got []string
	err := Compare(old, now, strings.Clone, func(before, after *Entry) error {
		mark, e := "~", after
		switch {
		case before == nil:
			mark = "+"
		case after == nil:
			mark, e = "-", before
		}
		got = append(got, mark+strings.TrimPrefix(e.Path, "/memories/"))
		return nil
	})
	if want := "~changed -d/gone -empty +new ~touched"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v %v, want %s", got, err, want)
	}
}
