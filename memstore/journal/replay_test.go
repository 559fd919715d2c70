package journal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/past"
)

// replayed is the tree that the revisions give when they are applied in order to what was
// there at the beginning, as disk has it: folders, and files with their bytes.
func (d *desk) replayed(upTo int64) map[string]string {
	d.t.Helper()
	ctx := context.Background()
	tree := map[string]string{}
	put := func(name, text string) {
		for _, p := range parents(name) {
			tree[p] = "folder"
		}
		tree[name] = text
	}
	for name, text := range d.treeAt(0) {
		put(name, text)
	}
	d.must(d.j.List(ctx, past.Filter{Before: upTo + 1}, func(r past.Revision) bool {
		name := memstore.BackendName(r.Path)
		switch r.Shape {
		case past.Removed:
			for at := range tree {
				if at == name || inside(at, name) {
					delete(tree, at)
				}
			}
		case past.Renamed:
			old := memstore.BackendName(r.OldPath)
			for at, text := range tree {
				if at == old || inside(at, old) {
					delete(tree, at)
					put(moved(at, old, name), text)
				}
			}
		default:
			text := "folder"
			if r.Kind == memstore.KindFile {
				data, err := d.j.Bytes(ctx, r.After)
				d.must(err)
				text = string(data)
			}
			put(name, text)
		}
		return true
	}))
	return tree
}

// plain is the tree on disk without modes.
func (d *desk) plain() map[string]string {
	tree := d.disk()
	for name, text := range tree {
		if backend.TempName(path.Base(name)) || memstore.InGit(name) {
			delete(tree, name) // the first is of a process that was killed; the next write there sweeps it away
		} else if text != "folder" {
			_, tree[name], _ = strings.Cut(text, " ")
		}
	}
	return tree
}

// same describes how two trees differ, "" for nothing.
func same(got, want map[string]string) string {
	var out []string
	for name, text := range want {
		if g, ok := got[name]; !ok || g != text {
			out = append(out, fmt.Sprintf("%s is %.40q, want %.40q", name, g, text))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			out = append(out, name+" is too much")
		}
	}
	return strings.Join(out, "\n")
}

// act does something at random: by a command, as the agent or the curator, or as another program.
func (d *desk) act(r *rand.Rand) {
	paths := []string{"a.md", "b.md", "d/a.md", "d/b.md", "d/e/a.md", "f/a.md", "d", "f", "d/e"}
	pick := func() string { return paths[r.IntN(len(paths))] }
	text := fmt.Sprintf("%d\n%s%d\n", r.IntN(5), strings.Repeat("line\n", r.IntN(5)), r.IntN(1000))
	name := pick()
	at := filepath.Join(d.dir, filepath.FromSlash(name))
	agent := memstore.AgentPath(name)
	actor := memstore.Agent
	if r.IntN(3) == 0 {
		actor = memstore.Curator
	}
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: actor})
	switch r.IntN(10) {
	case 0, 1, 2:
		d.store.Do(ctx, create(agent, text))
	case 3, 4:
		d.store.Do(ctx, memstore.Command{Name: memstore.CmdInsert, Path: agent, InsertLine: 0, InsertText: text})
	case 5:
		d.store.Do(ctx, rename(agent, memstore.AgentPath(pick())))
	case 6:
		d.store.Do(ctx, remove(agent))
	case 7:
		if info, err := os.Stat(at); err == nil && !info.IsDir() {
			d.must(os.WriteFile(at, []byte(text), 0o600))
		}
	case 8:
		_ = os.RemoveAll(at) // fails below a file
	case 9:
		to := filepath.Join(d.dir, filepath.FromSlash(path.Dir(pick())), "moved.md")
		_ = os.Rename(at, to) // where nothing is there, or no folder, nothing happens
	}
}

// rounds is how often something is tried; with MEMCURATOR_STRESS five times as often. With the race detector, which makes everything about
// ten times slower, a fifth does: it sees a race the first time.
func rounds(t *testing.T, short, long int) int {
	t.Helper()
	switch {
	case os.Getenv("MEMCURATOR_STRESS") != "":
		return 5 * long
	case testing.Short():
		return short
	case raced:
		return max(short, long/5)
	}
	return long
}

// Whatever happens, replaying the revisions yields the tree on disk, and undoing all of them yields the
// tree of the beginning, modes included.
func TestReplayYieldsTheTreeAndUndoTheBeginning(t *testing.T) {
	t.Parallel()
	for seed := range rounds(t, 10, 30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			d := newDesk(t)
			d.outside("a.md", "first\n")
			d.outside("d/a.md", "second\n")
			d.must(os.Chmod(filepath.Join(d.dir, "d", "a.md"), 0o640))
			d.syncAll()
			before := d.disk()
			for range 30 {
				d.act(r)
				if r.IntN(4) == 0 {
					d.syncAll()
				}
				if r.IntN(10) == 0 {
					d.reopen()
				}
			}
			d.syncAll()
			last, err := d.j.Last(context.Background())
			d.must(err)
			if diff := same(d.replayed(last), d.plain()); diff != "" {
				t.Fatalf("replayed:\n%s\n%q", diff, d.story())
			}
			for rev := range last + 1 {
				if diff := same(d.treeAt(rev), d.replayed(rev)); diff != "" {
					t.Fatalf("the tree at %d:\n%s\n%q", rev, diff, d.story())
				}
			}
			d.agrees()
			d.takeAllBack()
			after := d.disk()
			for name, text := range after {
				if text == "folder" && before[name] == "" && path.Base(name) != "moved.md" {
					delete(after, name) // made on the way to a file, never by itself
				}
			}
			if diff := same(after, before); diff != "" {
				t.Fatalf("after undoing everything:\n%s\n%q", diff, d.story())
			}
		})
	}
}

// takeAllBack reverts every revision, the newest first, each by itself.
func (d *desk) takeAllBack() {
	d.t.Helper()
	list := d.revisions()
	for i := len(list) - 1; i >= 0; i-- {
		d.revert(list[i].Rev)
	}
}

func (d *desk) treeAt(rev int64) map[string]string {
	d.t.Helper()
	t, err := d.j.Tree(context.Background(), rev)
	d.must(err)
	tree := map[string]string{}
	for _, e := range t.Entries {
		text := "folder"
		if e.Kind != memstore.KindDir {
			data, err := d.j.Bytes(context.Background(), e.Side())
			d.must(err)
			text = string(data)
		}
		tree[memstore.BackendName(e.Path)] = text
	}
	return tree
}
