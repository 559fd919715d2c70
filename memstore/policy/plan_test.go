package policy_test

import (
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
)

const day = 24 * time.Hour

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// file is a file of a made-up store.
type file struct {
	modified time.Time
	size     int64
}

// daysOld is a file of 100 bytes that was modified n days ago.
func daysOld(n int) file { return file{now.Add(-time.Duration(n) * day), 100} }

func snapshot(files map[string]file) *memstore.Snapshot {
	names := slices.Sorted(maps.Keys(files))
	var seq iter.Seq2[string, memstore.Info] = func(yield func(string, memstore.Info) bool) {
		for _, name := range names {
			f := files[name]
			if !yield(name, memstore.Info{Name: path.Base(name), Kind: memstore.KindFile, Size: f.size, ModTime: f.modified}) {
				return
			}
		}
	}
	return memstore.SnapshotOf(seq, len(names))
}

// parse makes a policy of a configuration.
func parse(t testing.TB, toml string) *policy.Policy {
	t.Helper()
	c, err := config.Parse("config.toml", []byte(toml), "/home/me")
	if err != nil {
		t.Fatal(err)
	}
	return policy.New(c.General())
}

// lines are the actions of a plan, one a line.
func lines(p *policy.Plan) string {
	var b strings.Builder
	for _, a := range p.Actions {
		to := ""
		if a.To != "" {
			to = " -> " + a.To
		}
		fmt.Fprintf(&b, "%s %s%s: %s\n", a.Do, a.Path, to, a.Reason)
	}
	return b.String()
}

func TestWhatExpiryProposes(t *testing.T) {
	files := map[string]file{
		"a-2.md": daysOld(99), "a.md": daysOld(100), "archive/a.md": daysOld(500), "q/b.md": daysOld(90), "tell/c.md": daysOld(80),
		".git/objects/x": daysOld(900),
		".cache/y":       daysOld(70), "new.md": daysOld(1),
	}
	p := parse(t, `
[[rule]]
match = "**"
max_idle = "60d"
expire = "archive"
archive_to = "archive"
[[rule]]
match = "q/**"
expire = "delete"
[[rule]]
match = [".cache/**"]
expire = "delete"
[[rule]]
match = "tell/**"
expire = "warn"
`).Plan(policy.Input{Snapshot: snapshot(files), Now: now})
	const why, end = ", limit 60d (by modification time ", ")\n"
	want := "archive /memories/a.md -> /memories/archive/a-3.md: unchanged for 100 days" + why + "2026-08-13" + end +
		"archive /memories/a-2.md -> /memories/archive/a-2.md: unchanged for 99 days" + why + "2026-08-14" + end +
		"delete /memories/q/b.md: unchanged for 90 days" + why + "2026-08-23" + end +
		"warn /memories/tell/c.md: unchanged for 80 days" + why + "2026-09-02" + end
	if got := lines(p); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if actions, bytes := p.Changing(); len(actions) != 3 || bytes != 300 || p.Files != len(files)-1 || len(p.Actions) != 4 {
		t.Errorf("%d actions that change files, %d bytes, %d files, %d in all", len(actions), bytes, p.Files, len(p.Actions))
	}
}

func TestCapsAreTold(t *testing.T) {
	read := func(lines int64) policy.File {
		return policy.File{Lines: lines}
	}
	p := parse(t, `
[limits]
max_files = 2
max_bytes = "1KB"
[[rule]]
match = "**"
max_file_bytes = 1000
max_file_lines = 10
max_depth = 1
`).Plan(policy.Input{
		Snapshot: snapshot(map[string]file{"a/b/c.md": {now, 1512}, "longer-name.md": {now, 7}, "ok.md": {now, 1}}),
		Facts: policy.Facts{Files: map[string]policy.File{"/memories/ok.md": read(11), "/memories/longer-name.md": read(6),
			"/memories/a/b/c.md": read(2)}},
		Now: now,
	})
	want := `warn /memories/a/b/c.md: a path 2 folders deep, limit 1
warn /memories/a/b/c.md: 1.5K, limit 1000 bytes per file
warn /memories/ok.md: 11 lines, limit 10 per file
warn /memories: 1.5K in all, limit 1.0K
warn /memories: 3 files, limit 2
`
	if got := lines(p); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestDatesInTheFuture(t *testing.T) {
	files := snapshot(map[string]file{"a.md": daysOld(30), "b.md": {now.Add(10 * day), 1}})
	p := parse(t, "[[rule]]\nmatch = \"**\"\nmax_idle = \"60d\"\n").Plan(policy.Input{Snapshot: files, Now: now})
	if len(p.Actions) != 0 {
		t.Errorf("proposed are\n%s", lines(p))
	}
}

// A pin or a lock is about a name, however it is spelled: macOS and archives write names in another
// normalization than keyboards, and file systems without case know a name by several spellings.
func TestPinsAndLocksHoldInOtherSpellings(t *testing.T) {
	const composed, decomposed = "caf\u00e9", "cafe\u0301"
	for _, c := range []struct{ glob, name string }{
		{composed + ".md", decomposed + ".md"}, {decomposed + ".md", composed + ".md"}, {composed + "/**", decomposed + "/a.md"},
		{"**/" + composed + "*", "x/" + decomposed + "-2.md"}, {"{a," + composed + "}.md", decomposed + ".md"}, {"caf?.md", decomposed + ".md"},
		{"Keep/**", "keep/a.md"}, {"readme.md", "README.md"}, {"\u00c9t\u00e9/**", "e\u0301te\u0301/a.md"},
	} {
		files := map[string]file{c.name: daysOld(90), "other/b.md": daysOld(90)}
		p := parse(t, fmt.Sprintf("[[rule]]\nmatch = [\"**\"]\nttl = \"1d\"\n[[rule]]\nmatch = [%q]\npin = true\nlock = true\n", c.glob))
		plan := p.Plan(policy.Input{Snapshot: snapshot(files), Now: now})
		if got := lines(plan); len(plan.Actions) != 1 || plan.Actions[0].Path != "/memories/other/b.md" {
			t.Errorf("pinned %+q, file %+q: proposed are\n%s", c.glob, c.name, got)
		}
		if !p.Locked("/memories/"+c.name) || p.Locked("/memories/other/b.md") {
			t.Errorf("locked %+q: %+q is locked: %v, other/b.md: %v", c.glob, c.name, p.Locked("/memories/"+c.name),
				p.Locked("/memories/other/b.md"))
		}
		if keys := p.Settings().Rule(c.name); !keys.Pin.Value || !keys.Lock.Value {
			t.Errorf("the settings of %+q say pin %v, lock %v", c.name, keys.Pin.Value, keys.Lock.Value)
		}
	}
	// Other keys of the rule are about the spelling that it has.
	p := parse(t, "[[rule]]\nmatch = [\"Keep/**\"]\npin = false\nttl = \"1d\"\n")
	if got := p.Plan(policy.Input{Snapshot: snapshot(map[string]file{"keep/a.md": daysOld(9)}), Now: now}); len(got.Actions) != 0 {
		t.Errorf("a rule on Keep/** expires keep/a.md:\n%s", lines(got))
	}
}
