package journal

import (
	"context"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// fact is what the journal has about a file that exists.
func (d *desk) fact(path string) (f past.Fact) {
	d.t.Helper()
	d.must(d.j.Facts(context.Background(), func(one past.Fact) bool {
		if one.Path == path {
			f = one
		}
		return true
	}))
	return f
}

func (d *desk) verify(path string, v past.Verification) {
	d.t.Helper()
	d.must(d.j.Verify(context.Background(), map[string]past.Verification{path: v}))
}

func TestVerifiedFilesStandUntilTheyChange(t *testing.T) {
	d := newDesk(t)
	d.outside("notes/a.md", "1\n")
	d.reconcile()
	if f := d.fact("/memories/notes/a.md"); f.Stands() || !f.Verified.At.IsZero() {
		t.Errorf("verified at %v from the beginning", f.Verified)
	}
	at := time.Now()
	d.verify("/memories/none.md", past.Verification{At: at})
	d.verify("/memories/notes/a.md", past.Verification{At: at})
	if f := d.fact("/memories/notes/a.md"); !f.Stands() || !f.Verified.At.Equal(at) || f.Verified.Text != memstore.Sum([]byte("1\n")) {
		t.Errorf("verified is %v, want %v", f.Verified, at)
	}
	d.do(rename("/memories/notes", "/memories/moved"))
	if f := d.fact("/memories/moved/a.md"); !f.Stands() {
		t.Errorf("a rename forgets it: %+v", f)
	}
	d.do(create("/memories/moved/a.md", "2\n"))
	if f := d.fact("/memories/moved/a.md"); f.Stands() || !f.Verified.At.Equal(at) {
		t.Errorf("after a change: %+v", f)
	}
	d.do(create("/memories/moved/a.md", "1\n"))
	if f := d.fact("/memories/moved/a.md"); !f.Stands() || !f.Verified.At.Equal(at) {
		t.Errorf("with the verified text again: %+v", f)
	}
	d.do(create("/memories/moved/a.md", "2\n"))
	d.verify("/memories/moved/a.md", past.Verification{At: time.Now()})
	if f := d.fact("/memories/moved/a.md"); !f.Stands() {
		t.Errorf("verified again: %+v", f)
	}
	d.verify("/memories/moved/a.md", past.Verification{})
	if f := d.fact("/memories/moved/a.md"); !f.Verified.At.IsZero() {
		t.Errorf("forgotten: %+v", f)
	}
}

// A verification is of the text that the user saw, and as old as the user's word, however late it reaches the journal.
func TestVerificationsAreOfATextAndATime(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "2\n"))
	long := time.Now().Add(-100 * 24 * time.Hour)
	d.verify("/memories/a.md", past.Verification{At: long, Text: memstore.Sum([]byte("1\n"))})
	if f := d.fact("/memories/a.md"); f.Stands() || !f.Verified.At.Equal(long) {
		t.Errorf("of another text: %+v", f)
	}
	d.verify("/memories/a.md", past.Verification{At: long, Text: memstore.Sum([]byte("2\n"))})
	if f := d.fact("/memories/a.md"); !f.Stands() || !f.Verified.At.Equal(long) {
		t.Errorf("of a text that came from elsewhere: %+v", f)
	}
	d.do(remove("/memories/a.md"))
	d.do(create("/memories/a.md", "3\n"))
	if f := d.fact("/memories/a.md"); !f.Verified.At.IsZero() {
		t.Errorf("another file at its path: %+v", f)
	}
}

// A purge keeps no hash of a text that it has removed.
func TestPurgeForgetsVerificationsOfWhatItRemoves(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one "+hidden+"\n"))
	d.do(create("/memories/b.md", "two\n"))
	now := time.Now()
	d.verify("/memories/a.md", past.Verification{At: now})
	d.verify("/memories/b.md", past.Verification{At: now})
	d.do(create("/memories/a.md", "one\n"))
	_, err := d.j.Purge(context.Background(), past.Purge{Redact: without})
	d.must(err)
	if a, b := d.fact("/memories/a.md"), d.fact("/memories/b.md"); !a.Verified.At.IsZero() || !b.Stands() {
		t.Errorf("verified are %+v and %+v", a.Verified, b.Verified)
	}
}
