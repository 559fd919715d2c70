package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore/past"
)

// used is a journal with some revisions, closed.
func used(t testing.TB, edits int) *desk {
	d := newDesk(t)
	for i := range edits {
		d.do(create(fmt.Sprintf("/memories/n%d.md", i), string(noteOf(3000, uint64(i)))))
	}
	d.close()
	return d
}

// overwrite puts bytes into the closed database.
func (d *desk) overwrite(at int64, data []byte) {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.state, fileName), os.O_WRONLY, 0)
	d.must(err)
	_, err = f.WriteAt(data, at)
	d.must(errors.Join(err, f.Close()))
}

func (d *desk) file(end string) string { return filepath.Join(d.state, fileName+end) }

// damages are ways to spoil a closed journal that the next start must see.
var damages = map[string]func(d *desk){
	"one page": func(d *desk) { d.must(os.Truncate(d.file(""), 4096)) },
	"shortened": func(d *desk) {
		info, err := os.Stat(d.file(""))
		d.must(err)
		d.must(os.Truncate(d.file(""), info.Size()/8192*4096))
	},
	"header":    func(d *desk) { d.overwrite(0, []byte("no database at all")) },
	"page size": func(d *desk) { d.overwrite(16, []byte{3, 7}) },
	"first tree": func(d *desk) {
		d.overwrite(100, []byte{0, 0, 0, 0, 0, 0, 0, 0})
	},
	"root of the revisions": func(d *desk) { d.overwrite((d.root("revision")-1)*4096, make([]byte, 4096)) },
	"root of an index":      func(d *desk) { d.overwrite((d.root("revision_path")-1)*4096, make([]byte, 4096)) },
	"cells of an index":     func(d *desk) { d.overwrite((d.root("blob_sum")-1)*4096+8, []byte{0xff, 0xff, 0xff, 0xff}) },
}

// root is the page at which a tree begins.
func (d *desk) root(name string) (page int64) {
	d.t.Helper()
	db, err := openReaders(d.file(""), true)
	d.must(err)
	defer db.Close()
	d.must(db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", name).Scan(&page))
	return page
}

// Damage is never taken for a new journal or for a sound one: opening it says so, or its check does.
func TestDamageIsSeen(t *testing.T) {
	for name, spoil := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := used(t, 40)
			spoil(d)
			before, err := os.ReadFile(d.file(""))
			d.must(err)
			for _, o := range []Options{{Look: true}, {}} {
				j, err := Open(d.state, o)
				if err == nil {
					var r *past.Report
					if r, err = j.Check(context.Background()); err == nil && len(r.Damage) > 0 {
						err = past.ErrCorrupt
					}
					d.must(j.Close())
				}
				if !errors.Is(err, past.ErrCorrupt) {
					t.Errorf("opened with %+v: %v", o, err)
				}
			}
			if after, _ := os.ReadFile(d.file("")); string(after) != string(before) {
				t.Error("the file was changed by opening it")
			}
		})
	}
}

// A database that is gone, or empty, is no new journal where its copy is left: a repair brings that back.
func TestALostDatabaseIsDamage(t *testing.T) {
	for name, lose := range map[string]func(file string) error{
		"gone": os.Remove, "empty": func(file string) error { return os.Truncate(file, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			d := used(t, 4)
			j, err := Open(d.state, Options{})
			d.must(err)
			d.must(j.Copy(context.Background()))
			d.must(j.Close())
			d.must(lose(d.file("")))
			for _, o := range []Options{{Look: true}, {}} {
				if _, err := Open(d.state, o); !errors.Is(err, past.ErrCorrupt) {
					t.Errorf("opened with %+v: %v", o, err)
				}
			}
			_, err = Repair(d.state, true)
			d.must(err)
			j, err = Open(d.state, Options{})
			d.must(err)
			last, err := j.Last(context.Background())
			d.must(errors.Join(err, j.Close()))
			if last == 0 {
				t.Error("nothing is left after the repair")
			}
		})
	}
}

// No damage goes unseen: whatever bytes change, opening reports it, or reading returns what was written or an error.
func TestFlippedBytesNeverPanic(t *testing.T) {
	d := used(t, 12)
	whole, err := os.ReadFile(d.file(""))
	d.must(err)
	random := rand.New(rand.NewPCG(13, 1))
	for range 40 {
		spoiled := slices.Clone(whole)
		for range 8 {
			spoiled[random.IntN(len(spoiled))] ^= byte(1 + random.IntN(255))
		}
		d.must(os.WriteFile(d.file(""), spoiled, 0o600))
		j, err := Open(d.state, Options{Look: true})
		if err != nil {
			continue
		}
		_, _ = j.Check(context.Background())
		_, _ = past.Revisions(context.Background(), j, past.Filter{})
		d.must(j.Close())
	}
}
