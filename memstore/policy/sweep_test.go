package policy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// What a search or a backup reads is still unused; what the agent reads with plain tools, a few files or one after the other, is used.
func TestASweepIsNoUse(t *testing.T) {
	for _, c := range []struct {
		name        string
		files, read int
		apart       time.Duration
		unused      int
	}{
		{"a search", 12, 12, time.Millisecond, 12},
		{"a backup of most", 12, 9, 500 * time.Millisecond, 12},
		{"a few files", 12, 4, time.Millisecond, 8},
		{"an agent that reads all", 12, 12, 5 * time.Second, 0},
		{"a small store", 5, 5, time.Millisecond, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := func(i int) string { return fmt.Sprintf("n%02d.md", i) }
			d := newDesk(t, func(d *desk) {
				for i := range c.files {
					d.write(name(i), fmt.Sprintf("About %d.\n", i))
					d.age(name(i), 400*24*time.Hour)
				}
			})
			if _, err := d.b.(memstore.AccessTimer).AccessTime(name(0)); err != nil {
				t.Skip(err)
			}
			began := d.now.Add(-time.Hour).Truncate(time.Second)
			for i := range c.read {
				at := filepath.Join(d.dir, name(i))
				info, err := os.Stat(at)
				d.must(err)
				d.must(os.Chtimes(at, began.Add(time.Duration(i)*c.apart), info.ModTime()))
			}
			swept := c.unused == c.files
			for what, p := range map[string]*policy.Plan{
				"suggestions": d.suggested(""), "a rule": d.plan(parse(t, "[[rule]]\nmatch = [\"**\"]\nmax_idle = \"60d\"\n"), false),
			} {
				n := 0
				for _, a := range p.Actions {
					if a.Kind == policy.Unused || a.Key == "max_idle" {
						n++
						if swept && n <= c.read && !strings.HasSuffix(a.Reason, "; reads of most files at once don't count)") {
							t.Errorf("%s: %s", what, a.Reason)
						}
					}
				}
				if n != c.unused {
					t.Errorf("%s: %d unused, want %d", what, n, c.unused)
				}
				layout := "15:04"
				if began.Day() != d.now.Day() {
					layout = "2 Jan 15:04"
				}
				said := "A program read most files at " + began.In(d.now.Location()).Format(layout) + "; not counted as use"
				if got := strings.Join(p.Notes, "\n"); (got == said) != swept {
					t.Errorf("%s: %q", what, got)
				}
			}
		})
	}
}
