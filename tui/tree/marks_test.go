package tree

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// grown is a tree pane on a snapshot, every folder unfolded.
func grown(s *memstore.Snapshot) *Pane {
	env := &ui.Env{Styles: theme.New(theme.Options{}), Keys: keymap.Default()}
	env.Jobs = ui.NewJobs(context.Background())
	p := New(env, memstore.New(memstore.NewMemory(), memstore.Options{ReadOnly: true}))
	p.Resize(40, 20)
	p.SetSnapshot(s)
	p.Actions().Perform(keymap.ExpandAll)
	return p
}

// tree is a store of empty folders and files of the given sizes; a name with a final slash is a folder.
func tree(sizes map[string]int64) *memstore.Snapshot {
	t := memstore.NewTree(&memstore.Snapshot{Root: &memstore.Node{Info: memstore.Info{Name: ".", Kind: memstore.KindDir}}, Complete: true})
	names := slices.Sorted(maps.Keys(sizes))
	for _, name := range names {
		info := memstore.Info{Kind: memstore.KindFile, Size: sizes[name]}
		if strings.HasSuffix(name, "/") {
			info = memstore.Info{Kind: memstore.KindDir}
			name = strings.TrimSuffix(name, "/")
		}
		info.Name = name[strings.LastIndexByte(name, '/')+1:]
		t.Put(name, info)
	}
	return t.Snapshot()
}

func TestMarksFollowWhatHappens(t *testing.T) {
	before := map[string]int64{"d/": 0, "d/x": 10, "d/y": 20, "d/e/": 0, "d/e/z": 5, "a": 1, "b": 2}
	for _, c := range []struct {
		name    string
		marked  []string
		changes []past.Revision
		after   map[string]int64
		want    []string
		bytes   int64
	}{
		{"an edit changes the size", []string{"a"}, []past.Revision{{Shape: past.Edited, Path: "a"}},
			map[string]int64{"a": 7}, []string{"a"}, 7},
		{"a deleted file leaves", []string{"a", "b"}, []past.Revision{{Shape: past.Removed, Path: "a"}},
			map[string]int64{"b": 2}, []string{"b"}, 2},
		{"a new file of the same name is not marked", []string{"a"},
			[]past.Revision{{Shape: past.Removed, Path: "a"}, {Shape: past.Made, Path: "a"}},
			map[string]int64{"a": 1}, nil, 0},
		{"a renamed file keeps its mark", []string{"a"}, []past.Revision{{Shape: past.Renamed, OldPath: "a", Path: "c"}},
			map[string]int64{"c": 1}, []string{"c"}, 1},
		{"a swap of names swaps marks", []string{"a"}, []past.Revision{
			{Shape: past.Renamed, OldPath: "a", Path: "t"}, {Shape: past.Renamed, OldPath: "b", Path: "a"}, {Shape: past.Renamed, OldPath: "t", Path: "b"}},
			map[string]int64{"a": 2, "b": 1}, []string{"b"}, 1},
		{"a renamed folder takes those below along", []string{"d/x", "d/e", "d/e/z"},
			[]past.Revision{{Shape: past.Renamed, OldPath: "d", Path: "n", Kind: memstore.KindDir}},
			map[string]int64{"n/": 0, "n/x": 10, "n/y": 20, "n/e/": 0, "n/e/z": 5}, []string{"n/e", "n/e/z", "n/x"}, 15},
		{"a deleted folder takes those below along", []string{"d/x", "d/e", "a"},
			[]past.Revision{{Shape: past.Removed, Path: "d", Kind: memstore.KindDir}},
			map[string]int64{"a": 1}, []string{"a"}, 1},
		{"a folder grows with what is below", []string{"d", "d/x"}, []past.Revision{{Shape: past.Made, Path: "d/e/new"}},
			map[string]int64{"d/": 0, "d/x": 10, "d/y": 20, "d/e/": 0, "d/e/z": 5, "d/e/new": 100}, []string{"d", "d/x"}, 135},
		{"a name that only begins alike stays", []string{"a"}, []past.Revision{{Shape: past.Removed, Path: "ab", Kind: memstore.KindDir}},
			before, []string{"a"}, 1},
	} {
		for i := range c.changes {
			change := &c.changes[i]
			change.Path = memstore.AgentPath(change.Path)
			if change.OldPath != "" {
				change.OldPath = memstore.AgentPath(change.OldPath)
			}
			if change.Kind == 0 {
				change.Kind = memstore.KindFile
			}
		}
		for order, bring := range map[string]func(*Pane){
			"the tree first":   func(p *Pane) { p.SetSnapshot(tree(c.after)); p.Changed(c.changes) },
			"the record first": func(p *Pane) { p.Changed(c.changes); p.SetSnapshot(tree(c.after)) },
		} {
			t.Run(c.name+"/"+order, func(t *testing.T) {
				p := grown(tree(before))
				for _, name := range c.marked {
					p.Select(memstore.AgentPath(name))
					p.Actions().Perform(keymap.Mark)
				}
				bring(p)
				var want []string
				for _, name := range c.want {
					want = append(want, memstore.AgentPath(name))
				}
				count, bytes := p.Selection.Count()
				if got := p.Selection.Paths(); !slices.Equal(got, want) || count != len(want) || bytes != c.bytes {
					t.Errorf("marked %v, %d of %d bytes; want %v of %d bytes", got, count, bytes, want, c.bytes)
				}
			})
		}
	}
}

