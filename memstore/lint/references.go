package lint

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/index"
	"memcurator/render/text"
)

// Dangling reports a reference to a memory file that does not exist.
const Dangling Rule = "dangling"

// Repair is an edit of a name that leads nowhere: it gets that of the file To where it went.
type Repair struct {
	index.Edit
	To string // agent path
}

// Repaired is a text after repairs. Of two that overlap the first counts.
func Repaired(data []byte, repairs []Repair) []byte {
	edits := make([]index.Edit, len(repairs))
	for i := range repairs {
		edits[i] = repairs[i].Edit
	}
	return index.Apply(data, edits)
}

// reference is a name of another file in a text: a link, a wikilink, or a path below /memories.
type reference struct {
	place Place
	form  index.Form
	text  string
}

var root = []byte(memstore.Root + "/")

// referred collects the names of other files.
func (in *inspection) referred() (list []reference) {
	if len(in.data) > maxIndex || !bytes.Contains(in.data, root) && !bytes.Contains(in.data, []byte("](")) &&
		!bytes.Contains(in.data, []byte("[[")) {
		return nil
	}
	for _, l := range index.Parse(in.data).Links {
		name := in.data[l.Target.Start:l.Target.End]
		if len(list) >= maxReferences || l.Form == index.Path && !bytes.HasPrefix(name, root) || !utf8.Valid(name) {
			continue
		}
		list = append(list, reference{Place{Span: l.Target}, l.Form, string(name)})
	}
	return list
}

// maxMoves is how many missing files of one store are looked up in the journal.
const maxMoves = 200

// following follows the names in the files of a store.
type following struct {
	*checking
	ctx     context.Context
	moved   map[string]string // where the file is now that was at a path; "": unknown
	endings map[string]bool   // folder and ending of each file, in lower case
	failed  error
}

// named follows the names of other files: it reports those that do not exist, and counts the others.
func (w *checking) named(ctx context.Context) error {
	f := following{checking: w, ctx: ctx, moved: map[string]string{}, endings: map[string]bool{}}
	for _, one := range w.source.Files {
		f.endings[path.Dir(one.Path)+strings.ToLower(path.Ext(one.Path))] = true
	}
	w.links, w.meant = map[string]int{}, map[string]bool{}
	for _, s := range w.seen {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.follow(s)
	}
	return f.failed
}

// went is where the file went that was at a path which does not exist, "" where no record says so. A similar name is not enough: it may
// be another note, or one that is yet to be written.
func (f *following) went(missing string) string {
	to, ok := f.moved[missing]
	if !ok && f.source.Moved != nil && len(f.moved) < maxMoves && f.failed == nil {
		to, f.failed = f.source.Moved(f.ctx, missing)
		f.moved[missing] = to
	}
	return to
}

// plausible reports whether a link may be meant for a file of the store: it leads into a folder that is there, and has the ending of a
// note or of a file there. Other links are to the files of a project, and a wikilink may be of a note that is yet to be written.
func (f *following) plausible(r *reference, missing string) bool {
	dir := path.Dir(missing)
	switch {
	case r.form == index.Path:
		return true
	case r.form == index.Wiki || !f.source.There(dir):
		return false
	}
	ending := strings.ToLower(path.Ext(missing))
	return index.NoteEnding(missing) || ending != "" && f.endings[dir+ending]
}

// follow reports the names in a file that lead nowhere: those of which it is clear what was meant as one finding, the others as another.
func (f *following) follow(s seen) {
	var slips, lost broken
	named := map[string]bool{}
	for _, r := range s.content.references {
		if r.form != index.Path && !index.IsMarkdown(s.file.Path) {
			continue
		}
		to, is := f.names().Resolve(s.file.Path, r.form, r.text)
		if to == "" || to == s.file.Path {
			continue
		}
		if is || f.source.There(to) {
			if !named[to] {
				f.links[to]++
			}
			named[to] = true
			continue
		}
		now := f.went(to)
		switch {
		case now != "" && now != s.file.Path:
			short := now
			if path.Dir(now) == path.Dir(to) {
				short = path.Base(now)
			}
			if slips.add(r.place, to, inStore(to)+" -> "+inStore(short)) {
				slips.repairs = append(slips.repairs,
					Repair{index.Edit{Span: r.place.Span, Text: index.Renamed(r.form, r.text, s.file.Path, now)}, now})
				f.meant[now] = true
			}
		case f.plausible(&r, to):
			lost.add(r.place, to, inStore(to)+" not found")
		}
	}
	f.addBroken(s, Dangling, &slips, "more link")
	f.addBroken(s, Dangling, &lost, "more broken link")
}

// broken are places of a file that lead nowhere.
type broken struct {
	why     string // about the first
	count   int
	places  []Place
	names   []string // each once
	repairs []Repair // one a place, where it is clear what was meant
}

// add adds a place, and reports whether it is kept.
func (b *broken) add(at Place, name, why string) bool {
	b.count++
	if len(b.places) == maxPlaces {
		return false
	}
	b.why = cmp.Or(b.why, why)
	b.places = append(b.places, at)
	if !slices.Contains(b.names, name) {
		b.names = append(b.names, name)
	}
	return true
}

// addBroken reports such places; more is what further names are called.
func (w *checking) addBroken(s seen, rule Rule, b *broken, more string) {
	if b.count == 0 {
		return
	}
	reason := b.why
	if n := len(b.names) - 1; n > 0 {
		reason += ", " + text.Count(n, more)
	}
	w.add(Finding{
		Path: s.file.Path, Rule: rule, Severity: info, Content: s.file.Digest, Reason: reason, Place: b.places[0], Count: b.count,
		Places: b.places, Others: b.names, Repairs: b.repairs,
	})
}

// inStore is an agent path as reasons have it: relative to the store.
func inStore(agentPath string) string { return strings.TrimPrefix(agentPath, memstore.Root+"/") }
