package findings

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/past"
)

// killEnv tells a test binary that it is the process to be killed: folder of the store, state folder and, where it
// kills itself, the stage.
const killEnv = "MEMCURATOR_PURGE_KILL"

// TestPurgeWorker is the process that is killed.
func TestPurgeWorker(t *testing.T) {
	spec := strings.Split(os.Getenv(killEnv), "|")
	if len(spec) != 3 {
		t.Skip("this is the process that TestPurgeAfterAKill starts")
	}
	d := &desk{t: t, dir: spec[0], state: spec[1]}
	d.open()
	s := d.scrubber()
	s.Accept(d.scan().Secrets)
	reach = func(stage string) {
		if stage == spec[2] {
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		}
	}
	n := 0
	s.Report = func(step Step, done, all int) {
		if n++; fmt.Sprint("report ", n) == spec[2] {
			reach(spec[2])
		}
	}
	fmt.Println("begin")
	if _, err := s.Purge(context.Background()); err != nil {
		t.Fatal(err)
	}
	fmt.Println("done")
}

// A purge is killed at each of its stages, and at random moments. A scan of the next start finds what is left, and another purge of that
// leaves nothing.
func TestPurgeAfterAKill(t *testing.T) {
	kills := []string{"begun", "files", "state", "compared", "journal"}
	rounds := 1
	if n, err := strconv.Atoi(os.Getenv("MEMCURATOR_SEED")); err == nil { // at each report too, and as many more at random
		rounds = n
		for i := range 24 {
			kills = append(kills, fmt.Sprint("report ", i+1))
		}
	}
	for range rounds {
		kills = append(kills, "")
	}
	for i, stage := range kills {
		d := newDesk(t)
		d.fill(20*(i+1), 6)
		d.write("own.md", "token: "+secretOf(i)+"\n")
		d.must(os.WriteFile(filepath.Join(d.state, "layout.json"), []byte(`{"selected":"`+secretOf(i)+`"}`), 0o600))
		s := d.scrubber()
		s.Accept(d.scan().Secrets)
		want, sure := s.accept, s.sure
		d.close()
		killed(t, d, stage, time.Duration(rand.IntN(60_000))*time.Microsecond)
		d.open()
		// The next start of a recording program compares, and an agent edits.
		_, err := d.journal.Sync(context.Background(), past.Hints{Unseen: true})
		d.must(err)
		d.write("next.md", "after the restart\n")
		if left := d.scan().Secrets; len(left) > 0 {
			again := d.scrubber()
			again.Accept(left)
			_, err := again.Purge(context.Background())
			d.must(err)
		}
		d.close() // which empties the log
		d.open()
		after := d.scrubber()
		after.accept, after.sure = want, sure
		after.seek()
		left, err := after.Prove(context.Background())
		d.must(err)
		if len(left.Left) > 0 {
			t.Errorf("killed at %q: left %+v", stage, left.Left)
		}
		if r, err := d.journal.Check(context.Background()); err != nil || !r.OK() {
			t.Errorf("killed at %q: %+v, %v", stage, r, err)
		}
		d.close()
	}
}

// killed runs the worker and kills it some time after it has begun, unless it does so itself.
func killed(t *testing.T, d *desk, stage string, after time.Duration) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestPurgeWorker$", "-test.v")
	c.Env = append(os.Environ(), killEnv+"="+d.dir+"|"+d.state+"|"+stage)
	out, err := c.StdoutPipe()
	d.must(err)
	d.must(c.Start())
	line := make([]byte, 4096)
	for seen := ""; !strings.Contains(seen, "begin"); {
		n, err := out.Read(line)
		if seen += string(line[:n]); err != nil {
			break
		}
	}
	if stage == "" {
		time.Sleep(after) // at a random moment: that is what is tested
		_ = c.Process.Kill()
	}
	for {
		if _, err := out.Read(line); err != nil {
			break
		}
	}
	_ = c.Wait() // it was killed
}
