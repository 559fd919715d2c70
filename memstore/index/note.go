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
	for _, r := range m.Rows {
		if strings.EqualFold(r.Key, "name") {
			name = strings.Trim(strings.TrimSpace(r.Value), `"'`)
		}
	}
	return name
}
