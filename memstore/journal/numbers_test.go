package journal

import (
	"context"
	"errors"
	"math"
	"testing"

	"memcurator/memstore"
)

// A journal without a number for another revision can't undo: what a person does is refused, and what the agent does is
// recorded as soon as there are numbers again.
func TestExhaustedNumbers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	d.j.Flush()
	d.must(d.j.Close())
	d.must(d.store.Close())
	var warned error
	d.open(Options{Warn: func(err error) { warned = err }})
	number := func(n int64) {
		d.must(d.j.tx("test", false, func(w *tableWriter) error {
			return w.Do("UPDATE sqlite_sequence SET seq = ? WHERE name = 'revision'", n)
		}))
	}
	number(math.MaxInt64)
	d.do(create("/memories/b.md", "two\n"))
	d.j.Flush()
	if !errors.Is(warned, ErrExhausted) {
		t.Errorf("the warning is %v", warned)
	}
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator})
	d.store = memstore.New(d.store.Backend(), memstore.Options{Recorders: []memstore.Recorder{d.j}})
	if got := d.store.Delete(ctx, "/memories/a.md"); !errors.Is(got.Err, memstore.ErrNotRecorded) {
		t.Errorf("a person's delete: %+v", got)
	}
	number(1)
	if got := d.store.Delete(ctx, "/memories/a.md"); got.IsError {
		t.Errorf("%+v", got)
	}
	d.j.Flush()
	if got := d.revisions(); len(got) != 3 {
		t.Errorf("%d revisions, want 3", len(got))
	}
}
