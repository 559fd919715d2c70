package findings

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/statedir"
)

// purgedFile lists what was purged from a store, in its state folder.
const purgedFile = "scrub-purged.json"

// maxPurged bounds that list. The oldest values go first.
const maxPurged = 10_000

// purgedValue recognizes a value without containing it. Both hashes depend on the key of the state folder.
type purgedValue struct {
	Length int    `json:"length"` // in bytes
	Roll   uint64 `json:"roll"`   // rolling hash, so that one pass over a text looks at every place
	Digest string `json:"digest"` // decides where the rolling hash fits
	Class  string `json:"class"`
}

// keepPurged adds values, with their classes, to the list of the store.
func (m *State) keepPurged(values []string, class map[string]string) error {
	if m.dir == "" {
		return nil
	}
	dir, err := memstore.OpenDir(m.dir, memstore.DirOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()            // nothing is written through it
	unlock, err := dir.Lock(context.Background()) // two purges at once must not lose the values of one another
	if err != nil {
		return err
	}
	defer unlock()
	var list []purgedValue
	name := filepath.Join(m.dir, purgedFile)
	if err := readJSON(name, &list); err != nil {
		return err
	}
	had, base := len(list), m.rollBase()
	for _, value := range values {
		for _, part := range parts(value) {
			for _, form := range []string{part, escaped(part, false), escaped(part, true)} {
				one := purgedValue{len(form), roll(base, []byte(form)), m.hash("purged", form), class[value]}
				if !slices.Contains(list, one) {
					list = append(list, one)
				}
			}
		}
	}
	if len(list) == had {
		return nil
	}
	data, err := json.Marshal(list[max(0, len(list)-maxPurged):])
	if err != nil {
		return err
	}
	return statedir.WriteFile(name, data)
}

// rollBase is the base of the rolling hash: an odd number that only the key tells.
func (m *State) rollBase() uint64 {
	sum, _ := hex.DecodeString(m.hash("roll")) // hash returns hex
	return binary.LittleEndian.Uint64(sum) | 1
}

// roll is the hash of a text: the sum of byte i times base to the power of len-1-i, modulo 2^64.
func roll(base uint64, text []byte) (h uint64) {
	for _, c := range text {
		h = h*base + uint64(c)
	}
	return h
}

// PurgedValues finds what was purged from any store of this machine, in any text. A nil one finds nothing. It is immutable.
type PurgedValues struct{ lists []purgedList }

// purgedList is what was purged from one store.
type purgedList struct {
	state    *State // for its key
	byLength map[int]map[uint64][]purgedValue
}

// ReadPurged reads the lists of all state folders below base, which may be "" where there is none. A folder that can't be read counts as
// one without a list; err says so.
func ReadPurged(base string) (*PurgedValues, error) {
	p := &PurgedValues{}
	if base == "" {
		return p, nil
	}
	folders, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	for _, folder := range folders {
		dir := filepath.Join(base, folder.Name())
		var list []purgedValue
		one := readJSON(filepath.Join(dir, purgedFile), &list)
		if len(list) == 0 {
			err = errors.Join(err, one)
			continue
		}
		key, one := os.ReadFile(filepath.Join(dir, keyFile))
		if one != nil {
			err = errors.Join(err, one)
			continue
		}
		l := purgedList{&State{key: key}, map[int]map[uint64][]purgedValue{}}
		for _, v := range list {
			if l.byLength[v.Length] == nil {
				l.byLength[v.Length] = map[uint64][]purgedValue{}
			}
			l.byLength[v.Length][v.Roll] = append(l.byLength[v.Length][v.Roll], v)
		}
		p.lists = append(p.lists, l)
	}
	return p, err
}

// PurgedSpan is where a purged value is in a text, in bytes.
type PurgedSpan struct {
	Start, End int
	Class      string
}

// Empty reports whether nothing was purged.
func (p *PurgedValues) Empty() bool { return p == nil || len(p.lists) == 0 }

// Find returns where purged values are in a text, as they are or with the escapes of JSON, in order; none overlaps another.
func (p *PurgedValues) Find(text []byte) []PurgedSpan {
	if p.Empty() {
		return nil
	}
	all := p.findAll(text)
	slices.SortFunc(all, func(a, b PurgedSpan) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	var apart []PurgedSpan
	for _, s := range all {
		if n := len(apart) - 1; n < 0 || s.Start >= apart[n].End {
			apart = append(apart, s)
		} else {
			apart[n].End = max(apart[n].End, s.End)
		}
	}
	return apart
}

func (p *PurgedValues) findAll(text []byte) (list []PurgedSpan) {
	for _, l := range p.lists {
		base := l.state.rollBase()
		for length, of := range l.byLength {
			if length < 1 || length > len(text) {
				continue
			}
			h, top := roll(base, text[:length]), uint64(1) // top weighs the first byte of a window
			for range length - 1 {
				top *= base
			}
			for start := 0; ; start++ {
				for _, v := range of[h] {
					if l.state.hash("purged", string(text[start:start+length])) == v.Digest {
						list = append(list, PurgedSpan{start, start + length, v.Class})
						break
					}
				}
				if start+length == len(text) {
					break
				}
				h = (h-uint64(text[start])*top)*base + uint64(text[start+length])
			}
		}
	}
	return list
}

// Mask returns a text with the name of its class in the place of each purged value.
func (p *PurgedValues) Mask(text []byte) []byte {
	spans := p.Find(text)
	if len(spans) == 0 {
		return text
	}
	edits := make([]redact.Edit, len(spans))
	for i, s := range spans {
		edits[i] = redact.Edit{Start: s.Start, End: s.End, Text: redact.Placeholder(s.Class)}
	}
	return redact.Apply(text, edits)
}

// ReturnText says, without a full stop, that a text brings back to a path purged values that the text there now doesn't have, and of which
// classes they are; "": it doesn't.
func (p *PurgedValues) ReturnText(path string, now, text []byte) string {
	there, classes := map[string]bool{}, map[string]bool{}
	for _, s := range p.Find(now) {
		there[string(now[s.Start:s.End])] = true
	}
	for _, s := range p.Find(text) {
		if !there[string(text[s.Start:s.End])] {
			classes[s.Class] = true
		}
	}
	if len(classes) == 0 {
		return ""
	}
	return path + " gets a purged value back: " + strings.Join(slices.Sorted(maps.Keys(classes)), ", ")
}
