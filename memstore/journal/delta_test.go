package journal

import (
	"context"
	"fmt"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
)

// deltas counts what the journal stores as deltas.
func (d *desk) deltas() (deltas int) {
	d.t.Helper()
	d.must(d.j.tx(context.Background(), "test", false, func(w *writer) {
		w.row("SELECT count(*) FROM blob WHERE base IS NOT NULL", nil, &deltas)
	}))
	return deltas
}

// A purge leaves the value in no base and no delta, and what did not hold it reads as before.
func TestPurgeRewritesBasesAndDeltas(t *testing.T) {
	for _, held := range []string{"the first", "one in the middle", "all"} {
		t.Run(held, func(t *testing.T) {
			d := newDesk(t)
			text := string(memtest.Note(5000, 8))
			secret := "the key is " + hidden + "\n"
			want := []string{}
			for i := range 8 {
				version := fmt.Sprintf("version %d\n%s", i, text)
				if held == "all" || held == "the first" && i == 0 || held == "one in the middle" && i == 4 {
					version = secret + version
				}
				d.do(create("/memories/a.md", version))
				want = append(want, string(without("", []byte(version))))
			}
			d.outside("a.md", want[7])
			d.syncAll()
			_, err := d.j.Purge(context.Background(), past.Purge{Redact: without})
			d.must(err)
			for i, r := range d.revisions()[:8] {
				if got, err := d.j.Bytes(context.Background(), r.After); err != nil || string(got) != want[i] {
					t.Errorf("version %d has %d bytes instead of %d, %v", i, len(got), len(want[i]), err)
				}
			}
			if deltas := d.deltas(); deltas < 6 {
				t.Errorf("only %d versions are deltas after the purge", deltas)
			}
			if rep := d.check(); len(rep.Damage) > 0 {
				t.Errorf("%q", rep.Damage)
			}
			d.close()
			if found := leftIn(t, d.state); len(found) > 0 {
				t.Errorf("the value is still in %q", found)
			}
			d.open(Options{})
		})
	}
}

// BenchmarkDeepest reads the version of a file of 4 MB that is the farthest from what is stored whole (20 ms).
func BenchmarkDeepest(b *testing.B) {
	d := newDesk(b)
	text := memtest.Note(4<<20, 1)
	d.do(create("/memories/a.md", string(text)))
	for i := range 30 {
		d.do(memstore.Command{Name: memstore.CmdInsert, Path: "/memories/a.md", InsertLine: i * 100, InsertText: fmt.Sprintf("line %d\n", i)})
	}
	list := d.revisions()
	for name, r := range map[string]past.Revision{"deepest": list[len(list)-1], "whole": list[0]} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				_, err := d.j.Bytes(context.Background(), r.After)
				d.must(err)
			}
		})
	}
}

// BenchmarkCommitEdit is BenchmarkCommit for edits of a note of 4 KB, whose versions are stored as deltas, beside ones that
// have nothing in common with the version before.
func BenchmarkCommitEdit(b *testing.B) {
	for _, size := range []int{4 << 10, 4 << 20} {
		for _, kind := range []string{"line", "anew"} {
			b.Run(fmt.Sprintf("%s-of-%dKB", kind, size>>10), func(b *testing.B) {
				d := newDesk(b)
				before := memtest.Note(size, 1)
				var times []time.Duration
				for i := range b.N {
					after := append(fmt.Appendf(nil, "line %d\n", i), before...)
					if kind == "anew" {
						after = memtest.Note(size, uint64(i+2))
					}
					e := &memstore.Edit{
						Command: memstore.Command{Name: memstore.CmdCreate}, Time: time.Now(),
						Changes: []memstore.Change{{Kind: memstore.KindFile, Path: "/memories/a.md", Before: memstore.NewContent(before), After: memstore.NewContent(after)}},
					}
					start := time.Now()
					end, err := d.j.Begin(context.Background(), e)
					d.must(err)
					end(nil)
					times = append(times, time.Since(start))
					before = after
				}
				b.ReportMetric(float64(median(times).Microseconds()), "µs/commit")
			})
		}
	}
}
