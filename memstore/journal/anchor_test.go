package journal

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
)

// drafts is a journal with ten versions of one note, all but the first of them deltas.
func drafts(t testing.TB) *desk {
	t.Helper()
	d := newDesk(t)
	text := string(memtest.Note(5000, 8))
	d.do(create("/memories/a.md", text))
	for i := range 9 {
		d.do(create("/memories/a.md", fmt.Sprintf("version %d\n%s", i, text)))
	}
	if bases, deltas := d.stored(); len(bases) != 1 || deltas != 9 {
		t.Fatalf("bases %v and %d deltas", bases, deltas)
	}
	return d
}

// stored is what the journal stores whole and as deltas.
func (d *desk) stored() (bases []int64, deltas int) {
	d.t.Helper()
	d.j.Flush()
	d.must(d.j.tx("test", false, func(w *tableWriter) (err error) {
		bases, err = w.IDs("SELECT id FROM blob WHERE base IS NULL AND data IS NOT NULL")
		_, err2 := w.Row("SELECT count(*) FROM blob WHERE base IS NOT NULL", nil, &deltas)
		if err == nil {
			err = err2
		}
		return err
	}))
	return bases, deltas
}

// loose lets a test write what the triggers forbid.
func (d *desk) loose(statement string, args ...any) {
	d.t.Helper()
	d.must(d.j.tx("test", false, func(w *tableWriter) error {
		if err := w.Do("DROP TRIGGER IF EXISTS base_stays"); err != nil {
			return err
		}
		if err := w.Do("DROP TRIGGER IF EXISTS base_is_fixed"); err != nil {
			return err
		}
		return w.Do(statement, args...)
	}))
}

// A damaged base is reported for every version that cannot be read without it.
func TestDamagedBaseIsReportedForAllThatDependOnIt(t *testing.T) {
	for name, statement := range map[string]string{
		"other bytes": "UPDATE blob SET codec = 0, data = CAST(replace(hex(zeroblob(2500)), '0', 'x') AS BLOB) WHERE id = ?",
		"no frame":    "UPDATE blob SET data = x'00010203' WHERE id = ?",
		"no bytes":    "UPDATE blob SET data = NULL WHERE id = ?",
		"gone":        "DELETE FROM blob WHERE id = ?",
	} {
		t.Run(name, func(t *testing.T) {
			d := drafts(t)
			bases, deltas := d.stored()
			d.loose(statement, bases[0])
			want := deltas
			if strings.HasPrefix(statement, "UPDATE blob SET codec") || name == "no frame" {
				want++ // the base itself
			}
			rep := d.check()
			if len(rep.Damage) != want {
				t.Errorf("%d of %d are reported: %q", len(rep.Damage), want, rep.Damage)
			}
			for _, s := range rep.Damage {
				if !strings.Contains(s, "/memories/a.md") || !strings.Contains(s, "revision") {
					t.Errorf("%q does not name the version", s)
				}
			}
			d.do(create("/memories/a.md", string(memtest.Note(5000, 8))+"what comes does not depend on what is damaged\n"))
			list := d.revisions()
			if _, err := d.j.Bytes(context.Background(), list[len(list)-1].After); err != nil {
				t.Errorf("the version that came after the damage: %v", err)
			}
		})
	}
}

// A process of the previous version knows nothing about bases: it must neither delete one as unused nor rewrite it.
func TestBaseIsSafeFromOlderPrograms(t *testing.T) {
	d := drafts(t)
	bases, _ := d.stored()
	d.must(d.j.tx("test", false, func(w *tableWriter) error { return w.Do("DELETE FROM revision WHERE rev <= 2") }))
	const drop = `DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.before = blob.id)
		AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.after = blob.id) AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.blob = blob.id)
		AND NOT EXISTS (SELECT 1 FROM intent_change c WHERE c.before = blob.id OR c.after = blob.id)`
	d.must(d.j.tx("test", false, func(w *tableWriter) error { return w.Do(drop) }))
	err := d.j.tx("test", false, func(w *tableWriter) error {
		return w.Do("UPDATE blob SET sum = ?, size = ?, codec = ?, data = ?, why = NULL WHERE id = ?", make([]byte, 32), 1, 0, []byte("x"), bases[0])
	})
	if err == nil {
		t.Error("a base was rewritten under the versions on it")
	}
	if got, _ := d.stored(); len(got) != 1 {
		t.Errorf("the bases are %v", got)
	}
	if rep := d.check(); len(rep.Damage) > 0 {
		t.Errorf("%q", rep.Damage)
	}
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
			d.reconcile()
			_, err := d.j.Purge(context.Background(), past.Purge{Redact: without})
			d.must(err)
			for i, r := range d.revisions()[:8] {
				if got, err := d.j.Bytes(context.Background(), r.After); err != nil || string(got) != want[i] {
					t.Errorf("version %d has %d bytes instead of %d, %v", i, len(got), len(want[i]), err)
				}
			}
			if _, deltas := d.stored(); deltas < 6 {
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

// Where the value cannot be separated from the rest, the bytes are kept no more, also those of a base.
func TestPurgeForgetsBase(t *testing.T) {
	d := newDesk(t)
	text := string(memtest.Note(5000, 8))
	d.do(create("/memories/a.md", hidden+text))
	for i := range 4 {
		d.do(create("/memories/a.md", fmt.Sprintf("version %d\n%s", i, text)))
	}
	done, err := d.j.Purge(context.Background(), past.Purge{Redact: func(_ string, b []byte) []byte {
		if bytes.Contains(b, []byte(hidden)) {
			return nil
		}
		return b
	}})
	d.must(err)
	if done.Forgotten != 1 {
		t.Errorf("%+v", done)
	}
	for i, r := range d.revisions()[1:] {
		if got, err := d.j.Bytes(context.Background(), r.After); err != nil || string(got) != fmt.Sprintf("version %d\n%s", i, text) {
			t.Errorf("version %d: %v", i, err)
		}
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
					d.j.Flush()
					before = after
				}
				b.ReportMetric(float64(median(times).Microseconds()), "µs/commit")
			})
		}
	}
}