// Whatever is pressed, marks are on visible rows or were so when they were made, the count
// and the bytes are those of the list, and inverting twice changes nothing.
func TestMarksUnderRandomKeys(t *testing.T) {
	keys := []keymap.ID{keymap.Mark, keymap.MarkRange, keymap.MarkInvert, keymap.MarkAll, keymap.MarkNone, keymap.Down, keymap.Down,
		keymap.Up, keymap.Bottom, keymap.Top, keymap.Open, keymap.Left, keymap.Sort, keymap.ShowHidden, keymap.CollapseAll, keymap.ExpandAll}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		s, paths := grow(r, 3)
		p := grown(s)
		for range 40 {
			id := keys[r.IntN(len(keys))]
			p.Actions().Perform(id)
			marked := p.Selection.Paths()
			if !slices.IsSorted(marked) || len(slices.Compact(slices.Clone(marked))) != len(marked) {
				t.Fatalf("seed %d: %v is not sorted or has doubles", seed, marked)
			}
			var bytes int64
			for path, n := range paths {
				if n.Kind != memstore.KindDir && slices.ContainsFunc(marked, func(m string) bool { return m == path || strings.HasPrefix(path, m+"/") }) {
					bytes += n.Size
				}
			}
			for _, path := range marked {
				if paths[path] == nil || path == memstore.Root {
					t.Fatalf("seed %d: %s is marked", seed, path)
				}
			}
			count, got := p.Selection.Count()
			if count != len(marked) || got != weighed(paths, marked, bytes) {
				t.Fatalf("seed %d after %s: %d marks of %d bytes, want %d of %d: %v", seed, id, count, got, len(marked), bytes, marked)
			}
			if id == keymap.MarkAll {
				p.Actions().Perform(keymap.MarkInvert)
				p.Actions().Perform(keymap.MarkInvert)
				p.Actions().Perform(keymap.MarkAll)
				if n := len(p.Selection.Paths()); n > 0 && n < len(marked) { // 0: all were selected still
					t.Fatalf("seed %d: fewer selected after inverting twice", seed)
				}
			}
		}
	}
}

// weighed is bytes, except for folders of random snapshots, which do not count what is below them.
func weighed(paths map[string]*memstore.Node, marked []string, bytes int64) int64 {
	folders := false
	for _, path := range marked {
		folders = folders || paths[path].Kind == memstore.KindDir
	}
	if !folders {
		return bytes
	}
	var out int64
	for _, path := range marked {
		covered := slices.ContainsFunc(marked, func(m string) bool { return strings.HasPrefix(path, m+"/") })
		if !covered {
			out += weight(paths[path])
		}
	}
	return out
}

