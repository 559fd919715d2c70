package lint

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"memcurator/memstore/index"
	"memcurator/render/text"
)

// The rules of the names that notes have in their front matter.
const (
	NameDiffers Rule = "name-differs" // from the name of the file, in a store whose other notes are named as their files
	sameNote    Rule = "same-name"    // as another note, so that a wikilink may mean both
)

// noteNames compares the names in the front matter of notes with those of their files, and with each other.
var noteNames = check{
	rules:   []Rule{NameDiffers, sameNote},
	content: indexes.content,
	store:   func(ctx context.Context, w *checking) error { return w.called(ctx) },
}

// leastNamed is how many notes have to be named as their files are before another name is a slip.
const leastNamed = 3

// called reports names that differ, and names that two notes have. Only a name without blanks counts, which is meant for links: one in
// words is a title, and titles differ.
func (w *checking) called(ctx context.Context) error {
	by := map[string][]seen{}
	var keys []string
	var differ []seen
	same := 0
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
		if key == index.Fold(index.Stem(s.file.Path)) {
			same++
		} else {
			differ = append(differ, s)
		}
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
	if same < leastNamed || same < 4*len(differ) {
		return nil
	}
	for _, s := range differ {
		if err := w.differs(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// differs reports a note whose name is not that of its file. The name is repaired where no wikilink relies on it.
func (w *checking) differs(ctx context.Context, s seen) error {
	name := factOf[*outline](s.content).card.Name
	stem := index.Stem(s.file.Path)
	f := Finding{
		Path: s.file.Path, Rule: NameDiffers, Severity: info, Count: 1, Content: s.file.Digest,
		Reason: "named " + quote(name) + " in its front matter",
	}
	for _, other := range w.seen {
		for _, r := range factOf[referenceList](other.content) {
			if r.wiki && index.Fold(r.text) == index.Fold(name) {
				f.Reason += "; wikilinks use that name"
				w.add(f)
				return nil
			}
		}
	}
	data, err := w.reread(ctx, s)
	if err != nil || data == nil {
		return err
	}
	if start, end, ok := nameValue(data, name); ok {
		to := index.Fold(stem)
		if strings.Contains(name, "_") && !strings.Contains(name, "-") {
			to = stem
		}
		f.Repairs = []Repair{{Start: start, End: end, Text: to, To: s.file.Path}}
		line := lineWalk{data: data}
		f.Place = Place{Start: start, End: end}
		f.Line, f.Column = line.at(start)
		f.Places = []Place{f.Place}
	}
	w.add(f)
	return nil
}

// nameValue finds the value of name in the front matter.
func nameValue(data []byte, name string) (start, end int64, ok bool) {
	at := 0
	for line := range bytes.Lines(data[:min(len(data), index.HeadBytes)]) {
		if rest, found := bytes.CutPrefix(line, []byte("name:")); found {
			if i := bytes.Index(rest, []byte(name)); i >= 0 && strings.Trim(string(rest), " \t\r\n\"'") == name {
				from := at + len("name:") + i
				return int64(from), int64(from + len(name)), true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

// isSlug reports whether a name is one word for links, as deploy-checklist is.
func isSlug(name string) bool {
	return name != "" && len(name) <= 100 && strings.ContainsAny(name, "-_") && !strings.ContainsAny(name, " \t:/\\[]|#") &&
		text.Clean(name) == name
}
