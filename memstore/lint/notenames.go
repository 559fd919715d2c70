package lint

import (
	"context"
	"fmt"
	"strings"

	"memcurator/memstore/index"
	"memcurator/render/text"
)

// sameNote reports a note whose front matter names it as another note, so that a wikilink may mean both.
const sameNote Rule = "same-name"

// noteNames compares the names that notes have in their front matter.
var noteNames = check{
	rules:   []Rule{sameNote},
	content: indexes.content,
	store:   func(ctx context.Context, w *checking) error { return w.called(ctx) },
}

// called reports names that two notes have. Only a name without blanks counts, which is meant for links: one in
// words is a title, and titles differ.
func (w *checking) called(ctx context.Context) error {
	by := map[string][]seen{}
	var keys []string
	for _, s := range w.seen {
		o := factOf[*outline](s.content)
		if o == nil || s.file.Hidden || !isSlug(o.card.Name) || !markdown(s.file.Path) || index.IsNamed(s.file.Path) {
			continue
		}
		key := index.Fold(o.card.Name)
		if by[key] == nil {
			keys = append(keys, key)
		}
		by[key] = append(by[key], s)
	}
	for _, key := range keys {
		list := by[key]
		for _, s := range list[1:] {
			w.add(Finding{
				Path: s.file.Path, Rule: sameNote, Severity: info, Count: 1, Content: s.file.Digest, Others: []string{list[0].file.Path},
				Reason: fmt.Sprintf("named %s, as %s is", quote(key), inStore(list[0].file.Path)),
			})
		}
	}
	return nil
}

// isSlug reports whether a name is one word for links, as deploy-checklist is.
func isSlug(name string) bool {
	return name != "" && len(name) <= 100 && strings.ContainsAny(name, "-_") && !strings.ContainsAny(name, " \t:/\\[]|#") &&
		text.Clean(name) == name
}
