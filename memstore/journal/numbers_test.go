package journal

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// What no journal writes is refused whole: a number near the end of the integers would leave none for the next edit.
func TestImportRefusesImpossibleNumbers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	d.do(create("/memories/b.md", "two\n"))
	var out bytes.Buffer
	d.must(d.j.Export(context.Background(), &out))
	made := d.revisions()[0].Time.UTC().Format(past.TimeFormat)
	for name, with := range map[string][2]string{
		"largest":         {`"rev":2`, `"rev":9223372036854775807`},
		"beyond 2^53":     {`"rev":2`, `"rev":9007199254740993`},
		"falling":         {`"rev":1`, `"rev":3`},
		"negative":        {`"rev":1`, `"rev":-1`},
		"negative counts": {`"added":1`, `"added":-1`},
		"group":           {`"rev":2`, `"rev":2,"group":9223372036854775807`},
		"before 1970":     {made, "1969-12-31T23:59:59.000Z"},
		"far ahead":       {made, time.Now().Add(48 * time.Hour).UTC().Format(past.TimeFormat)},
		"year 9999":       {made, "9999-12-31T23:59:59.000Z"},
	} {
		hostile := strings.ReplaceAll(out.String(), with[0], with[1])
		if hostile == out.String() {
			t.Errorf("%s: %s is not in\n%s", name, with[0], hostile)
		}
		other := newDesk(t)
		if _, err := other.j.Import(context.Background(), strings.NewReader(hostile)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := newDesk(t)
	_, err := other.j.ImportNamed(context.Background(), &out, func(name string) bool { return name != "b.md" })
	if !errors.Is(err, ErrFormat) {
		t.Errorf("a name that the caller refuses: %v", err)
	}
}

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
