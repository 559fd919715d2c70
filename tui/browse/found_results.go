package browse

import (
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
	"memcurator/tui/kit"
)

// results are what was found so far. The order in which parts are added does not matter.
type results struct {
	files map[int]*file // by their place in the tree
}

// file is one path with matches.
type file struct {
	path    string
	order   int
	folder  bool
	name    []search.Span
	hits    []search.Hit
	lines   int // with matches, listed or not
	matches int
	binary  bool
	changed bool // since the search began
	gone    bool
}

// item is what is in a row.
type item struct {
	file *file
	name bool // the row is a match of the name
	hit  int  // place in hits; -1 for a name or the head of a file, len(hits) for what is not listed
}

// below are the rows of a file below its head.
func (it item) below() (rows []item) {
	if it.name || it.hit >= 0 {
		return nil
	}
	for i := range it.file.hits {
		rows = append(rows, item{it.file, false, i})
	}
	if it.file.lines > len(it.file.hits) {
		rows = append(rows, item{it.file, false, len(it.file.hits)})
	}
	return rows
}

// number is what stands before a match.
func (it item) number() string {
	if it.name {
		return "name"
	}
	return strconv.Itoa(it.file.hits[it.hit].Line)
}

// line is the text with the match.
func (it item) line() string {
	f := it.file
	switch {
	case it.hit < 0 && f.folder:
		return f.path + "/"
	case it.hit < 0, it.hit >= len(f.hits):
		return f.path
	case f.binary:
		return "binary file matches"
	}
	return string(f.hits[it.hit].Text)
}

// marks are the bytes of line that match.
func (it item) marks() (marks [][2]int) {
	spans := it.file.name
	switch {
	case it.hit >= 0 && it.file.binary:
		return nil
	case it.hit >= 0:
		spans = it.file.hits[it.hit].Spans
	}
	for _, s := range spans {
		marks = append(marks, [2]int{s.Start, s.End})
	}
	return marks
}

// match is the intent that opens the item.
func (it item) match() kit.OpenMatch {
	f := it.file
	switch {
	case len(f.hits) == 0:
		return kit.OpenMatch{Path: f.path, Name: it.name}
	case it.hit >= len(f.hits): // the first line that is not listed
		return kit.OpenMatch{Path: f.path, Start: f.hits[len(f.hits)-1].End}
	}
	h := &f.hits[max(0, it.hit)]
	return kit.OpenMatch{Path: f.path, Start: h.Start, End: h.End, Text: h.Text}
}

// add takes a batch in.
func (r *results) add(batch []search.Found) {
	if r.files == nil {
		r.files = map[int]*file{}
	}
	for _, part := range batch {
		f := r.files[part.Order]
		if f == nil {
			f = &file{path: part.Path, order: part.Order, folder: part.Kind == memstore.KindDir}
			r.files[part.Order] = f
		}
		if f.name == nil {
			f.name = part.Name
		}
		f.hits = append(f.hits, part.Hits...)
		f.lines += part.Lines
		f.matches += part.Matches
		f.binary = f.binary || part.Binary
	}
}

// inOrder are the files that fit, in the order of the tree.
func (r *results) inOrder(fits func(*file) bool) (files []*file) {
	for _, f := range r.files {
		if fits(f) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *file) int { return a.order - b.order })
	return files
}

func (f *file) hasLines() bool { return f.lines > 0 }

// rows are the rows of the list: the names, then the files with their lines below them.
func (r *results) rows() (rows []item) {
	for _, f := range r.inOrder(func(f *file) bool { return len(f.name) > 0 }) {
		rows = append(rows, item{f, true, -1})
	}
	for _, f := range r.inOrder((*file).hasLines) {
		rows = append(rows, item{f, false, -1})
	}
	return rows
}

// at is the file with a path, nil if none has matches.
func (r *results) at(path string) *file {
	for _, f := range r.files {
		if f.path == path {
			return f
		}
	}
	return nil
}

// before counts the matches in the text of the files before one, of all for nil.
func (r *results) before(f *file) (n int) {
	for _, other := range r.files {
		if f == nil || other.order < f.order {
			n += other.matches
		}
	}
	return n
}

// count is how many matches are in the text of all files.
func (p *foundPane) count() int { return p.results.before(nil) }

// rank is the number of a match among those of the whole store: the rank-th of a file, from 1. here is how many the file has.
func (p *foundPane) rank(path string, rank int) (of, count, here int, ok bool) {
	f := p.results.at(path)
	if f == nil {
		return 0, 0, 0, false
	}
	return p.results.before(f) + rank, p.count(), f.matches, rank > 0 && rank <= f.matches && !f.changed
}

// onlyName reports whether the name of a path matches and no line of it does.
func (p *foundPane) onlyName(path string) bool {
	f := p.results.at(path)
	return f != nil && len(f.name) > 0 && !f.hasLines()
}

// neighbor is the match at which a walk through the store continues after the last match of a path, or before its first. around says that
// it wrapped past the end of the store. rank is the number of the match in the store.
func (p *foundPane) neighbor(path string, backward bool) (m kit.OpenMatch, rank int, around, ok bool) {
	p.sync()
	here := p.results.at(path) // nil: not in the list; of a match of the name alone it has no lines
	files := p.results.inOrder(func(f *file) bool { return f.hasLines() && (f == here || !f.gone && !f.binary) })
	if len(files) == 0 {
		return kit.OpenMatch{}, 0, false, false
	}
	next := 0
	if here != nil {
		next, _ = slices.BinarySearchFunc(files, here.order, func(f *file, order int) int { return f.order - order })
		if listed := here.hasLines(); listed && !backward {
			next++
		}
	}
	if backward {
		next--
	}
	around = next < 0 || next >= len(files)
	f := files[(next+len(files))%len(files)]
	m, rank = item{file: f, hit: -1}.match(), p.results.before(f)+1
	if backward {
		m, rank = kit.OpenMatch{Path: f.path, Last: true}, p.results.before(f)+f.matches
	}
	// The list goes along, so that the way back leads to the file that is open.
	p.moved = true
	p.GoTo(p.Key(item{f, false, -1}))
	return m, rank, around, true
}

// changed marks what revisions of the store touch; the list stays until the user searches again.
func (p *foundPane) changed(changes []past.Revision) {
	if p.state == none || len(changes) == 0 {
		return
	}
	p.sync()
	p.stale = true
	for _, c := range changes {
		p.results.changed(c)
	}
}

// changed follows a change of a file, or a rename or the end of a folder.
func (r *results) changed(c past.Revision) {
	from := c.Path
	if c.OldPath != "" {
		from = c.OldPath
	}
	for _, f := range r.files {
		rest, ok := strings.CutPrefix(f.path, from)
		if !ok || rest != "" && (rest[0] != '/' || c.Kind != memstore.KindDir) {
			continue
		}
		f.changed = true
		switch {
		case c.OldPath != "":
			f.path, f.name = c.Path+rest, slices.Repeat([]search.Span{{}}, len(f.name)) // marks in its old name no longer mean anything
		case c.Shape == past.Removed:
			f.gone = true
		case c.Kind == memstore.KindDir:
			f.changed = false // what happened to a folder did not happen to what is in it
		}
	}
}
