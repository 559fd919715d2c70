package journal

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// bigFolderEnv makes a test binary the process that removes a folder of many files, and says where.
const bigFolderEnv = "MEMCURATOR_JOURNAL_BIG_FOLDER"

// manyFiles need several turns of a comparison, and the last one is not full.
const manyFiles = 4*turnPaths + 7

// fillFolder puts many small files into a folder of the store, and the journal learns of them.
func fillFolder(d *desk) {
	d.t.Helper()
	d.must(os.MkdirAll(filepath.Join(d.dir, "big", "sub"), 0o700))
	for i := range manyFiles {
		d.outside(fmt.Sprintf("big/sub/%04d.md", i), fmt.Sprintf("note %d\n", i))
	}
	d.syncAll()
}

func TestBigFolderWorker(t *testing.T) {
	dir := os.Getenv(bigFolderEnv)
	if dir == "" {
		t.Skip("this is the process that TestKilledInALargeRemoval starts")
	}
	d := &desk{t: t, dir: filepath.Join(dir, "m"), state: filepath.Join(dir, "s")}
	d.open(Options{})
	fmt.Println("begun")
	d.do(remove("/memories/big"))
	d.close()
}

// Wherever a process that removes a folder of many files dies, what is gone is recorded as one act of the agent, and what
// is still there is not.
func TestKilledInALargeRemoval(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 1))
	stayed, part, went, finished := 0, 0, 0, 0
	for range rounds(t, 3, 6) {
		root := t.TempDir()
		d := &desk{t: t, dir: filepath.Join(root, "m"), state: filepath.Join(root, "s")}
		d.must(os.Mkdir(d.dir, 0o700))
		d.must(os.Mkdir(d.state, 0o700))
		d.open(Options{})
		fillFolder(d)
		before, err := d.j.Last(context.Background())
		d.must(err)
		d.close()
		c := exec.Command(os.Args[0], "-test.run", "^TestBigFolderWorker$", "-test.v")
		c.Env = append(os.Environ(), bigFolderEnv+"="+root)
		out, err := c.StdoutPipe()
		d.must(err)
		d.must(c.Start())
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if lines.Text() == "begun" {
				time.AfterFunc(time.Duration(r.IntN(300))*time.Millisecond, func() { _ = c.Process.Kill() })
			}
		}
		if c.Wait() == nil {
			finished++
		}
		d.open(Options{})
		d.syncAll()
		d.agrees()
		var removed []past.Revision
		for _, rev := range d.revisions() {
			if rev.Rev > before {
				removed = append(removed, rev)
			}
		}
		list, err := os.ReadDir(filepath.Join(d.dir, "big", "sub"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		files := 0
		for _, rev := range removed {
			if rev.Actor != memstore.Agent || rev.Shape != past.Removed || rev.Group != removed[0].Group {
				t.Fatalf("%+v", rev)
			}
			if rev.Kind == memstore.KindFile {
				files++
			}
		}
		switch {
		case files+len(list) != manyFiles:
			t.Fatalf("%d files are recorded as removed, %d remain, of %d", files, len(list), manyFiles)
		case files == 0:
			stayed++
		case len(list) == 0:
			went++
		default:
			part++
		}
		d.close()
	}
	t.Logf("the folder stayed %d times, went in part %d times and whole %d times, %d of them without a kill", stayed, part, went, finished)
}
