package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore/index"
	"memcurator/render/loadlimit"
)

// Trim proposes several files in place of an index that a session loads only in part, so that what it loads has room for more again: less
// than [loadlimit.NearShare] of its limit. Nothing is dropped, and every note stays listed:
//
//   - First, text that lists no note moves to a topic file, the longest run of it first. Headings stay.
//   - Where that is not enough, entries move to a second index, which the first one lists: those of the notes that were changed longest
//     ago first, of equal ones the longest.
//
// changed is when the note of a link was last changed; zero: unknown, or it doesn't exist. taken reports whether a path exists. The first
// part is the index. nil: the text is within the limit, isn't an index, or can't be made to fit.
func Trim(agentPath string, data []byte, limit loadlimit.Extent, changed func(agentPath string) time.Time, taken func(string) bool) []Part {
	x := index.Parse(data)
	if len(x.Entries) == 0 || loadlimit.Load(data, loadlimit.Limit{Extent: limit, Stripped: true}).By == "" {
		return nil
	}
	t := &trimming{path: agentPath, data: data, taken: taken}
	t.read(x, changed)
	for _, u := range loadlimit.Units {
		if most := math.Ceil(float64(limit.Of(u))*loadlimit.NearShare) - 1; most >= 1 {
			t.most = append(t.most, bound{u, int64(most)})
		}
	}
	details, entries := t.order()
	all := append(details, entries...)
	fits := func(n int) bool {
		for i, u := range all {
			u.moves = i < n
		}
		return t.fits()
	}
	if n := 1 + sort.Search(len(all), func(n int) bool { return fits(n + 1) }); n <= len(all) && fits(n) {
		return t.parts()
	}
	return nil
}

// unit are lines of an index that stay or move together.
type unit struct {
	span    index.Span
	section int // how many headings come before it
	entry   bool
	changed time.Time
	moves   bool
}

// read finds the entries of an index and the runs of other lines; headings, blank lines and what isn't loaded belong to none.
func (t *trimming) read(x *index.Index, changed func(string) time.Time) {
	data := t.data
	covered := 0
	counts := loadlimit.Load(data, loadlimit.Limit{Stripped: true}).Spans
	loaded := func(at int) bool {
		return slices.ContainsFunc(counts, func(s loadlimit.Span) bool { return s.Start <= at && at < s.End })
	}
	prose := func(to int) {
		var run *unit
		fenced := false
		for at := covered; at < to; {
			end := to
			if n := bytes.IndexByte(data[at:to], '\n'); n >= 0 {
				end = at + n + 1
			}
			line := bytes.TrimSpace(data[at:end])
			fence := bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
			heading := !fenced && bytes.HasPrefix(line, []byte("#"))
			switch {
			case heading:
				t.headings, run = append(t.headings, data[at:end]), nil
			case len(line) == 0 && !fenced, !loaded(at):
				run = nil
			case run == nil:
				run = &unit{span: index.Span{Start: at, End: end}, section: len(t.headings)}
				t.units = append(t.units, run)
			default:
				run.span.End = end
			}
			if fence {
				fenced = !fenced
			}
			at = end
		}
		covered = max(covered, to)
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		prose(e.Item.Start)
		if e.Item.Start < covered { // in a line with another one, or below it
			if n := len(t.units); n > 0 && t.units[n-1].entry {
				t.units[n-1].span.End = max(t.units[n-1].span.End, e.Item.End)
				covered = max(covered, e.Item.End)
			}
			continue
		}
		t.units = append(t.units, &unit{
			span: e.Item, section: len(t.headings), entry: true, changed: changed(target(t.path, x.String(e.Target), e.Form)),
		})
		covered = e.Item.End
	}
	prose(len(data))
}

// target is the note that a link of a file leads to.
func target(from, to string, form index.Form) string {
	if form == index.Wiki {
		to += path.Ext(from)
	}
	if strings.HasPrefix(to, "/") {
		return path.Clean(to)
	}
	return path.Join(path.Dir(from), to)
}

var newline = []byte{'\n'}

type bound struct {
	unit loadlimit.Unit
	most int64
}

// trimming is one call of [Trim].
type trimming struct {
	path     string
	data     []byte
	taken    func(string) bool
	units    []*unit
	headings [][]byte
	most     []bound
}

// order is in which order units move.
func (t *trimming) order() (details, entries []*unit) {
	for _, u := range t.units {
		if u.entry {
			entries = append(entries, u)
		} else {
			details = append(details, u)
		}
	}
	length := func(u *unit) int { return u.span.End - u.span.Start }
	slices.SortStableFunc(details, func(a, b *unit) int { return cmp.Compare(length(b), length(a)) })
	slices.SortStableFunc(entries, func(a, b *unit) int {
		return cmp.Or(a.changed.Compare(b.changed), cmp.Compare(length(b), length(a)))
	})
	return details, entries
}

// fits reports whether what stays of the index has room.
func (t *trimming) fits() bool {
	have := loadlimit.Measure(t.parts()[0].Data)
	for _, b := range t.most {
		if have.Of(b.unit) > b.most {
			return false
		}
	}
	return true
}

// parts are the index and the files that its lines move to.
func (t *trimming) parts() []Part {
	var stays []byte
	var details, entries []*unit
	from := 0
	for _, u := range t.units {
		if !u.moves {
			continue
		}
		stays = append(stays, t.data[from:u.span.Start]...)
		from = u.span.End
		if blank := bytes.HasPrefix(t.data[from:], newline); blank && (len(stays) == 0 || bytes.HasSuffix(stays, []byte("\n\n"))) {
			from++ // one blank line is enough
		}
		if u.entry {
			entries = append(entries, u)
		} else {
			details = append(details, u)
		}
	}
	stays = ended(append(stays, t.data[from:]...))
	parts := []Part{{Path: t.path}}
	move := func(list []*unit, word, title, says string) {
		if len(list) == 0 {
			return
		}
		name := t.free(word)
		parts = append(parts, Part{Path: name, Data: t.file(title, list)})
		stays = fmt.Appendf(stays, "- [%s](%s): %s\n", title, path.Base(name), says)
	}
	stem := strings.TrimSuffix(path.Base(t.path), path.Ext(t.path))
	move(details, "details", stem+" details", "text that was in this index")
	least := "the entry changed least recently"
	if n := len(entries); n > 1 {
		least = fmt.Sprintf("the %d entries changed least recently", n)
	}
	move(entries, "more", "More notes", least)
	parts[0].Data = stays
	return parts
}

// file is the text of a new file: units in their order, each section below its heading.
func (t *trimming) file(title string, list []*unit) []byte {
	out := []byte("# " + title + "\n")
	last := -1
	for _, u := range list {
		if u.section != last {
			out = append(out, '\n')
			if last = u.section; last > 0 {
				out = append(append(out, ended(t.headings[last-1])...), '\n')
			}
		}
		if !u.entry && !bytes.HasSuffix(out, []byte("\n\n")) {
			out = append(out, '\n') // a paragraph of its own
		}
		out = ended(append(out, t.data[u.span.Start:u.span.End]...))
	}
	return out
}

// free is a path for a new file beside the index.
func (t *trimming) free(word string) string {
	ending := path.Ext(t.path)
	stem := strings.TrimSuffix(t.path, ending) + "-" + word
	name := stem + ending
	for i := 2; t.taken != nil && t.taken(name); i++ {
		name = stem + "-" + strconv.Itoa(i) + ending
	}
	return name
}
