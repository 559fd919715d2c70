package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// refusing is a backend whose disk is full once it is set.
type refusing struct {
	memstore.Backend
	full bool
}

func (r *refusing) Create(name string, data []byte) error {
	if r.full {
		return syscall.ENOSPC
	}
	return r.Backend.Create(name, data)
}

func (r *refusing) Replace(name string, old, data []byte) error {
	if r.full {
		return syscall.ENOSPC
	}
	return r.Backend.Replace(name, old, data)
}

// holding counts the contents in the journal that hold a value.
func (d *desk) holding(value string) (n int) {
	d.t.Helper()
	d.must(d.j.Contents(context.Background(), func(_ past.Kept, data []byte) bool {
		if strings.Contains(string(data), value) {
			n++
		}
		return true
	}))
	return n
}

// Nothing of an edit that the disk refused stays in the journal, where no scan of the files finds a secret.
func TestRefusedEditsLeaveNoContent(t *testing.T) {
	d := newDesk(t)
	disk := &refusing{Backend: d.store.Backend()}
	d.store = memstore.New(disk, memstore.Options{Recorders: []memstore.Recorder{d.j}, Overwrite: true})
	note := string(noteOf(2000, 1))
	d.do(create("/memories/a.md", note))
	value := "ghp_" + strings.Repeat("aB3", 12)
	disk.full = true
	for name, c := range map[string]memstore.Command{
		"create":      create("/memories/b.md", value),
		"overwrite":   create("/memories/a.md", note+value),
		"str_replace": {Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: note[:20], NewStr: value},
		"insert":      {Name: memstore.CmdInsert, Path: "/memories/a.md", InsertText: value + "\n"},
	} {
		if got := d.store.Do(context.Background(), c); got.Err == nil {
			t.Errorf("%s: %+v", name, got)
		}
		if n := d.holding(value); n != 0 {
			t.Errorf("%s: %d contents in the journal hold the value", name, n)
		}
	}
	// the file was changed by another program, which the journal doesn't know yet
	d.outside("a.md", note+"and more\n")
	if got := d.store.Do(context.Background(), create("/memories/a.md", note+value)); got.Err == nil {
		t.Errorf("%+v", got)
	}
	if n := d.holding(value); n != 0 {
		t.Errorf("%d contents in the journal hold the value", n)
	}
	disk.full = false
	d.syncAll()
	d.do(create("/memories/a.md", note+"done\n"))
	d.tells("agent create /memories/a.md", "external edit /memories/a.md (unseen)", "agent create /memories/a.md")
	d.agrees()
	d.close()
	mustNotHold(t, d.state, value)
}

// mustNotHold fails the test if a file in dir holds the value.
func mustNotHold(t *testing.T, dir, value string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(at string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(at)
		if strings.Contains(string(data), value) {
			t.Errorf("%s holds the value", filepath.Base(at))
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
