// Package upkeep keeps the indexes of a store, and the links between its notes, in step with notes that are deleted, moved or
// archived: it finds what has to be rewritten and writes it into the group of the act, so that one undo reverts both.
//
// It is called after an act, with the fate of each note, and reads the store as it is then. An index loses the entries of notes that
// are gone; links of other notes to those stay, because only a person knows what they should say instead. Where a note has another path,
// or its text is in another one, entries and links follow.
//
// Command line and interface call it; it knows neither.
package upkeep

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/index"
	"memcurator/memstore/undo"
	"memcurator/render/text"
)

// Command is the name of the command in revisions of rewritten files.
const Command = "fix"

// maxBytes is how large a text may be to be rewritten.
const maxBytes = 1 << 20

// Fate is where a note went.
type Fate struct {
	To string // agent path of where it is now, or of the one with the same text; "": it is gone
}

// Fates are those of notes, by the agent path that each had.
type Fates map[string]Fate

// Rewrite is a file that has to be updated.
type Rewrite struct {
	Path          string // agent path
	Before, After []byte
	Entries       int      // of an index, that were removed or changed
	Removed       []string // of these, the lines of those that are removed
	Links         int      // others that were changed
	Index         bool     // it is an index
}

// Write writes the text as an act of a group. The error is [memstore.ErrChanged] where the file has other bytes by now.
func (r *Rewrite) Write(ctx context.Context, g *undo.Group) error {
	return g.Write(ctx, Command, r.Path, r.After, memstore.Sum(r.Before))
}

// Step is the write as a step of an act.
func (r *Rewrite) Step() memstore.Step {
	sum := memstore.Sum(r.Before)
	return memstore.Step{Kind: memstore.KindFile, Path: r.Path, Data: r.After, Expect: &sum}
}

// Plan works out what follows from the fates of notes: by path, the indexes first. Before the act it previews the updates;
// afterwards it returns what to write. Files that can't be read are skipped.
func Plan(ctx context.Context, s *memstore.Store, fates Fates) ([]Rewrite, error) {
	if len(fates) == 0 {
		return nil, nil
	}
	snapshot, err := s.Scan(ctx, memstore.ScanOptions{})
	if err != nil {
		return nil, err
	}
	p := planning{ctx: ctx, b: s.Backend(), fates: fates, present: map[string]bool{}}
	p.store = index.StoreOf(snapshot, slices.Collect(maps.Keys(fates))...)
	for _, at := range p.store.Files {
		n := snapshot.Find(at)
		p.present[at] = n != nil && n.Kind == memstore.KindFile && !n.Hidden
	}
	p.store.Loaded = memstore.AgentPath(index.Main) // whether an agent loads it or not, its entries follow
	p.callAll()
	return p.plan()
}

// Linking counts the notes that link to some that are to be deleted, and stay: what would follow, were those renamed.
func Linking(ctx context.Context, s *memstore.Store, gone Fates) (n int, err error) {
	const renaming = ".gone.md"
	renamed := Fates{}
	for at := range gone {
		renamed[at] = Fate{To: at + renaming}
	}
	list, err := Plan(ctx, s, renamed)
	for i := range list {
		if _, goes := gone[strings.TrimSuffix(list[i].Path, renaming)]; list[i].Links > 0 && !goes {
			n++
		}
	}
	return n, err
}

// planning is one plan.
type planning struct {
	ctx     context.Context
	b       memstore.Backend
	fates   Fates
	present map[string]bool
	store   *index.Store
}

// callAll reads the names that notes have in their front matter, which wikilinks may use, of those that are still somewhere.
func (p *planning) callAll() {
	for was, fate := range p.fates {
		for _, at := range []string{was, fate.To} {
			if at == "" || !p.present[at] {
				continue
			}
			if data, err := p.read(at); err == nil {
				p.store.Names.Call(was, index.NameIn(data[:min(len(data), index.HeadBytes)]))
			}
			break
		}
	}
}

func (p *planning) plan() ([]Rewrite, error) {
	moves := false
	for was, fate := range p.fates {
		moves = moves || fate.To != "" && fate.To != was
	}
	indexes := map[string]*index.File{}
	for _, f := range p.store.Find(p.read) {
		indexes[f.Path] = f
	}
	var out []Rewrite
	for _, at := range p.store.Files {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		f := indexes[at]
		if !p.present[at] || f == nil && !moves || !index.NoteEnding(at) {
			continue
		}
		to := at // where it is after the act
		if fate, goes := p.fates[at]; goes {
			to = fate.To
		}
		if to == "" || to != at && p.present[to] { // deleted: another note has its text
			continue
		}
		if f == nil {
			data, err := p.read(at)
			if err != nil || !p.named(data, to) {
				continue
			}
			f = &index.File{Path: at, Index: index.Parse(data)}
		}
		from := at // where it was when its links were written
		for was, fate := range p.fates {
			if fate.To == at && !p.present[was] {
				from = was
			}
		}
		r := Rewrite{Path: to, Before: f.Bytes(), Index: indexes[at] != nil}
		r.After = index.Apply(r.Before, p.edits(f, from, &r))
		if !bytes.Equal(r.Before, r.After) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Rewrite) int {
		switch {
		case a.Index == b.Index:
			return strings.Compare(a.Path, b.Path)
		case a.Index:
			return -1
		}
		return 1
	})
	return out, nil
}

