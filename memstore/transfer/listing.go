package transfer

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/index"
	"memcurator/memstore/undo"
)

// IndexEdit is a change to an index, so that it lists the notes of its store.
type IndexEdit struct {
	Source bool   // it is at the source, and loses the entries of notes that moved
	Path   string // agent path of the index
	Notes  int    // entries that are added or removed
	Err    error  // why it wasn't written; nil in a plan

	before, after []byte
}

// Texts are the text of the index before and after.
func (e *IndexEdit) Texts() (before, after []byte) { return e.before, e.after }

// Why is the reason that the index wasn't written, as the end of a sentence; "" if it was.
func (e *IndexEdit) Why() string {
	if e.Err == nil {
		return ""
	}
	return (&Failed{Err: e.Err}).Why()
}

// catalog lists the files of a store, and which of them are indexes.
type catalog struct {
	*index.Store
	indexes []*index.File
	texts   map[string][]byte // of the indexes, by agent path
}

// catalogOf reads the names of a store and its indexes. more are notes that are about to arrive there.
func (t *Transfer) catalogOf(ctx context.Context, p *Place, more map[string]*Item) (*catalog, error) {
	snapshot, err := p.Store.Scan(ctx, nil)
	if err != nil {
		return nil, err
	}
	var arriving []string
	for at, i := range more {
		if i.Writes() {
			arriving = append(arriving, at)
		}
	}
	c := &catalog{Store: index.StoreOf(snapshot, arriving...), texts: map[string][]byte{}}
	c.Loaded, _ = p.Load.Of(snapshot).Index()
	c.indexes = c.Find(func(at string) (data []byte, err error) {
		from := *p
		if i := more[at]; i != nil && i.Writes() {
			from = t.From
		}
		c.texts[at], err = t.read(from, at, memstore.KindFile)
		return c.texts[at], err
	})
	return c, nil
}

// entry returns the first entry about a note.
func (c *catalog) entry(note string) (*index.File, *index.Entry) {
	for _, f := range c.indexes {
		for i := range f.Entries {
			e := &f.Entries[i]
			if to, is := c.Names.Resolve(f.Path, e.Form, f.String(e.Target)); is && to == note {
				return f, e
			}
		}
	}
	return nil, nil
}

// listed are the notes that an index names.
func (c *catalog) listed() map[string]bool {
	out := map[string]bool{}
	for _, f := range c.indexes {
		for _, l := range f.Links {
			if to, is := c.Names.Resolve(f.Path, l.Form, f.String(l.Target)); is {
				out[to] = true
			}
		}
	}
	return out
}

// home is the nearest index above a note; nil if there is none.
func (c *catalog) home(note string) (home *index.File) {
	for _, f := range c.indexes {
		dir := path.Dir(f.Path)
		if strings.HasPrefix(note, dir+"/") && f.Path != note && (home == nil || len(dir) > len(path.Dir(home.Path))) {
			home = f
		}
	}
	return home
}

func (c *catalog) isIndex(at string) *index.File {
	for _, f := range c.indexes {
		if f.Path == at {
			return f
		}
	}
	return nil
}

// both are the catalogs of a transfer.
type both struct {
	from, to *catalog
	arriving map[string]*Item // at the destination, by path
}

func (t *Transfer) catalogs(ctx context.Context, items []Item) (*both, error) {
	b := &both{arriving: map[string]*Item{}}
	for i := range items {
		if one := &items[i]; one.Writes() || one.Act == Same {
			b.arriving[one.Path] = one
		}
	}
	var err error
	if b.from, err = t.catalogOf(ctx, &t.From, nil); err == nil {
		b.to, err = t.catalogOf(ctx, &t.To, b.arriving)
	}
	return b, err
}

