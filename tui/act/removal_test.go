package act

import (
	"strings"
	"testing"

	"memcurator/memstore"
)

// The question about a folder names the git repositories in it, whose files no list shows.
func TestADeletionNamesTheRepositoriesInIt(t *testing.T) {
	t.Parallel()
	b := memstore.NewMemory()
	s := memstore.New(b, memstore.Options{})
	for _, name := range []string{"proj/a.md", "proj/.git/HEAD", "proj/sub/.git/HEAD", "plain/b.md"} {
		c := memstore.Command{Name: memstore.CmdCreate, Path: memstore.AgentPath(name), FileText: "x"}
		if r := s.Do(t.Context(), c); r.IsError {
			t.Fatal(r.Content)
		}
	}
	said := func(path string) string {
		plan := removal{}
		if err := plan.fill(t.Context(), b, memstore.Docs, []string{path}); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(plan.repositoryText())
	}
	for path, want := range map[string]string{
		"/memories/plain":     "",
		"/memories/proj/a.md": "",
		"/memories/proj":      "Deletes the git repository of proj and 1 more, with all its commits.",
		"/memories/proj/.git": "Deletes the git repository of proj, with all its commits.",
	} {
		if got := said(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
