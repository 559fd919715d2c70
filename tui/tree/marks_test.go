package tree

import (
	"context"
	"maps"
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
