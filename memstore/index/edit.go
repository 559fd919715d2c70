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

// Remove removes an entry: its item with what is nested in it, or, if the item names further files, the link alone, whose title stays.
func (x *Index) Remove(e *Entry) Edit {
	if e.More > 0 {
		return Edit{e.All, x.String(e.Text)}
	}
	return Edit{Span: e.Item}
}

// Retarget makes a link in the file at from lead to a note that moved: the path was is now at to. Its text stays: it is the
// writer's.
func (x *Index) Retarget(from string, l Link, was, to string) Edit {
	name := Renamed(l.Form, x.String(l.Target), from, was, to)
	if l.Form == Markdown && l.Target.Start > 0 && x.data[l.Target.Start-1] == '<' {
		name = unescape(name)
	}
	return Edit{l.Target, name}
}

// Renamed is the target of a link in the file at from, which was old while its note was at was, now that the note is at to.
func Renamed(form Form, old, from, was, to string) string {
	switch form {
	case Wiki:
		return wikiName(old, from, was, to)
	case Markdown:
		return address(old, from, to)
	}
	return pathName(old, from, was, to)
}

// wikiName is the name in a wikilink.
func wikiName(old, from, was, to string) string {
	name := strings.TrimSpace(old)
	if strings.Contains(name, "/") {
		next := relative(path.Dir(from), to)
		if path.Join(memstore.Root, name) == was || path.Join(memstore.Root, name+".md") == was {
			next = strings.TrimPrefix(to, memstore.Root+"/")
		}
		if !NoteEnding(name) && NoteEnding(next) {
			next = strings.TrimSuffix(next, path.Ext(next))
		}
		return next
	}
	if NoteEnding(name) {
		return path.Base(to)
	}
	return Stem(to)
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

// pathName writes a path in running text as its old one is written.
func pathName(old, from, was, to string) string {
	switch {
	case old[0] == '/':
		return to
	case !strings.Contains(old, "/") && path.Dir(was) != path.Dir(from):
		return path.Base(to) // a name alone, found anywhere
	case strings.Contains(old, "/") && path.Join(path.Dir(from), old) != was:
		return strings.TrimPrefix(to, memstore.Root+"/") // from the top of the store
	}
	name := relative(path.Dir(from), to)
	if !NoteEnding(old) && NoteEnding(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}
