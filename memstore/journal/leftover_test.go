package journal

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
)

// folderCrashEnv makes a test binary the process to be killed, and says where.
const folderCrashEnv = "MEMCURATOR_JOURNAL_FOLDER_CRASH"

// TestFolderWorker is the process that is killed: it makes and removes folders, moves them, and replaces files that
// others may read.
func TestFolderWorker(t *testing.T) {
	spec := os.Getenv(folderCrashEnv)
	if spec == "" {
		t.Skip("this is the process that TestKilledWritersLeaveNothing starts")
	}
	dir, state, _ := strings.Cut(spec, "|")
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := Open(state, Options{Backend: backend, Process: "crash"})
	if err != nil {
		t.Fatal(err)
	}
	store := memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{j}, Overwrite: true})
	ctx := context.Background()
	fmt.Println("begun")
	for n := 0; ; n++ {
		top := fmt.Sprintf("%s/d-%d-%d", memstore.Root, os.Getpid(), n)
		for i := range 8 {
			store.Create(ctx, fmt.Sprintf("%s/a/b%d/c.md", top, i), strings.Repeat("text\n", 500*i))
		}
		store.Create(ctx, memstore.Root+"/shared.md", strings.Repeat("more\n", n%9000))
		store.Rename(ctx, top+"/a", top+"-moved/x/y")
		store.Delete(ctx, top+"-moved")
		store.Delete(ctx, top)
	}
}

// Whenever a process is killed, the next start leaves nothing of its unfinished edits but empty folders: no temporary file, and
// no revision of a file attributed to another program.
func TestKilledWritersLeaveNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.outside("shared.md", "old\n")
	d.must(os.Chmod(filepath.Join(d.dir, "shared.md"), 0o644))
	d.syncAll()
	d.close()
	r := rand.New(rand.NewPCG(4, 9))
	left := 0
	for range rounds(t, 6, 40) {
		killFolderWorker(t, d, time.Duration(r.IntN(60_000))*time.Microsecond)
		left += len(temps(t, d.dir))
		d.open(Options{})
		d.syncAll()
		if list := temps(t, d.dir); len(list) > 0 {
			t.Fatalf("left: %v", list)
		}
		d.agrees()
		for _, rev := range d.revisions() {
			if rev.Actor == memstore.External && rev.Kind != memstore.KindDir {
				t.Fatalf("one of our own edits was recorded as external: %+v", rev)
			}
		}
		d.close()
	}
	d.open(Options{})
	last, err := d.j.Last(context.Background())
	d.must(err)
	if diff := same(d.replayed(last), d.plain()); diff != "" {
		t.Errorf("replayed:\n%s", diff)
	}
	t.Logf("%d revisions, %d temporary names were left by the dead", last, left)
}

func killFolderWorker(t *testing.T, d *desk, after time.Duration) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestFolderWorker$", "-test.v")
	c.Env = append(os.Environ(), folderCrashEnv+"="+d.dir+"|"+d.state)
	out, err := c.StdoutPipe()
	d.must(err)
	d.must(c.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "begun" {
			time.AfterFunc(after, func() { _ = c.Process.Kill() })
		}
	}
	_ = c.Wait() // it was killed
}

// temps are the temporary names on the disk.
func temps(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(at string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".tmp-") {
			list = append(list, at)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