// named reports whether a text may link to one of the notes, or is one that moved to another folder.
func (p *planning) named(data []byte, at string) bool {
	for was, fate := range p.fates {
		if fate.To == at && path.Dir(was) != path.Dir(at) {
			return true
		}
		stem := index.Stem(was)
		if bytes.Contains(data, []byte(stem)) || bytes.Contains(data, []byte("[[")) || bytes.Contains(data, []byte("%")) {
			return true
		}
	}
	return false
}

// edits are the rewrites of one file, whose links were written at another path than it has then.
func (p *planning) edits(f *index.File, from string, r *Rewrite) []index.Edit {
	var out []index.Edit
	removed := map[int]bool{} // links of entries that go, by their offset
	if r.Index {
		for i := range f.Entries {
			e := &f.Entries[i]
			was, is := p.store.Names.Resolve(from, e.Form, f.String(e.Target))
			fate, ok := p.fates[was]
			if !is || !ok || fate.To == was || fate.To != "" && !p.listed(f, from, fate.To) {
				continue
			}
			edit := f.Remove(e)
			if edit.Text == "" {
				r.Removed = append(r.Removed, strings.TrimSpace(f.String(edit.Span)))
			}
			out = append(out, edit)
			removed[e.All.Start] = true
			r.Entries++
		}
	}
	for _, l := range f.Links {
		was, is := p.store.Names.Resolve(from, l.Form, f.String(l.Target))
		if !is || removed[l.All.Start] {
			continue
		}
		to := was
		if fate, ok := p.fates[was]; ok {
			to = fate.To
		}
		if to == "" || to == was && from == r.Path || l.Form == index.Path && !index.NoteEnding(f.String(l.Target)) && to == was {
			continue
		}
		if to == was && (l.Form != index.Markdown || f.String(l.Target)[0] == '/') {
			continue // its name leads there from anywhere
		}
		edit := f.Retarget(r.Path, l, to)
		if f.String(edit.Span) == edit.Text {
			continue
		}
		out = append(out, edit)
		if r.Index && slices.ContainsFunc(f.Entries, func(e index.Entry) bool { return e.All == l.All }) {
			r.Entries++
		} else {
			r.Links++
		}
	}
	return out
}

// listed reports whether an index has an entry of a note.
func (p *planning) listed(f *index.File, from, note string) bool {
	return slices.ContainsFunc(f.Entries, func(e index.Entry) bool {
		to, is := p.store.Names.Resolve(from, e.Form, f.String(e.Target))
		return is && to == note
	})
}

func (p *planning) read(agentPath string) ([]byte, error) {
	return memstore.ReadFile(p.b, memstore.BackendName(agentPath), memstore.Look, maxBytes)
}

// mostNamed is how many entries a question names.
const mostNamed = 5

// Asked lists for people what is going to be updated, as the end of a sentence, and below it the lines that an index loses.
func Asked(list []Rewrite) string {
	asked := text.Clean(Said(list)) + "."
	var removed []string
	for _, r := range list {
		removed = append(removed, r.Removed...)
	}
	for i, entry := range removed {
		if i == mostNamed {
			return asked + "\n  and " + text.Count(len(removed)-i, "more entry", "more entries")
		}
		for line := range strings.Lines(entry) {
			asked += "\n  " + text.Clean(strings.TrimRight(line, "\r\n"))
		}
	}
	return asked
}

// Said lists what was updated, as the end of a sentence: "MEMORY.md: 2 entries; 3 links in 2 files"; "" for nothing.
func Said(list []Rewrite) string {
	var parts []string
	links, files := 0, 0
	for i := range list {
		r := &list[i]
		if r.Index && r.Entries > 0 {
			parts = append(parts, strings.TrimPrefix(r.Path, memstore.Root+"/")+": "+text.Count(r.Entries, "entry", "entries"))
		}
		if r.Links > 0 {
			links += r.Links
			files++
		}
	}
	if links > 0 {
		parts = append(parts, text.Count(links, "link")+" in "+text.Count(files, "file"))
	}
	return strings.Join(parts, "; ")
}
