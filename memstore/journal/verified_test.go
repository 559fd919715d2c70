package journal

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/backup"
	"memcurator/memstore/journal/schema"
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

// The journal in testdata/version-6.sql has verifications by their time alone: they are of the text that the file had then.
func TestVerificationsOfVersion6(t *testing.T) {
	d := &desk{t: t, dir: t.TempDir(), state: t.TempDir()}
	d.outside("true.md", "the port is 8080\n")
	d.outside("old.md", "the port is 81\n")
	d.outside("notes/later.md", "the branch is main\n")
	layOld(t, d.state, "version-6.sql")
	d.open(Options{})
	t.Cleanup(d.close)
	if list := backup.In(d.state); len(list) != 1 {
		t.Errorf("no copy of before the migration: %+v", list)
	}
	if f := d.fact("/memories/true.md"); !f.Stands() || f.Verified.Text != f.Digest || f.Digest != memstore.Sum([]byte("the port is 8080\n")) {
		t.Errorf("true.md: %+v", f)
	}
	if f := d.fact("/memories/notes/later.md"); !f.Stands() || f.Verified.Text != f.Digest {
		t.Errorf("notes/later.md: %+v", f)
	}
	if f := d.fact("/memories/old.md"); f.Stands() || f.Verified.At.IsZero() {
		t.Errorf("old.md: %+v", f)
	}
	d.reconcile()
	d.do(create("/memories/true.md", "the port is 9090\n"))
	if f := d.fact("/memories/true.md"); f.Stands() {
		t.Errorf("true.md after a change: %+v", f)
	}
	// A process of version 6 that still has the journal open verifies by the time.
	d.must(d.j.tx("test", false, func(w *tableWriter) error {
		return w.Do(`INSERT OR REPLACE INTO verified (path, at) SELECT id, ? FROM path WHERE name = 'true.md'`, time.Now().UnixNano())
	}))
	if f := d.fact("/memories/true.md"); !f.Stands() {
		t.Errorf("verified by an older process: %+v", f)
	}
	d.do(create("/memories/true.md", "the port is 9091\n"))
	if f := d.fact("/memories/true.md"); f.Stands() {
		t.Errorf("after a change: %+v", f)
	}
}

// Tables that a migration has made are those of a new journal.
func TestMigratedTablesAreThoseOfANewJournal(t *testing.T) {
	tables := func(dir string) (columns string) {
		j, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(detail(err))
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", filepath.Join(dir, fileName))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }() // it is only read
		var version int
		if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version != schema.Current {
			t.Fatalf("version %d, %v", version, err)
		}
		rows, err := db.Query(`SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c
			WHERE m.type = 'table' ORDER BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		var list []string
		for rows.Next() {
			var one string
			if err := rows.Scan(&one); err != nil {
				t.Fatal(err)
			}
			list = append(list, one)
		}
		return strings.Join(list, "\n")
	}
	want := tables(t.TempDir())
	for _, script := range []string{"version-1.sql", "version-6.sql"} {
		dir := t.TempDir()
		layOld(t, dir, script)
		if got := tables(dir); got != want {
			t.Errorf("%s becomes\n%s\nwant\n%s", script, got, want)
		}
	}
	dir := t.TempDir()
	data, err := os.ReadFile("testdata/schema4/journal.db")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, fileName), string(data))
	if got := tables(dir); got != want {
		t.Errorf("schema 4 becomes\n%s\nwant\n%s", got, want)
	}
}
