package findings

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a purge removes besides notes is recorded, or never was: the journal and the disk agree afterwards.
func TestDoctorIsContentAfterAPurge(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 6
	}
	for seed := range rounds {
		d := newDesk(t)
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		d.fill(uint64(700+seed), 4)
		token := secretOf(seed + 300)
		d.write("own.md", "token: "+token+"\n")
		d.must(os.Mkdir(filepath.Join(d.dir, "sub"), 0o700))
		for i := range 3 {
			dir := []string{".", "sub"}[rng.IntN(2)]
			name := []string{fmt.Sprintf(".tmp-%d-%x", 1<<22+rng.IntN(1000), rng.Uint64()), fmt.Sprintf(".note%d.swp", i)}[rng.IntN(2)]
			at := filepath.Join(d.dir, dir, name)
			d.must(os.WriteFile(at, []byte("token: "+token+"\n"), 0o600))
			d.must(os.Chmod(at, []os.FileMode{0o600, 0o644}[rng.IntN(2)]))
			old := time.Now().Add(-time.Duration(rng.IntN(3)) * time.Hour)
			d.must(os.Chtimes(at, old, old))
		}
		if rng.IntN(2) == 0 { // a start of a program records what it finds
			_, err := d.journal.Reconcile(context.Background(), nil)
			d.must(err)
		}
		s := d.scrubber()
		s.Accept(d.scan().Groups)
		s.accept[token], s.grown = "github-token", true
		done, err := s.Purge(context.Background())
		d.must(err)
		if !done.Left.Clean() {
			t.Errorf("seed %d: left %+v, not read %+v", seed, done.Left.Left, done.Left.Unread)
		}
		for range 2 { // as it is, and after a restart some time later
			if r, err := d.journal.Check(context.Background()); err != nil || !r.OK() || r.Open > 0 {
				t.Errorf("seed %d: %+v, %v; removed %v", seed, r, err, done.Removed)
			}
			d.close()
			age(t, d.dir)
			d.open()
		}
		d.close()
	}
}

// age makes temporary files so old that no write can be under way.
func age(t *testing.T, dir string) {
	t.Helper()
	for _, pattern := range []string{".tmp-*", "*/.tmp-*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			old := time.Now().Add(-time.Hour)
			if err := os.Chtimes(name, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
}
