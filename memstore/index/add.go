package index

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"
)

// Note holds what an index lists of a note.
type Note struct {
	Path  string // agent path
	Title string // empty: made of the name of the file
	Hook  string // one line about it; empty: none
	Type  string // as "feedback": where the index has a heading for it, the entry goes there
}

// lineChars is how many characters a new entry has at most, and what Claude Code asks for: an entry of one line under about 150.
const lineChars = 150

// Add is the edit that lists notes in the index at an agent path: each behind the last entry below the heading of its type, or else of all,
// with the same bullet, form of link and separator. An index without a list gets one at its end.
func (x *Index) Add(at string, notes ...Note) []Edit {
	var out []Edit
	var plain []string
	eol := x.lineEnd()
	for _, n := range notes {
		e := x.neighbor(n)
		if e == nil {
			plain = append(plain, "- "+line(markdownLink(at, n), " — ", n))
			continue
		}
		link := markdownLink(at, n)
		if e.Form == Wiki {
			link = wikiLink(at, n)
		}
		separator := " — "
		if !e.Hook.Empty() {
			separator = strings.Trim(string(x.data[e.All.End:e.Hook.Start]), "*_~") // without emphasis
		}
		text, end := x.bullet(e)+line(link, separator, n), x.endOf(e)
		if x.data[end-1] == '\n' {
			text += eol
		} else {
			text = eol + text
		}
		out = append(out, Edit{Span{end, end}, text})
	}
	if len(plain) > 0 {
		out = append(out, x.append(strings.Join(plain, eol)))
	}
	return out
}

// append is the edit that begins a list at the end.
func (x *Index) append(list string) Edit {
	eol, end := x.lineEnd(), len(x.data)
	body := bytes.TrimPrefix(x.data, bom)
	before := eol // between paragraph and list
	switch {
	case len(body) == 0, x.last.End < end:
		before = ""
	case body[len(body)-1] != '\n':
		return Edit{Span{end, end}, eol + eol + list}
	}
	return Edit{Span{end, end}, before + list + eol}
}

// neighbor is the entry behind which a note belongs: the last item that begins with a link, below the heading of its type if there is one;
// nil: there is none.
func (x *Index) neighbor(n Note) (last *Entry) {
	fits := false
	for i := range x.Entries {
		e := &x.Entries[i]
		if e.Row || !e.Leads || e.More > 0 {
			continue
		}
		typed := n.Type != "" && e.Section > 0 && strings.Contains(Fold(x.String(x.headings[e.Section-1])), Fold(n.Type))
		if typed || !fits {
			last, fits = e, typed
		}
	}
	return last
}

// endOf is where the item of an entry ends, with the lines that are indented below it.
func (x *Index) endOf(e *Entry) int {
	end := e.Item.End
	for end < len(x.data) {
		line := x.data[end : end+lineLength(x.data[end:])]
		if _, width := indentOf(line); width <= e.indent || len(bytes.TrimSpace(line)) == 0 {
			break
		}
		end += len(line)
	}
	return end
}

// bullet is the beginning of an entry: blanks, and bullet or number.
func (x *Index) bullet(e *Entry) string {
	line := x.data[e.Item.Start:e.Item.End]
	indent, _ := indentOf(line)
	length, _ := bulletOf(line[indent:lineLength(line)])
	return string(line[:indent+length])
}

// lineEnd is the line end of the text.
func (x *Index) lineEnd() string {
	if i := bytes.IndexByte(x.data, '\n'); i > 0 && x.data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// line adds what is said of a note to the link to it.
func line(link, separator string, n Note) string {
	room := lineChars - utf8.RuneCountInString(link) - utf8.RuneCountInString(separator)
	if n.Hook == "" || room <= 20 {
		return link
	}
	return link + separator + shorten(OneLine(n.Hook), room)
}

func markdownLink(at string, n Note) string {
	return "[" + title(titleOf(n)) + "](" + OneLine(escape(Relative(path.Dir(at), n.Path))) + ")"
}

// wikiLink names a note by its file alone, unless that is in another folder.
func wikiLink(at string, n Note) string {
	target := Stem(n.Path)
	if path.Dir(n.Path) != path.Dir(at) {
		target = strings.TrimSuffix(Relative(path.Dir(at), n.Path), ".md")
	}
	return "[[" + strings.NewReplacer("[", "", "]", "", "|", "").Replace(OneLine(target)) + "]]"
}

// titleOf is the title of a note, or its name in words.
func titleOf(n Note) string {
	if t := OneLine(n.Title); t != "" {
		return shorten(t, lineChars/2)
	}
	if t := OneLine(words(Stem(n.Path))); t != "" {
		return t
	}
	return path.Base(n.Path)
}
