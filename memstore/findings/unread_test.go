package findings

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
)

// brokenBackend is a store of which some paths cannot be read, or change while they are read.
type brokenBackend struct {
	memstore.Backend
	closed   map[string]bool // files and folders that give an error
	changing map[string]bool // files that have another time whenever they are asked
}

func (b *brokenBackend) Open(name string, a memstore.Access) (memstore.File, error) {
	if b.closed[name] {
		return nil, memstore.ErrPermission
	}
	f, err := b.Backend.Open(name, a)
	if err == nil && b.changing[name] {
		f = &changingFile{File: f}
	}
	return f, err
}

func (b *brokenBackend) ReadDir(name string) ([]memstore.Info, error) {
	if b.closed[name] {
		return nil, memstore.ErrPermission
	}
	return b.Backend.ReadDir(name)
}

// changingFile has another time whenever it is asked.
type changingFile struct {
	memstore.File
	asked time.Duration
}

func (f *changingFile) Info() (memstore.Info, error) {
	i, err := f.File.Info()
	f.asked++
	i.ModTime = i.ModTime.Add(f.asked)
	return i, err
}

// broken puts a backend between the desk and its store.
func (d *desk) broken() *brokenBackend {
	return &brokenBackend{d.store.Backend(), map[string]bool{}, map[string]bool{}}
}

func (d *desk) scanOn(b memstore.Backend) *Survey {
	d.t.Helper()
	s, err := Scan(context.Background(), Options{Engine: d.engine, State: d.memory, Backend: b, Journal: d.journal})
	d.must(err)
	return s
}

func TestScanNamesWhatItCouldNotRead(t *testing.T) {
	d := newDesk(t)
	token := secretOf(1)
	d.write("found.md", "token: "+token+"\n")
	d.write("closed.md", "token: "+secretOf(2)+"\n")
	d.write("locked/in.md", "token: "+secretOf(3)+"\n")
	d.write("busy.md", "x\n")
	d.write("big.md", "")
	d.must(os.Truncate(filepath.Join(d.dir, "big.md"), maxFile+1)) // a hole
	d.must(os.WriteFile(filepath.Join(d.dir, "wide.md"), []byte("\xff\xfet\x00o\x00k\x00e\x00n\x00"), 0o600))
	d.must(os.WriteFile(filepath.Join(d.dir, "bin.dat"), []byte("\x00\x01\x02"), 0o600))
	b := d.broken()
	b.closed["closed.md"], b.closed["locked"], b.changing["busy.md"] = true, true, true
	s := d.scanOn(b)
	want := []Skipped{
		{Path: "/memories/big.md", Why: tooBig}, {Path: "/memories/busy.md", Why: changing},
		{Path: "/memories/closed.md", Why: Unreadable}, {Path: "/memories/locked", Why: Unreadable},
		{Path: "/memories/wide.md", Why: encoded},
	}
	got := s.Unread()
	slices.SortFunc(got, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	if !slices.Equal(got, want) {
		t.Errorf("not read are %v, want %v", got, want)
	}
	if !slices.Contains(s.Skipped, Skipped{Path: "/memories/bin.dat", Why: Binary}) {
		t.Errorf("left out are %v", s.Skipped)
	}
	if g := s.Secret(d.memory.ID(token)); g == nil || g.Live != 1 {
		t.Error("what could be read was not scanned")
	}
}

// A proof that could not read something proves nothing, and says which.
func TestProofNamesWhatItCouldNotRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*brokenBackend)
		want  Skipped
	}{
		{"a file", func(b *brokenBackend) { b.closed["deep/other.md"] = true }, Skipped{Path: "/memories/deep/other.md", Why: Unreadable}},
		{"a folder", func(b *brokenBackend) { b.closed["deep"] = true }, Skipped{Path: "/memories/deep", Why: Unreadable}},
		{"a busy file", func(b *brokenBackend) { b.changing["deep/other.md"] = true }, Skipped{Path: "/memories/deep/other.md", Why: changing}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			d.write("a.md", "token: "+secretOf(6)+"\n")
			d.write("deep/other.md", "x\n")
			groups := d.scan().Secrets
			b := d.broken()
			c.spoil(b)
			s := d.scrubber()
			s.Store = memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{d.journal}, Origin: memstore.Origin{Actor: memstore.Curator}})
			s.Accept(groups)
			done, err := s.Purge(context.Background())
			d.must(err)
			if len(done.Left.Left) != 0 || !slices.Equal(done.Left.Unread, []Skipped{c.want}) || done.Left.Clean() {
				t.Errorf("left %v, not read %v", done.Left.Left, done.Left.Unread)
			}
		})
	}
}
