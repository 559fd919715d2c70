package journal

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"memcurator/memstore/past"
)

// landed are the paths of the revisions with the commit that has each.
func (d *desk) landed() (out []string) {
	for _, r := range d.revisions() {
		out = append(out, fmt.Sprintf("%s %s %s", r.Path, r.Commit, r.Message))
	}
	return out
}

func TestCommitsHaveTheRevisionsBefore(t *testing.T) {
	d := newDesk(t)
	d.outside("begin.md", "0\n")
	_, err := d.j.Reconcile(t.Context(), nil)
	d.must(err)
	edit := func(name, text string) {
		d.outside(name, text)
		_, err := d.j.Reconcile(t.Context(), nil)
		d.must(err)
	}
	edit("a.md", "1\n")
	edit("b.md", "1\n")
	edit("a.md", "2\n")
	first := time.Now()
	paths := func(names ...string) map[string]bool {
		m := map[string]bool{}
		for _, n := range names {
			m["/memories/"+n] = true
		}
		return m
	}
	learn := func(want int, known string, list ...past.Commit) {
		t.Helper()
		if n, err := d.j.LearnCommits(t.Context(), list, known); n != want || err != nil {
			t.Errorf("%d commits have revisions (%v), want %d", n, err, want)
		}
		if got, err := d.j.KnownCommit(t.Context()); got != known || err != nil {
			t.Errorf("known is %q, %v", got, err)
		}
	}
	learn(0, "none", past.Commit{Hash: "none", Title: "Before", Time: first.Add(-time.Hour), Paths: paths("a.md", "b.md")})
	learn(1, "abc", past.Commit{Hash: "abc", Title: "Remember a", Time: first, Paths: paths("a.md", "not there.md", "begin.md")})
	want := []string{"/memories/a.md abc Remember a", "/memories/b.md  ", "/memories/a.md abc Remember a"}
	if got := d.landed(); !slices.Equal(got, want) {
		t.Errorf("landed %q", got)
	}
	edit("a.md", "3\n")
	learn(1, "def", past.Commit{Hash: "def", Title: "Remember b", Time: first.Add(time.Hour), Paths: paths("a.md")})
	want = append(want, "/memories/a.md def Remember b")
	if got := d.landed(); !slices.Equal(got, want) {
		t.Errorf("landed %q", got)
	}
	runs := past.Runs(d.revisions())
	if len(runs) != 3 || runs[0].Commit != "def" || runs[0].Message != "Remember b" || runs[1].Commit != "abc" || len(runs[1].Revisions) != 2 {
		t.Errorf("the runs are %+v", runs)
	}
	// a purge rewrites messages too
	_, err = d.j.Purge(t.Context(), past.Purge{Redact: func(_ string, text []byte) []byte {
		if string(text) == "Remember b" {
			return []byte("[gone]")
		}
		return text
	}})
	d.must(err)
	if got := d.landed(); got[3] != "/memories/a.md def [gone]" {
		t.Errorf("landed %q", got)
	}
}
