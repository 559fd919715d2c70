package findings

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
	"memcurator/memstore/scrub"
)

// The files of which commits hold a value are named, and neither they nor the work tree's own files are touched.
func TestCommitsAreNamedAndStay(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	d := newDesk(t)
	d.close()
	top := t.TempDir()
	d.dir = filepath.Join(top, "agent's memories")
	d.must(os.Mkdir(d.dir, 0o700))
	d.open()
	ran := filepath.Join(t.TempDir(), "ran")
	git := memtest.Git(t, top)
	token := secretOf(50)
	git("init", "-q")
	commit := func(name, text string) {
		t.Helper()
		d.must(os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
		git("add", "-A")
		git("commit", "-q", "-m", "more")
	}
	commit("other.md", "token: "+token+"\n") // outside of the store
	commit("agent's memories/plain.md", "nothing\n")
	commit("agent's memories/a.md", "token: "+token+"\n")
	commit("agent's memories/plain.md", "still nothing\n")
	commit("agent's memories/b "+token+".md", "x\n")
	commit("agent's memories/a.md", "gone\n")
	commit("agent's memories/c.md", "again "+token+"\n")
	// A repository names programs: none of them is run.
	for _, key := range []string{"core.fsmonitor", "core.pager", "gpg.program", "diff.external", "core.sshCommand"} {
		git("config", key, "touch "+ran)
	}
	git("config", "log.showSignature", "true")
	before := git("rev-parse", "HEAD")
	s := d.scrubber()
	s.Accept(d.scan().Secrets)
	s.accept[token], s.sure[token] = "github-token", scrub.Shaped
	done, err := s.Purge(context.Background())
	d.must(err)
	g := done.Left.Git
	if g == nil || g.Unread != "" || strings.Join(g.Held, "\n") != "agent's memories\nagent's memories/a.md\nagent's memories/b "+token+".md\nagent's memories/c.md" || g.Paths[0] != "agent's memories" {
		t.Errorf("%+v", g)
	}
	if said := strings.Join(done.Left.Remains(), "\n"); !strings.Contains(said, "Left: git has values in 4 files of the work tree ") {
		t.Errorf("it says %q", said)
	}
	if git("rev-parse", "HEAD") != before {
		t.Error("the commits were rewritten")
	}
	if data, err := os.ReadFile(filepath.Join(top, "other.md")); err != nil || string(data) != "token: "+token+"\n" {
		t.Errorf("a file outside of the store: %q, %v", data, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository was run")
	}
}