// list returns the edits that add entries for the notes that arrive to the indexes at the destination: those that the source lists, and
// those that an index there is expected to list.
func (b *both) list(read func(note string) []byte) (out []IndexEdit) {
	expected := map[string]bool{}
	for _, notes := range b.to.Orphans(b.to.indexes) {
		for _, note := range notes {
			expected[note] = true
		}
	}
	listed := b.to.listed()
	add := map[*index.File][]index.Note{}
	for _, note := range b.to.Files {
		if b.arriving[note] == nil || listed[note] || b.to.isIndex(note) != nil {
			continue
		}
		home := b.to.home(note)
		f, e := b.from.entry(note)
		if home == nil || e == nil && !expected[note] {
			continue
		}
		if i := b.arriving[home.Path]; i != nil && i.Writes() {
			continue // it came with its entries
		}
		n := index.Read(read(note)).Note(note)
		if e != nil && e.Form == index.Markdown {
			n.Title = f.String(e.Text)
		}
		if e != nil && !e.Hook.Empty() {
			n.Hook = f.String(e.Hook)
		}
		add[home] = append(add[home], n)
	}
	for _, f := range b.to.indexes {
		if notes := add[f]; len(notes) > 0 {
			before := b.to.texts[f.Path]
			out = append(out, IndexEdit{Path: f.Path, Notes: len(notes), before: before, after: index.Apply(before, f.Add(f.Path, notes...))})
		}
	}
	return out
}

// unlist returns the edits that remove the entries of notes from the indexes at the source. An index that moves too needs none.
func (b *both) unlist(gone map[string]bool) (out []IndexEdit) {
	for _, f := range b.from.indexes {
		if gone[f.Path] {
			continue
		}
		var edits []index.Edit
		n := 0
		for i := range f.Entries {
			e := &f.Entries[i]
			if to, is := b.from.Names.Resolve(f.Path, e.Form, f.String(e.Target)); is && gone[to] {
				edits = append(edits, f.Remove(e)...)
				n++
			}
		}
		if n > 0 {
			before := b.from.texts[f.Path]
			out = append(out, IndexEdit{Source: true, Path: f.Path, Notes: n, before: before, after: index.Apply(before, edits)})
		}
	}
	return out
}

// join decides about an index that both stores have: it conflicts only if it says something that the one at the destination doesn't say
// once the notes have arrived.
func (b *both) join(items []Item) {
	for i := range items {
		one := &items[i]
		if one.Act != Conflict || one.There == nil {
			continue
		}
		from, to := b.from.isIndex(one.Path), b.to.isIndex(one.Path)
		if from == nil || to == nil {
			continue
		}
		if b.covered(from, to) {
			one.Act, one.Why = Merge, ""
		} else if len(b.arriving) > 0 {
			one.Why = "it has other text there, and gets the entries of the notes"
		}
	}
}

// covered reports whether each line of an index is an entry of a note that arrives, a heading, or a line of the other index.
func (b *both) covered(from, to *index.File) bool {
	there := map[string]bool{}
	for line := range strings.Lines(string(b.to.texts[to.Path])) {
		there[strings.TrimSpace(line)] = true
	}
	at := 0
	for line := range strings.Lines(string(b.from.texts[from.Path])) {
		start := at
		at += len(line)
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || there[line] {
			continue
		}
		if !slices.ContainsFunc(from.Entries, func(e index.Entry) bool {
			note, is := b.from.Names.Resolve(from.Path, e.Form, from.String(e.Target))
			return start >= e.Item.Start && at <= e.Item.End && is && b.arriving[note] != nil
		}) {
			return false
		}
	}
	return true
}

// unresolved names the links of a note that lead somewhere at the source, and nowhere at the destination.
func (b *both) unresolved(at string, data []byte) (lost []string) {
	if !index.NoteEnding(at) {
		return nil
	}
	x := index.Parse(data)
	for _, l := range x.Links {
		target := x.String(l.Target)
		if _, was := b.from.Names.Resolve(at, l.Form, target); !was {
			continue
		}
		if _, is := b.to.Names.Resolve(at, l.Form, target); !is && !slices.Contains(lost, target) {
			lost = append(lost, target)
		}
	}
	return lost
}

