package ccmemory

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/cctest"
)

const killedVar = "MEMCURATOR_TEST_CCMEMORY_WRITER"

// TestWriter isn't a test: it is the process that the next one kills. It rewrites one item for ever.
func TestWriter(t *testing.T) {
	path := os.Getenv(killedVar)
	if path == "" {
		t.Skip("only for TestKilled")
	}
	source, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := source.(*Source)
	s.servers = func() ([]int, error) { return nil, nil }
	s.BackUpTo(func() string { return filepath.Join(filepath.Dir(path), "backups") })
	const name = "working/decision/use tokens.md"
	for i := 0; ; i++ {
		image := imageOf(t, s)
		old := entryOf(t, image, name).Text
		cut := bytes.LastIndex(old, []byte("---\n")) + 4
		data := fmt.Appendf(bytes.Clone(old[:cut]), "state %d\n", i)
		if err := s.Write(t.Context(), image, adapt.Edit{Name: name, Old: old, New: data}); err != nil {
			t.Fatal(err)
		}
	}
}

// However a writer is killed, the file is that of before an edit or of after it: whole, with every other record as it was.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it kills processes")
	}
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	const name = "working/decision/use tokens.md"
	before := map[string]string{}
	for _, e := range imageOf(t, s).Entries {
		before[e.Name] = string(e.Text)
	}
	for i := range 12 {
		c := exec.Command(os.Args[0], "-test.run", "^TestWriter$")
		c.Env = append(os.Environ(), killedVar+"="+s.path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(100+37*i) * time.Millisecond)
		_ = c.Process.Signal(syscall.SIGKILL)
		_ = c.Wait() // it was killed
		image := imageOf(t, s)
		if len(image.Entries) != len(before) || len(image.Problems) > 0 {
			t.Fatalf("%d records, %v", len(image.Entries), image.Problems)
		}
		for _, e := range image.Entries {
			if e.Name != name && string(e.Text) != before[e.Name] {
				t.Errorf("%s is %q", e.Name, e.Text)
			}
		}
		b := readDatabase(t, filepath.Dir(s.path))
		db, err := b.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := sound(t.Context(), db); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(filepath.Dir(s.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if ours, _ := backend.IsTemp(e.Name()); e.Name() != fileName && e.Name() != "backups" && !ours {
				t.Errorf("%s was left", e.Name())
			}
		}
	}
}
