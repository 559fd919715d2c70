package journal

import (
	"context"
	"fmt"
	"testing"

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