// listing plans the index edits of a plan, and finds links that lead nowhere afterwards.
func (t *Transfer) listing(ctx context.Context, p *Plan) error {
	b, err := t.catalogs(ctx, p.Items)
	if err != nil {
		return err
	}
	b.join(p.Items)
	read := func(note string) []byte {
		data, _ := t.read(t.From, note, memstore.KindFile)
		return data
	}
	for i := range p.Items {
		if one := &p.Items[i]; one.Writes() && one.Kind == memstore.KindFile {
			one.Links = b.unresolved(one.Path, read(one.Path))
		}
	}
	p.Indexes = b.list(read)
	if t.Move {
		gone := map[string]bool{}
		for i := range p.Items {
			if one := &p.Items[i]; one.leaves() {
				gone[one.Path] = true
			}
		}
		p.Indexes = append(p.Indexes, b.unlist(gone)...)
		return b.broken(ctx, t.From.Store.Backend(), p, gone)
	}
	return nil
}

// broken names the notes that stay, and whose links to a note that leaves lead nowhere then.
func (b *both) broken(ctx context.Context, from memstore.Backend, p *Plan, gone map[string]bool) error {
	ripples := map[string][]string{} // by note
	for _, at := range b.from.Files {
		if len(gone) == 0 || gone[at] || !index.NoteEnding(at) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		data, _ := memstore.ReadFile(from, memstore.BackendName(at), memstore.Look, 1<<20)
		x, f := index.Parse(data), b.from.isIndex(at)
		for _, l := range x.Links {
			to, is := b.from.Names.Resolve(at, l.Form, x.String(l.Target))
			isEntry := f != nil && slices.ContainsFunc(f.Entries, func(e index.Entry) bool { return e.All == l.All })
			if is && gone[to] && !isEntry && !slices.Contains(ripples[to], at) {
				ripples[to] = append(ripples[to], at)
			}
		}
	}
	for i := range p.Items {
		if one := &p.Items[i]; len(one.Ripples) == 0 { // those of records are known
			one.Ripples = ripples[one.Path]
		}
	}
	return nil
}

// listArrived adds the notes that have arrived to the indexes of the destination. done reports whether all was written.
func (r *run) listArrived(ctx context.Context) (done bool) {
	b, err := r.catalogs(ctx, r.arrived)
	if err != nil {
		return false
	}
	return r.write(ctx, r.To, r.into, b.list(func(note string) []byte {
		data, _ := r.read(r.From, note, memstore.KindFile)
		return data
	}))
}

// unlistMoved removes the entries of the notes that the move deletes from the indexes of the source. The notes must still be there.
func (r *run) unlistMoved(ctx context.Context, gone map[string]bool) {
	b, err := r.catalogs(ctx, nil)
	if err == nil {
		r.write(ctx, r.From, r.outOf, b.unlist(gone))
	}
}

// cmdFix is the command name of revisions of indexes that follow, as of all others that do.
const cmdFix = "fix"

// write carries out index edits. What fails is reported and stays as it was.
func (r *run) write(ctx context.Context, at Place, g *undo.Group, edits []IndexEdit) (done bool) {
	done = true
	for _, e := range edits {
		expect := memstore.Sum(e.before)
		step := memstore.Step{Kind: memstore.KindFile, Path: e.Path, Data: e.after, Expect: &expect}
		var err error
		if !e.Source {
			step, _, err = at.Store.Guarded(curating(ctx), step)
		}
		if err == nil {
			err = g.Put(ctx, cmdFix, step)
		}
		if e.Err = err; err != nil {
			done = false
			if errors.Is(err, memstore.ErrNotExist) {
				e.Err = memstore.ErrChanged
			}
		}
		r.out.Indexes = append(r.out.Indexes, e)
	}
	return done
}
