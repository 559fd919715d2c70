package lint_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/index"
	"memcurator/memstore/lint"
	"memcurator/render/loadlimit"
)

var day0 = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// numbered says that notes were changed in the order of the numbers in their names.
func numbered(agentPath string) time.Time {
	var n int
	if _, err := fmt.Sscanf(agentPath, "/memories/n%d.md", &n); err != nil {
		return time.Time{}
	}
	return day0.AddDate(0, 0, n)
}

func TestTrim(t *testing.T) {
	entries := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "- [Note %d](n%d.md): about %d\n", i, i, i)
		}
		return b.String()
	}
	const head = "---\nname: index\n---\n# Index\n\n"
	for _, c := range []struct {
		name, text string
		limit      loadlimit.Extent
		want       []string // path, then text
	}{
		{"it fits", entries(0, 10), loadlimit.Extent{Lines: 10}, nil},
		{"no index", strings.Repeat("text\n", 20), loadlimit.Extent{Lines: 10}, nil},
		{"text first, the longest run", head + entries(0, 3) + "\nShort.\n\nA long\nstory of\nmany lines\nto read\nlater.\n\n## End\n", loadlimit.Extent{Lines: 14},
			[]string{
				"/memories/MEMORY.md", head + entries(0, 3) + "\nShort.\n\n## End\n- [MEMORY details](MEMORY-details.md): text that was in this index\n",
				"/memories/MEMORY-details.md", "# MEMORY details\n\n# Index\n\nA long\nstory of\nmany lines\nto read\nlater.\n",
			}},
		{"then the oldest entries", "# Old\n" + entries(0, 4) + "# New\n" + entries(10, 17), loadlimit.Extent{Lines: 12}, []string{
			"/memories/MEMORY.md",
			"# Old\n# New\n" + entries(11, 17) + "- [More notes](MEMORY-more.md): the 5 entries changed least recently\n",
			"/memories/MEMORY-more.md", "# More notes\n\n# Old\n\n" + entries(0, 4) + "\n# New\n\n" + entries(10, 11),
		}},
		{"an item with its lines", "- [Note 1](n1.md): about\n  more of it\n  - a detail\n- [Note 2](n2.md)\n", loadlimit.Extent{Lines: 3}, []string{
			"/memories/MEMORY.md", "- [Note 2](n2.md)\n- [More notes](MEMORY-more.md): the entry changed least recently\n",
			"/memories/MEMORY-more.md", "# More notes\n\n- [Note 1](n1.md): about\n  more of it\n  - a detail\n",
		}},
		{"nothing helps", entries(0, 2), loadlimit.Extent{Bytes: 10}, nil},
	} {
		var got []string
		for _, p := range lint.Trim("/memories/MEMORY.md", []byte(c.text), c.limit, numbered, nil) {
			got = append(got, p.Path, string(p.Data))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q\nwant %q", c.name, got, c.want)
		}
	}
	for _, p := range lint.Trim("/memories/MEMORY.md", []byte(entries(0, 20)), loadlimit.Extent{Lines: 10}, numbered,
		func(p string) bool { return p == "/memories/MEMORY-more.md" })[1:] {
		if p.Path != "/memories/MEMORY-more-2.md" {
			t.Errorf("%s is taken", p.Path)
		}
	}
}

// A trimmed index has room, no line of it is lost, and all notes stay listed.
func TestTrimLosesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	for range 500 {
		var b strings.Builder
		for i := range 10 + r.IntN(60) {
			switch r.IntN(8) {
			case 0:
				fmt.Fprintf(&b, "# Section %d\n\n", i)
			case 1:
				fmt.Fprintf(&b, "Text %d\nand more\n", i)
			case 2:
				fmt.Fprintf(&b, "```\n# code %d\n```\n", i)
			case 3:
				fmt.Fprintf(&b, "<!-- hidden %d -->\n\n", i)
			default:
				fmt.Fprintf(&b, "- [N](n%d.md): %s\n", i, strings.Repeat("word ", r.IntN(20)))
			}
		}
		limit := loadlimit.Extent{Lines: int64(8 + r.IntN(30)), Tokens: int64(r.IntN(500))}
		parts := lint.Trim("/memories/MEMORY.md", []byte(b.String()), limit, numbered, nil)
		if parts == nil {
			continue
		}
		var all []string
		listed := map[string]bool{}
		for _, p := range parts {
			all = append(all, strings.Split(string(p.Data), "\n")...)
			x := index.Parse(p.Data)
			for i := range x.Entries {
				listed[x.String(x.Entries[i].Target)] = true
			}
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if !slices.Contains(all, line) {
				t.Fatalf("%q is lost from\n%s", line, b.String())
			}
		}
		was := index.Parse([]byte(b.String()))
		for i := range was.Entries {
			if name := was.String(was.Entries[i].Target); !listed[name] {
				t.Fatalf("%s isn't listed anymore", name)
			}
		}
		g := loadlimit.Gauge{Have: loadlimit.Measure(parts[0].Data), Limit: limit}
		if g.Level() >= loadlimit.Near {
			t.Fatalf("%s after the trim", g.Words())
		}
		if len(was.Bytes()) > 0 && len(parts) < 2 {
			t.Fatal("nothing moved")
		}
	}
}
