package findings

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/memtest"
)

// asideEnv tells a test binary that it is the process that is killed while it removes a folder: folder of the store and
// state folder.
const asideEnv = "MEMCURATOR_ASIDE_KILL"

// killer ends the process as soon as the folder of an edit is moved aside, and that is recorded.
type killer struct{}

func (killer) Begin(context.Context, *memstore.Edit) (func(error), error) {
	return func(error) {}, nil
}

func (killer) Decided(*memstore.Edit) error {
	p, _ := os.FindProcess(os.Getpid())
	_ = p.Kill()
	select {}
}

// TestAsideWorker is the process that is killed.
func TestAsideWorker(t *testing.T) {
	dir, state, ok := strings.Cut(os.Getenv(asideEnv), "|")
	if !ok {
		t.Skip("this is the process that TestPurgeSearchesFoldersMovedAside starts")
	}
	d := &desk{t: t, dir: dir, state: state}
	d.open()
	s := memstore.New(d.agent.Backend(), memstore.Options{Recorders: []memstore.Recorder{d.journal, killer{}}})
	s.Delete(context.Background(), "/memories/old")
}

// killedRemoval leaves what a process leaves that is killed while it removes the folder old.
func killedRemoval(t *testing.T, d *desk) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestAsideWorker$")
	c.Env = append(os.Environ(), asideEnv+"="+d.dir+"|"+d.state)
	if err := c.Run(); err == nil {
		t.Fatal("it was not killed")
	}
}

// planted puts what a process without a journal leaves: a folder moved aside, and beside it a write that has just begun.
func planted(t *testing.T, d *desk, value string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^$")
	d.must(c.Run())
	dead := fmt.Sprintf(".tmp-%d-0123456789abcde", c.Process.Pid)
	d.must(os.MkdirAll(filepath.Join(d.dir, "sub", dead+"0", "deep"), 0o700))
	d.must(os.WriteFile(filepath.Join(d.dir, "sub", dead+"0", "deep", "f.md"), []byte("token: "+value+"\n"), 0o600))
	d.must(os.WriteFile(filepath.Join(d.dir, "sub", dead+"1"), []byte("token: "+value+"\n"), 0o600))
}

// asideNames are the temporary names on the disk of a store.
func asideNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(at string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".tmp-") {
			names = append(names, at)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

// What a killed removal has left is found by a scan, removed by a purge, and told by a scrub that can be undone, which does not reach
// it, whether or not the journal knows it.
func TestPurgeSearchesFoldersMovedAside(t *testing.T) {
	token, other := secretOf(41), secretOf(42)
	for name, leave := range map[string]func(d *desk){
		"in the journal":     func(d *desk) { killedRemoval(t, d) },
		"not in the journal": func(d *desk) { planted(t, d, token) },
		"both":               func(d *desk) { killedRemoval(t, d); planted(t, d, token) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.write("sub/own.md", "token: "+other+"\n")
			d.write("old/a/f.md", "token: "+token+"\n")
			d.write("old/g.md", "harmless\n")
			if name == "not in the journal" {
				d.must(os.RemoveAll(filepath.Join(d.dir, "old")))
			}
			_, err := d.journal.Reconcile(t.Context(), nil)
			d.must(err)
			leave(d)
			names := asideNames(t, d.dir)
			g := d.scan().Group(d.memory.ID(token))
			if g == nil || g.Live == 0 || len(names) == 0 {
				t.Fatalf("of %v the scan has found %+v", names, g)
			}
			s := d.scrubber()
			s.Accept([]*Group{g})
			if left, err := s.Prove(t.Context()); err != nil || left.Clean() {
				t.Errorf("the proof has found nothing: %+v, %v", left, err)
			}
			done, err := s.Redact(t.Context())
			d.must(err)
			if len(done.Failed) == 0 || done.Failed[0].Why != leftOver || memtest.FilesHolding(t, token, d.dir) == 0 {
				t.Errorf("after a scrub: %+v", done)
			}
			s = d.scrubber()
			s.Accept(d.scan().Groups)
			purged, err := s.Purge(t.Context())
			d.must(err)
			if !purged.Left.Clean() || len(purged.Failed) > 0 || len(purged.Removed) == 0 {
				t.Errorf("left %+v, not read %+v, failed %+v, removed %v", purged.Left.Left, purged.Left.Unread, purged.Failed, purged.Removed)
			}
			if names := asideNames(t, d.dir); len(names) > 0 {
				t.Errorf("left: %v", names)
			}
			for range 2 { // as it is, and after a start
				if r, err := d.journal.Check(t.Context()); err != nil || !r.OK() || r.Open > 0 {
					t.Errorf("%+v, %v", r, err)
				}
				d.close()
				for _, value := range []string{token, other} {
					if n := memtest.FilesHolding(t, value, d.dir, d.state); n > 0 {
						t.Errorf("%d files have a value", n)
					}
				}
				d.open()
			}
		})
	}
}
