package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/lint"
	"memcurator/memstore/memtest"
)

// desk is a project on disk.
type desk struct {
	*testing.T
	root string
}

func (d *desk) write(name, body string) {
	d.Helper()
	memtest.WriteFiles(d, d.root, map[string]string{name: body})
}

func (d *desk) git(args ...string) { d.Helper(); d.output(args...) }

func (d *desk) output(args ...string) string {
	d.Helper()
	return memtest.Git(d, d.root)(args...)
}

// says is the verdict on a claim.
func (d *desk) says(p *Project, name string) string {
	d.Helper()
	got, err := p.Look(d.Context(), []lint.Claim{lint.Claim(name)})
	if err != nil {
		d.Fatal(err)
	}
	v := got.Verdicts[0]
	return strings.TrimSpace(v.Why + " " + v.To)
}

func newRepository(t *testing.T) *desk {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	d := &desk{t, t.TempDir()}
	d.git("init", "-q", "-b", "main")
	return d
}

func TestPathsThatGitHad(t *testing.T) {
	d := newRepository(t)
	long := strings.Repeat("some line of code\n", 20)
	for _, name := range []string{"src/a.ts", "src/b.ts", "src/deep/c.ts", "web/one/x.ts", "web/two/x.ts", "docs/d.md", "tool.sh", "old.yaml",
		"src/left.ts"} {
		d.write(name, long+name)
	}
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "One")
	d.git("mv", "src/a.ts", "src/lib.ts")
	d.git("rm", "-q", "src/b.ts", "src/deep/c.ts", "web/one/x.ts", "web/two/x.ts", "docs/d.md", "tool.sh", "old.yaml")
	d.git("commit", "-q", "-m", "Two")
	if err := os.MkdirAll(filepath.Join(d.root, "lib"), 0o755); err != nil {
		d.Fatal(err)
	}
	d.git("mv", "src/lib.ts", "lib/lib.ts")
	d.git("commit", "-q", "-m", "Three")
	d.write("docs/d.md", "back, but not in git")
	d.write("other/old.yaml", "x")
	d.git("add", "other")
	d.git("commit", "-q", "-m", "Four")
	p := Open(d.root)
	for _, c := range []struct{ name, want string }{
		{"src/a.ts", "-> lib/lib.ts lib/lib.ts"}, // renamed twice
		{"src/lib.ts", "-> lib/lib.ts lib/lib.ts"},
		{"lib/lib.ts", ""},
		{"lib.ts", ""},
		{"src/b.ts", "deleted 3 Nov 2026"},
		{"deep/c.ts", "deleted 3 Nov 2026"}, // named from a folder of the project
		{"one/x.ts", "deleted 3 Nov 2026"},
		{"x.ts", ""}, // a name alone, of several
		{"tool.sh", "deleted 3 Nov 2026"},
		{"docs/d.md", ""},    // there again
		{"old.yaml", ""},     // there, in another folder
		{"src/never.ts", ""}, // git never had it: a plan, or of another project
		{"src", ""},
		{"package.json", ""},
	} {
		if got := d.says(p, c.name); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	below := Open(filepath.Join(d.root, "src"))
	if got := d.says(below, "b.ts"); got != "deleted 3 Nov 2026" {
		t.Errorf("in a folder of the work tree: %q", got)
	}
}

// An index without files proves nothing, as in a clone without a checkout.
func TestAnEmptyIndexProvesNothing(t *testing.T) {
	d := newRepository(t)
	d.write("src/a.ts", "a")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "One")
	d.git("rm", "-q", "-r", "src")
	d.git("commit", "-q", "-m", "Two")
	got, err := Open(d.root).Look(t.Context(), []lint.Claim{"src/a.ts"})
	if err != nil || got.Verdicts[0].Why != "" || got.Why != textNoFiles {
		t.Errorf("%+v, %v", got, err)
	}
}

// An empty .git folder is like none, and a sentence says why the rest is not checked.
func TestAnEmptyGitFolder(t *testing.T) {
	t.Parallel()
	d := &desk{t, t.TempDir()}
	d.write("src/a.ts", "x")
	if err := os.Mkdir(filepath.Join(d.root, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := Open(d.root)
	got, err := p.Look(t.Context(), nil)
	if want := textUnchecked + "its .git is not a repository"; err != nil || got.Why != want {
		t.Errorf("%q, %v; want %q", got.Why, err, want)
	}
}

func TestRootOfAStore(t *testing.T) {
	top := t.TempDir()
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	for _, dir := range []string{"repo/.git", "repo/memories", "own/.git", "notes"} {
		if err := os.MkdirAll(filepath.Join(top, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{"repo/memories": filepath.Join(top, "repo"), "own": "", "notes": ""} {
		if got := Root(filepath.Join(top, filepath.FromSlash(dir))); got != want {
			t.Errorf("the project of %s is %q, want %q", dir, got, want)
		}
	}
}
