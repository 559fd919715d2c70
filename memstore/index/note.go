package index

import (
	"strings"

	"memcurator/render/frontmatter"
)

// HeadBytes is how much of a note [NameIn] needs.
const HeadBytes = frontmatter.MaxBytes

// NameIn is the name that a note has in its front matter, by which wikilinks may call it; "": none.
func NameIn(head []byte) (name string) {
	m, _ := frontmatter.Find(head)
	for line := range strings.Lines(string(m.Block)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimRight(key, " "), "name") {
			name = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return name
}
