package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	filippo "filippo.io/age"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/journal"
)

// sealedTree is the kind of everything that an encrypted store holds, by name.
func sealedTree(t *testing.T, b memstore.Backend) string {
	t.Helper()
	var out strings.Builder
	var walk func(dir string)
	walk = func(dir string) {
		list, err := b.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			name := path.Join(dir, i.Name)
			fmt.Fprintf(&out, "%s %d %d\n", name, i.Kind, i.Size)
			if i.Kind == memstore.KindDir {
				walk(name)
			}
		}
	}
	walk(".")
	return out.String()
}

// What a killed process has left is removed by the next start of a journal, whose intents name it: a temporary file, which has its own
// name on disk, and folders that nothing came into; a folder that was moved aside and not decided on comes back.
func TestLeftoversInASealedStore(t *testing.T) {
	t.Parallel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	id, err := filippo.GenerateX25519Identity()
	must(err)
	key := age.Identity(id)
	d, err := age.Create(filepath.Join(t.TempDir(), "store"), key)
	must(err)
	defer d.Close()
	state := t.TempDir()
	j, err := journal.Open(state, journal.Options{Backend: d, Process: "test"})
	must(err)
	ctx := t.Context()
	s := memstore.New(d, memstore.Options{Recorders: []memstore.Recorder{j}})
	for _, p := range []string{"/memories/d/a.md", "/memories/sub/b.md"} {
		if r := s.Create(ctx, p, "text"); r.IsError {
			t.Fatal(r.Content)
		}
	}
	was := sealedTree(t, d)
	// The journal records edits that never end, as when the process is killed.
	ended := exec.Command(os.Args[0], "-test.run", "^$")
	must(ended.Run())
	dead := fmt.Sprintf(".tmp-%d-0123456789abcde", ended.Process.Pid)
	begin := func(e *memstore.Edit) {
		_, err := j.Begin(ctx, e)
		must(err)
	}
	at := func(name string) string { return memstore.AgentPath(name) }
	begin(&memstore.Edit{
		Command: memstore.Command{Name: memstore.CmdCreate, Path: at("new/deep/f.md")}, Temp: at("new/deep/" + dead + "0"), Made: 2,
		Changes: []memstore.Change{{Path: at("new/deep/f.md"), Kind: memstore.KindFile, After: memstore.NewContent([]byte("text"))}},
	})
	must(d.MakeFolder("new/deep"))
	var disk string
	must(filepath.WalkDir(d.DiskPath(), func(at string, e os.DirEntry, err error) error {
		if name, ok := d.StoreName(strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(at, d.DiskPath())), "/")); ok && name == "new/deep" {
			disk = at
		}
		return err
	}))
	must(os.WriteFile(filepath.Join(disk, dead+"0"), []byte("half of a write"), 0o600))
	begin(&memstore.Edit{
		Command: memstore.Command{Name: memstore.CmdDelete, Path: at("d")}, Temp: at(dead + "1"),
		Changes: []memstore.Change{{Path: at("d/a.md"), Kind: memstore.KindFile, Before: memstore.NewContent([]byte("text"))},
			{Path: at("d"), Kind: memstore.KindDir}},
	})
	must(d.Rename("d", dead+"1"))
	must(j.Close())
	if disk == "" || sealedTree(t, d) == was {
		t.Fatalf("nothing was left: %q", disk)
	}

	again, err := age.Open(d.DiskPath(), key)
	must(err)
	defer again.Close()
	j, err = journal.Open(state, journal.Options{Backend: again, Process: "test"})
	must(err)
	defer j.Close()
	if now := sealedTree(t, again); now != was {
		t.Errorf("was\n%s\nnow\n%s", was, now)
	}
	must(filepath.WalkDir(d.DiskPath(), func(at string, e os.DirEntry, err error) error {
		if err == nil && memstore.TempName(e.Name()) {
			t.Errorf("%s remains", at)
		}
		return err
	}))
	if r, err := j.Check(ctx); err != nil || len(r.Leftover) > 0 || r.Open > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
