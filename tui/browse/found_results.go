package browse

import (
	"slices"
	"sort"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
	"memcurator/tui/ui"
)

// results are what was found so far, in the order of the tree: the names, then each file
// with its lines. The order in which parts are added does not matter.
type results struct {
	names []*file
	files []*file
	byKey map[int]*file // by their place in the tree
	paths map[string]*file
	first []int // row of each of files
	total int   // rows
	sum   int   // matches in all files
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
	before  int // matches in the files before it
}

// rows is how many rows the file has: its head, its lines, and one for what is not listed.
func (f *file) rows() int {
	n := 1 + len(f.hits)
	if f.lines > len(f.hits) {
		n++
	}
	return n
}

// item is what is in a row.
type item struct {
	file *file
	name bool // the row is a match of the name
	hit  int  // place in hits; -1 for the head of a file, len(hits) for what is not listed
}

func (it item) path() string { return it.file.path }

// match is the intent that opens the item.
func (it item) match() ui.OpenMatch {
	f := it.file
	switch {
	case it.hit >= 0 && it.hit < len(f.hits):
		h := &f.hits[it.hit]
		return ui.OpenMatch{Path: f.path, Start: h.Start, End: h.End, Text: h.Text}
	case it.hit < 0 && len(f.hits) > 0:
		h := &f.hits[0]
		return ui.OpenMatch{Path: f.path, Start: h.Start, End: h.End, Text: h.Text}
	case len(f.hits) > 0: // the first line that is not listed
		return ui.OpenMatch{Path: f.path, Start: f.hits[len(f.hits)-1].End}
	default:
		return ui.OpenMatch{Path: f.path, Name: it.name}
	}
}

// add takes a batch in.
func (r *results) add(batch []search.Found) {
	if r.byKey == nil {
		r.byKey, r.paths = map[int]*file{}, map[string]*file{}
	}
	var names, files []*file
	for _, part := range batch {
		f := r.byKey[part.Order]
		if f == nil {
			f = &file{path: part.Path, order: part.Order, folder: part.Kind == memstore.KindDir}
			r.byKey[part.Order], r.paths[part.Path] = f, f
		}
		if len(part.Name) > 0 && f.name == nil {
			f.name = part.Name
			names = append(names, f)
		}
		if part.Lines > 0 {
			if f.lines == 0 {
				files = append(files, f)
			}
			f.hits = append(f.hits, part.Hits...)
			f.lines += part.Lines
			f.matches += part.Matches
			f.binary = f.binary || part.Binary
		}
	}
	r.names = merge(r.names, names)
	r.files = merge(r.files, files)
	r.count()
}

// merge puts new files between those that are sorted.
func merge(sorted, more []*file) []*file {
	if len(more) == 0 {
		return sorted
	}
	byOrder := func(a, b *file) int { return a.order - b.order }
	slices.SortFunc(more, byOrder)
	if n := len(sorted); n == 0 || sorted[n-1].order < more[0].order {
		return append(sorted, more...)
	}
	out := make([]*file, 0, len(sorted)+len(more))
	for len(sorted) > 0 && len(more) > 0 {
		if sorted[0].order < more[0].order {
			out, sorted = append(out, sorted[0]), sorted[1:]
		} else {
			out, more = append(out, more[0]), more[1:]
		}
	}
	return append(append(out, sorted...), more...)
}

// count works out where each file stands.
func (r *results) count() {
	r.first = r.first[:0]
	row, sum := len(r.names), 0
	for _, f := range r.files {
		r.first = append(r.first, row)
		f.before = sum
		row += f.rows()
		sum += f.matches
	}
	r.total, r.sum = row, sum
}

func (r *results) rows() int { return r.total }

// at is what is in a row.
func (r *results) at(row int) (item, bool) {
	switch {
	case row < 0 || row >= r.total:
		return item{}, false
	case row < len(r.names):
		return item{file: r.names[row], name: true, hit: -1}, true
	}
	i := sort.SearchInts(r.first, row+1) - 1
	return item{file: r.files[i], hit: row - r.first[i] - 1}, true
}

