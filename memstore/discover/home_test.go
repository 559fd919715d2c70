package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore/discover"
)

// session is a transcript that began in a folder and named files below it.
func session(cwd string, files ...string) string {
	text := fmt.Sprintf(`{"type":"user","cwd":%q,"sessionId":"s","message":{"role":"user","content":"hi"}}`+"\n", cwd)
	for _, f := range files {
		text += fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","input":{"file_path":%q}}]}}`+"\n", cwd+"/"+f)
	}
	return text
}

func TestHomes(t *testing.T) {
	t.Parallel()
	const projects = ".claude/projects/"
	named := []string{"src/a.go", "src/b.go", "web/app.ts", "docs/plan.md", "src/a.go"}
	for _, c := range []struct {
		name  string
		files []string
		want  string // a row a home
	}{
		{"a worktree of Claude Code", []string{
			projects + "-home-ann-src-ferry--claude-worktrees-fix/memory/MEMORY.md x",
			projects + "-home-ann-src-ferry--claude-worktrees-fix/s.jsonl " + session("/home/ann/src/ferry/.claude/worktrees/fix"),
			"src/ferry/README.md x",
		}, "certain -home-ann-src-ferry missing: the folder was its worktree fix"},
		{"a worktree that the repository remembers", []string{
			projects + "-home-ann-src-ferry-fix/memory/MEMORY.md x",
			projects + "-home-ann-src-ferry-fix/s.jsonl " + session("/home/ann/src/ferry-fix"),
			projects + "-home-ann-src-ferry/s.jsonl " + session("/home/ann/src/ferry"),
			projects + "-home-ann-src-ferry/memory/MEMORY.md x",
			"src/ferry/.git/worktrees/ferry-fix/gitdir /home/ann/src/ferry-fix/.git\n",
		}, "certain -home-ann-src-ferry: the folder was a worktree of its repository"},
		{"a folder renamed beside it", []string{
			projects + "-home-ann-src-ferry/memory/MEMORY.md x",
			projects + "-home-ann-src-ferry/s.jsonl " + session("/home/ann/src/ferry", named...),
			"src/ferrybook/src/a.go x", "src/ferrybook/src/b.go x", "src/ferrybook/web/app.ts x", "src/ferrybook/docs/plan.md x",
			"src/other/src/a.go x",
		}, "certain -home-ann-src-ferrybook missing: it has 4 of 4 files that the sessions named"},
		{"few files, and some that every project has", []string{
			projects + "-home-ann-src-ferry/memory/MEMORY.md x",
			projects + "-home-ann-src-ferry/s.jsonl " + session("/home/ann/src/ferry", "src/a.go", "docs/plan.md", "go.mod", "README.md"),
			"src/ferrybook/src/a.go x", "src/ferrybook/docs/plan.md x", "src/ferrybook/go.mod x",
			"src/other/go.mod x", "src/other/README.md x", "src/other/src/b.go x",
		}, "-home-ann-src-ferrybook missing: it has 3 of 4 files that the sessions named"},
		{"two copies", []string{
			projects + "-home-ann-src-ferry/memory/MEMORY.md x",
			projects + "-home-ann-src-ferry/s.jsonl " + session("/home/ann/src/ferry", named...),
			"src/one/src/a.go x", "src/one/src/b.go x", "src/one/web/app.ts x", "src/one/docs/plan.md x",
			"src/two/src/a.go x", "src/two/src/b.go x", "src/two/web/app.ts x", "src/two/docs/plan.md x",
		}, "-home-ann-src-one missing: it has 4 of 4 files that the sessions named\n" +
			"-home-ann-src-two missing: it has 4 of 4 files that the sessions named"},
		{"names alone", []string{
			projects + "-home-ann-src-ferry/memory/MEMORY.md x",
			projects + "-home-ann-src-ferry/s.jsonl " + session("/home/ann/src/ferry"),
			projects + "-home-ann-code-ferry/s.jsonl " + session("/home/ann/code/ferry"),
			projects + "-home-ann-code-book/s.jsonl " + session("/home/ann/code/book"),
			"code/ferry/x x", "code/book/.git/config [remote \"origin\"]\n\turl = git@example.org:ann/ferry.git\n",
		}, "-home-ann-code-book missing: its repository is named ferry\n-home-ann-code-ferry missing: its folder has the same name"},
		{"nothing like it", []string{
			projects + "-home-ann-src-ferry/memory/MEMORY.md x",
			projects + "-home-ann-src-ferry/s.jsonl " + session("/home/ann/src/ferry", named...),
			"src/other/README.md x",
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := machine(t, "linux", in(c.files...), nil)
			found := m.Find(t.Context(), nil)
			var got []string
			for _, f := range found {
				if !f.Stranded {
					continue
				}
				for _, h := range m.Homes(t.Context(), f, found) {
					slug := strings.Split(h.Store, "/")[5]
					row := slug
					if h.Certain {
						row = "certain " + row
					}
					if h.Missing {
						row += " missing"
					}
					got = append(got, row+": "+h.Why)
				}
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

func FuzzHomes(f *testing.F) {
	f.Add(session("/home/ann/src/ferry", "src/a.go", "../../etc/passwd"))
	f.Fuzz(func(t *testing.T, text string) {
		files := in(".claude/projects/-home-ann-src-ferry/memory/MEMORY.md x", "src/other/a/b x")
		files["home/ann/.claude/projects/-home-ann-src-ferry/s.jsonl"] = files["home/ann/src/other/a/b"]
		files["home/ann/.claude/projects/-home-ann-src-ferry/s.jsonl"].Data = []byte(text)
		m := machine(t, "linux", files, nil)
		for _, f := range m.Find(t.Context(), nil) {
			m.Homes(t.Context(), f, []discover.Found{f})
		}
	})
}
