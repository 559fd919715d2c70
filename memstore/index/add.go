package index

import (
	"bytes"
	"path"
	"strings"
	"unicode"
)

// Add is the edit that lists notes at the end of the index at an agent path, a line each.
func (x *Index) Add(at string, notes []string) Edit {
	eol, end := "\n", len(x.data)
	if i := bytes.IndexByte(x.data, '\n'); i > 0 && x.data[i-1] == '\r' {
		eol = "\r\n"
	}
	var list strings.Builder
	if end > 0 && x.data[end-1] != '\n' {
		list.WriteString(eol)
	}
	for _, n := range notes {
		list.WriteString("- [" + title(Stem(n)) + "](" + oneLine(escape(relative(path.Dir(at), n))) + ")" + eol)
	}
	return Edit{Span{end, end}, list.String()}
}

// title escapes the brackets of a title and removes what ends a line.
func title(s string) string {
	return strings.NewReplacer("[", "\\[", "]", "\\]").Replace(oneLine(s))
}

// oneLine is a name in one line, without control characters and without the beginning of a comment.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.ReplaceAll(s, "<!--", "&lt;!--")
}