// rowOf is where an item stands now.
func (r *results) rowOf(it item) int {
	list := r.files
	if it.name {
		list = r.names
	}
	i, ok := slices.BinarySearchFunc(list, it.file.order, func(f *file, order int) int { return f.order - order })
	switch {
	case !ok:
		return 0
	case it.name:
		return i
	default:
		return r.first[i] + 1 + it.hit
	}
}

// fileRow is the head of the file after or before a row; false at the ends.
func (r *results) fileRow(row, by int) (int, bool) {
	i := sort.SearchInts(r.first, row+1) // files that begin at row or before it
	if by < 0 {
		i -= 2
		if i+1 < len(r.first) && i+1 >= 0 && r.first[i+1] < row {
			i++ // first to the head of this one
		}
	}
	if i < 0 || i >= len(r.first) {
		return 0, false
	}
	return r.first[i], true
}

// Rank is the number of a match among those of the whole store: the rank-th of a file, from 1.
// here is how many the file has.
func (p *FoundPane) Rank(path string, rank int) (of, count, here int, ok bool) {
	if f := p.results.paths[path]; f != nil {
		return f.before + rank, p.results.sum, f.matches, rank > 0 && rank <= f.matches && !f.changed
	}
	return 0, 0, 0, false
}

// OnlyName reports whether the name of a path matches and no line of it does.
func (p *FoundPane) OnlyName(path string) bool {
	f := p.results.paths[path]
	return f != nil && len(f.name) > 0 && f.lines == 0
}

// Neighbour is the match at which a walk through the store continues after the last match
// of a path, or before its first. around says that it wrapped past the end of the store. rank is
// the number of the match in the store.
func (p *FoundPane) Neighbour(path string, backward bool) (m ui.OpenMatch, rank int, around, ok bool) {
	p.sync()
	var files []*file
	here := p.results.paths[path] // nil: not in the list; of a match of the name alone it has no lines
	next, listed := 0, false
	for _, f := range p.results.files {
		if (f.gone || f.binary) && f != here {
			continue
		}
		if f == here {
			listed = true
		}
		if here != nil && f.order <= here.order {
			next = len(files) + 1
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return ui.OpenMatch{}, 0, false, false
	}
	if backward {
		if next--; listed {
			next--
		}
	}
	around = next < 0 || next >= len(files)
	f := files[(next+len(files))%len(files)]
	m, rank = item{file: f, hit: -1}.match(), f.before+1
	if backward {
		m, rank = ui.OpenMatch{Path: f.path, Last: true}, f.before+f.matches
	}
	// The list goes along, so that the way back leads to the file that is open.
	p.moved = true
	p.list.MoveTo(p.results.rowOf(item{file: f, hit: -1}))
	return m, rank, around, true
}

// Count is how many matches are in the text of all files.
func (p *FoundPane) Count() int { return p.results.sum }

// Changed marks what revisions of the store touch; the list stays until the user
// searches again.
func (p *FoundPane) Changed(changes []past.Revision) {
	if p.state == none || len(changes) == 0 {
		return
	}
	p.sync()
	p.stale = true
	for _, c := range changes {
		if c.OldPath != "" || c.Kind == memstore.KindDir {
			p.results.moved(c)
			continue
		}
		if f := p.results.paths[c.Path]; f != nil {
			f.changed, f.gone = true, c.Shape == past.Removed
		}
	}
}

// moved follows a rename, of a file or of a folder, and the end of a folder.
func (r *results) moved(c past.Revision) {
	from := c.OldPath
	if from == "" {
		from = c.Path
	}
	for _, f := range r.byKey {
		rest, ok := strings.CutPrefix(f.path, from)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		switch {
		case c.OldPath != "":
			delete(r.paths, f.path)
			f.rename(c.Path + rest)
			r.paths[f.path] = f
		case c.Shape == past.Removed:
			f.changed, f.gone = true, true
		}
	}
}

// rename sets the new path of a file; marks in its old name no longer mean anything.
func (f *file) rename(path string) {
	f.path, f.changed = path, true
	for i := range f.name {
		f.name[i] = search.Span{}
	}
}
