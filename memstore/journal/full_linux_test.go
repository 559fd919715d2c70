package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"memcurator/memstore"
)

// On a full disk the agent's edits still work, with a warning, and are found later; what a person does is
// refused if it could not be undone. Nothing that was recorded is lost.
func TestFullDisk(t *testing.T) {
	state := t.TempDir()
	if err := syscall.Mount("tmpfs", state, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("a small file system cannot be mounted here:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(state, syscall.MNT_DETACH) })
	d := &desk{t: t, dir: t.TempDir(), state: state}
	var warned error
	d.open(Options{Warn: func(err error) { warned = err }})
	t.Cleanup(d.close)
	backend := d.store.Backend()
	d.store = memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{d.j}, Warn: func(err error) { warned = err }})
	d.syncAll()
	d.do(create("/memories/first.md", "first\n"))
	filler := filepath.Join(state, "filler")
	if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk does not fill up: %v", err)
	}
	for i := range 50 {
		d.do(create(fmt.Sprintf("/memories/%d.md", i), string(noteOf(4000, uint64(i)))))
	}
	if !errors.Is(warned, memstore.ErrNoSpace) {
		t.Errorf("the warning is %v", warned)
	}
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator})
	if got := d.store.Delete(ctx, "/memories/49.md"); !errors.Is(got.Err, memstore.ErrNotRecorded) {
		t.Errorf("a person's delete: %+v", got)
	}
	d.must(os.Remove(filler))
	d.close()
	d.open(Options{})
	d.syncAll()
	if got := len(d.revisions()); got != 51 {
		t.Errorf("%d revisions after there is room again, want 51", got)
	}
	if r := d.revisions(); r[0].Actor != memstore.Agent || r[50].Actor != memstore.External {
		t.Errorf("the first edit is by %s, the last by %s", r[0].Actor, r[50].Actor)
	}
	d.agrees()
}
