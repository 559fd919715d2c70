package journal

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore"
)

// die leaves the journal as a process that is killed does: nothing is settled or closed.
func (d *desk) die() {
	living.Delete(d.j.owner)
	d.j = nil
}

// An edit that had a success is in the journal though its process was killed before it was settled and
// another program has reverted everything; one that was only announced is not.
func TestSuccessIsKnownThoughTheDiskIsAsBefore(t *testing.T) {
	for name, c := range map[string]struct {
		edit   func(d *desk)
		undone func(d *desk)
		want   []string
	}{
		"create": {
			func(d *desk) { d.do(create("/memories/new.md", "new\n")) }, func(d *desk) { d.gone("new.md") },
			[]string{"agent create /memories/new.md"},
		},
		"delete": {
			func(d *desk) { d.do(remove("/memories/a.md")) }, func(d *desk) { d.outside("a.md", "a\n") },
			[]string{"agent delete /memories/a.md"},
		},
		"rename": {
			func(d *desk) { d.do(rename("/memories/a.md", "/memories/b.md")) },
			func(d *desk) { d.must(os.Rename(filepath.Join(d.dir, "b.md"), filepath.Join(d.dir, "a.md"))) },
			[]string{"agent rename /memories/a.md /memories/b.md"},
		},
		"edit": {
			func(d *desk) { d.do(replace("/memories/a.md", "a", "b")) }, func(d *desk) { d.outside("a.md", "a\n") },
			[]string{"agent str_replace /memories/a.md"},
		},
		"announced": {edit: func(d *desk) {
			_, err := d.j.Begin(context.Background(), &memstore.Edit{
				Command: create("/memories/never.md", "never\n"),
				Changes: []memstore.Change{{Kind: memstore.KindFile, Path: "/memories/never.md", After: memstore.NewContent([]byte("never\n"))}},
			})
			d.must(err)
		}, undone: func(*desk) {}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.outside("a.md", "a\n")
			d.reconcile()
			d.j.settler.mu.Lock()
			d.j.settler.quit = true // from now on nothing is settled
			d.j.settler.mu.Unlock()
			c.edit(d)
			c.undone(d)
			d.die()
			d.open(Options{})
			if got := d.story(); !slices.Equal(got, c.want) {
				t.Errorf("recorded: %q, want %q", got, c.want)
			}
			d.reconcile()
			last, err := d.j.Last(t.Context())
			d.must(err)
			if diff := same(d.replayed(last), d.plain()); diff != "" {
				t.Errorf("replayed:\n%s", diff)
			}
			d.do(create("/memories/more.md", "more\n"))
			d.close()
			if left, err := filepath.Glob(filepath.Join(d.state, fileName+"-ended-*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %q %v", left, err)
			}
		})
	}
}
