package watch

import (
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
)

// hexed is a store whose entries have other names on disk, as an encrypted one has.
type hexed struct {
	memstore.Backend
	dir string
}

func (h hexed) DiskPath() string { return h.dir }

func (h hexed) DiskName(name string) string {
	if name == "." {
		return name
	}
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = hex.EncodeToString([]byte(s))
	}
	return strings.Join(segments, "/")
}

func (h hexed) StoreName(disk string) (string, bool) {
	segments := strings.Split(disk, "/")
	for i, s := range segments {
		name, err := hex.DecodeString(s)
		if err != nil {
			return "", false
		}
		segments[i] = string(name)
	}
	return strings.Join(segments, "/"), true
}

func (h hexed) Lstat(name string) (memstore.Info, error) {
	i, err := h.Backend.Lstat(h.DiskName(name))
	i.Name = path.Base(name)
	return i, err
}

func (h hexed) ReadDir(name string) ([]memstore.Info, error) {
	list, err := h.Backend.ReadDir(h.DiskName(name))
	kept := list[:0]
	for _, i := range list {
		var ok bool
		if i.Name, ok = h.StoreName(i.Name); ok {
			kept = append(kept, i)
		}
	}
	slices.SortFunc(kept, func(a, b memstore.Info) int { return strings.Compare(a.Name, b.Name) })
	return kept, err
}

func (h hexed) Open(name string, a memstore.Access) (memstore.File, error) {
	return h.Backend.Open(h.DiskName(name), a)
}

// TestNamesOnDisk: a store that has other names on disk is watched there, and told of by its own.
func TestNamesOnDisk(t *testing.T) {
	t.Parallel()
	f := &follower{t: t, dir: t.TempDir()}
	b, err := memstore.OpenDir(f.dir, memstore.DirOptions{})
	must(t, err)
	t.Cleanup(func() { b.Close() })
	h := hexed{b, f.dir}
	f.named = h.DiskName
	f.startOn(memstore.New(h, memstore.Options{}), Options{})
	if f.last.State != Live {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.write("d/a.md", "one")
	f.expect("external create d/a.md")
	f.changes = nil
	must(t, os.WriteFile(filepath.Join(f.dir, "not ours"), nil, 0o600))
	f.write("d/a.md", "two")
	f.expect("external edit d/a.md")
	f.changes = nil
	f.rename("d", "e")
	f.expect("external rename d -> e/")
	f.changes = nil
	f.write("e/b.md", "three")
	f.expect("external create e/b.md")
}