func TestPeelOrder(t *testing.T) {
	p := grown(tree(map[string]int64{"a": 1, "ab": 1, "abc": 1}))
	p.SetFilter("a")
	p.Actions().Perform(keymap.Down)
	p.Actions().Perform(keymap.Mark)
	p.Actions().Perform(keymap.MarkRange)
	p.Actions().Perform(keymap.Down)
	var got []string
	for range 4 {
		count, _ := p.Selection.Count()
		state := p.Filter()
		if p.Selection.Ranging() {
			state += " range"
		}
		if count > 0 {
			state += " marks"
		}
		got = append(got, state)
		p.Peel()
	}
	if want := []string{"a range marks", "a marks", "a", ""}; !slices.Equal(got, want) {
		t.Errorf("layers %q, want %q", got, want)
	}
}

func TestUnfoldedFoldersAreNoPartOfARange(t *testing.T) {
	p := grown(tree(map[string]int64{"d/": 0, "d/x": 1, "d/y": 1, "e/": 0, "f": 1}))
	p.Actions().Perform(keymap.Top)
	p.Actions().Perform(keymap.MarkRange)
	p.Actions().Perform(keymap.Down)
	p.Actions().Perform(keymap.Down)
	if got := p.Selection.Paths(); !slices.Equal(got, []string{"/memories/d/x"}) {
		t.Errorf("the range holds %v", got)
	}
	p.Actions().Perform(keymap.Bottom)
	p.Actions().Perform(keymap.MarkRange)
	if got := p.Selection.Paths(); !slices.Equal(got, []string{"/memories/d/x", "/memories/d/y", "/memories/e", "/memories/f"}) || p.Selection.Ranging() {
		t.Errorf("set were %v", got)
	}
}

func TestFoldedFoldersTellOfSensitiveFiles(t *testing.T) {
	p := grown(tree(map[string]int64{"d/": 0, "d/in/": 0, "d/in/x": 1, "e/": 0, "f": 1}))
	sign := p.env.Styles.Glyphs.Sensitive
	told := func() []string {
		var out []string
		for i := range p.view.rows {
			path := p.view.rows.path(i)
			if _, secret := p.Badges.signs(path, p.view.rows[i].node, p.shape.expanded[path], p.env.Styles); secret.text == sign {
				out = append(out, path)
			}
		}
		return out
	}
	p.Badges.SetFindings(map[string]int{"/memories/d/in/x": 2})
	if got := told(); !slices.Equal(got, []string{"/memories/d/in/x"}) {
		t.Errorf("unfolded: %v", got)
	}
	p.Actions().Perform(keymap.CollapseAll)
	if got := told(); !slices.Equal(got, []string{"/memories/d"}) {
		t.Errorf("folded: %v", got)
	}
	p.Badges.SetFindings(nil)
	if got := told(); got != nil {
		t.Errorf("nothing found: %v", got)
	}
}

func TestSignsHaveTheColorsOfTheirMeaning(t *testing.T) {
	p := grown(tree(map[string]int64{"due": 1, "key": 1, "pinned": 1}))
	p.Badges.SetFindings(map[string]int{"/memories/key": 1})
	p.Badges.due, p.Badges.pinned = map[string]bool{"/memories/due": true}, map[string]bool{"/memories/pinned": true}
	p.view.list.MoveTo(0)
	rows, st := strings.Join(p.Rows(true), "\n"), p.env.Styles
	for _, want := range []string{st.Unread.Apply(st.Glyphs.Due), st.Error.Apply(st.Glyphs.Sensitive), st.Accent.Apply(st.Glyphs.Pinned)} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%q", want, rows)
		}
	}
}
