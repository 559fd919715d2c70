package index

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
)

// Edit replaces the bytes of a span by a text.
type Edit struct {
	Span
	Text string
}

// Apply carries edits out. Edits at one offset keep their order; of two that overlap the first counts.
func Apply(data []byte, edits []Edit) []byte {
	list := slices.Clone(edits)
	slices.SortStableFunc(list, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, e := range list {
		if e.Start < at || e.End < e.Start || e.End > len(data) {
			continue
		}
		out = append(append(out, data[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, data[at:]...)
}

// Remove removes an entry: its item with what is nested in it, or, if the item names further files or is a sentence, the link alone, whose
// title stays.
func (x *Index) Remove(e *Entry) Edit {
	if e.More > 0 || e.Prose {
		return Edit{e.All, x.String(e.Text)}
	}
	return Edit{Span: e.Item}
}

// Retarget makes a link in the file at from lead to a note that is at to now. Its text stays: it is the writer's.
func (x *Index) Retarget(from string, l Link, to string) Edit {
	name := Renamed(l.Form, x.String(l.Target), from, to)
	if l.Form == Markdown && l.Target.Start > 0 && x.data[l.Target.Start-1] == '<' {
		name = unescape(name)
	}
	return Edit{l.Target, name}
}

// Renamed is the target of a link in the file at from, which was old, now that its note is at to.
func Renamed(form Form, old, from, to string) (name string) {
	switch {
	case form == Markdown:
		return address(old, from, to)
	case old[0] == '/':
		return to
	case form == Path:
		name = relative(path.Dir(from), to)
	case strings.Contains(old, "/"):
		name = strings.TrimPrefix(to, memstore.Root+"/") // from the top of the store
	default:
		name = path.Base(to)
	}
	if !NoteEnding(strings.TrimSpace(old)) && NoteEnding(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// address writes where a Markdown link leads, as its old address does.
func address(old, from, to string) string {
	name := to
	if old[0] != '/' {
		name = relative(path.Dir(from), to)
		if strings.HasPrefix(old, "./") && !strings.HasPrefix(name, "../") {
			name = "./" + name
		}
	}
	return escape(name)
}

// escape encodes what would end an address.
func escape(name string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "#", "%23", "?", "%3F", "<", "%3C", ">", "%3E").Replace(name)
}
