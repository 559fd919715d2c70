package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"memcurator/memstore/past"
)

// patient is a context that ends after it was checked a number of times.
type patient struct {
	context.Context
	left atomic.Int64
}

func patientFor(ctx context.Context, left int) *patient {
	p := &patient{Context: ctx}
	p.left.Store(int64(left))
	return p
}

func (p *patient) Err() error {
	if p.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Who leaves while a large change is recorded cuts that anywhere: what was recorded stays true, and
// the next comparison finds the rest.
func TestRecordingCanBeCutAnywhere(t *testing.T) {
	for left := 0; ; left += 1 + left/8 {
		d := newDesk(t)
		for i := range 12 {
			d.outside(fmt.Sprintf("old/%d.md", i), fmt.Sprint(i))
		}
		d.syncAll()
		d.must(os.Rename(filepath.Join(d.dir, "old"), filepath.Join(d.dir, "new")))
		ctx := patientFor(t.Context(), left)
		_, err := d.j.Sync(ctx, past.Hints{})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("cut after %d: %v", left, err)
		}
		ended := err == nil
		if !ended {
			_, err = d.j.Sync(patientFor(t.Context(), left), past.Hints{Unseen: true})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		d.syncAll()
		last, err := d.j.Last(t.Context())
		d.must(err)
		if diff := same(d.replayed(last), d.plain()); diff != "" {
			t.Fatalf("cut after %d, replayed:\n%s", left, diff)
		}
		d.agrees()
		if ended {
			if left < 8 {
				t.Errorf("the test never cut anything: %d", left)
			}
			return
		}
	}
}
