package dir

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

// churnSizes are the lengths of the versions that churn writes: one write of
// the system, several pages, and long enough for the kill to hit the middle.
var churnSizes = []int{1, 5_000, 400_000}

// version is content that shows whether it is whole: a line with number and length, then filler.
func version(n int) []byte {
	size := churnSizes[n%len(churnSizes)]
	head := fmt.Sprintf("%d %d\n", n, size)
	return append([]byte(head), bytes.Repeat([]byte{byte('a' + n%26)}, size)...)
}

func isVersion(data []byte) bool {
	var n, size int
	if _, err := fmt.Sscanf(string(data[:min(len(data), 40)]), "%d %d\n", &n, &size); err != nil {
		return false
	}
	return bytes.Equal(data, version(n))
}

// churn writes without end, until it is killed. It says on stdout when it has begun.
func churn(d *Dir) error {
	fmt.Println("begun")
	for n := 0; ; n++ {
		err := func() error {
			unlock, err := d.Lock(context.Background())
			if err != nil {
				return err
			}
			defer unlock()
			old, err := os.ReadFile(onDisk(d, "edited.md"))
			if err != nil {
				return err
			}
			if err := d.Replace("edited.md", old, version(n)); err != nil {
				return err
			}
			made, moved := fmt.Sprintf("made-%d.md", n%7), fmt.Sprintf("moved-%d.md", n%7)
			if err := d.Create(made, version(n)); err != nil && !errors.Is(err, backend.ErrExist) {
				return err
			}
			if err := d.Rename(made, moved); err != nil && !errors.Is(err, backend.ErrExist) {
				return err
			}
			if err := d.Remove(fmt.Sprintf("moved-%d.md", (n+3)%7)); err != nil && !errors.Is(err, backend.ErrNotExist) {
				return err
			}
			return nil
		}()
		if err != nil {
			return err
		}
	}
}

// TestKilledWriters kills a process at random moments of its writes. Each file is then whole, in an old or a new version, and the lock is
// free.
func TestKilledWriters(t *testing.T) {
	const kills = 15
	d := openTestDir(t)
	plant(t, d, "edited.md", string(version(0)))
	for i := range kills {
		c, out := child(t, d.Path())
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "begun\n" {
			t.Fatalf("the child said %q, %v", line, err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(15 * time.Millisecond))))
		must(t, c.Process.Kill())
		_, _ = io.Copy(io.Discard, out)
		_ = c.Wait()
		list, err := d.ReadDir(".")
		must(t, err)
		for _, e := range list {
			if strings.HasPrefix(e.Name, backend.TempPrefix) {
				must(t, d.SweepTemps("."))
				continue
			}
			if data := readAll(t, d, e.Name); !isVersion([]byte(data)) {
				t.Fatalf("kill %d: %s is torn: %d bytes, %.40q", i, e.Name, len(data), data)
			}
		}
		unlock, err := d.Lock(t.Context())
		must(t, err)
		name := fmt.Sprintf("after-%d.md", i)
		must(t, d.Create(name, version(i)))
		must(t, d.Remove(name))
		unlock()
		wantNoTemp(t, d)
	}
}
