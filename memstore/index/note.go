package index

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/render/frontmatter"
)

// Card holds what a note declares: its name, description and type in the front matter, and its first heading.
type Card struct {
	Name, Description, Type, Heading string
}

// HeadBytes is how much of a note [Read] needs.
const HeadBytes = frontmatter.MaxBytes

// Read reads the beginning of a note.
func Read(head []byte) Card {
	var c Card
	at := 0
	if m, ok := frontmatter.Find(head); ok {
		at = m.End
		for _, r := range m.Rows {
			value := strings.Trim(strings.TrimSpace(r.Value), `"'`)
			switch strings.ToLower(r.Key) {
			case "name":
				c.Name = value
			case "title":
				if c.Name == "" {
					c.Heading = value
				}
			case "description":
				c.Description = value
			case "type", "metadata.type":
				c.Type = value
			case "metadata":
				if _, t, ok := strings.Cut(value, "type:"); ok && c.Type == "" {
					t, _, _ = strings.Cut(t, ",")
					c.Type = strings.Trim(t, " {}\"'")
				}
			}
		}
	}
	if c.Heading == "" {
		c.Heading = heading(head[min(at, len(head)):])
	}
	return c
}

// heading is the text of the first heading of a text, "" where text comes before it.
func heading(data []byte) string {
	data = bytes.TrimPrefix(data, bom)
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '#' && isHeading(line):
			return strings.TrimSpace(strings.Trim(string(line), "# \t"))
		default:
			return ""
		}
	}
	return ""
}

// Note returns what an index should list of a note: its heading as the title if its name is one word, and its description.
func (c Card) Note(agentPath string) Note {
	n := Note{Path: agentPath, Title: c.Name, Hook: c.Description, Type: c.Type}
	if n.Title == "" || Fold(n.Title) == n.Title && c.Heading != "" {
		n.Title = c.Heading
	}
	if Fold(n.Title) == n.Title && !strings.Contains(n.Title, " ") {
		n.Title = "" // a name for programs: it is better made of the words of the file's name
		if c.Name != "" {
			n.Title = words(c.Name)
		}
	}
	return n
}

// words is a name for programs in words.
func words(name string) string {
	list := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
	t := strings.Join(list, " ")
	first, size := utf8.DecodeRuneInString(t)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + t[size:]
}
