package findings

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
	"memcurator/memstore/scrub/redact"
)

// The action chosen for a value applies in files and in the past, even in a purge that another process resumes.
func TestAValueHasAnActionOfItsOwn(t *testing.T) {
	d := newDesk(t)
	a, b := secretOf(3), secretOf(4)
	d.write("a.md", "# Ops\ntoken: "+a+"\ntoken: "+b+"\n")
	d.write("a.md", "# Ops\nmore\ntoken: "+a+"\ntoken: "+b+"\n")
	survey := d.scan()
	s := d.scrubber()
	s.Treatment.Key = d.memory.PseudonymKey()
	s.Action = map[string]redact.Action{d.memory.ID(a): redact.Line, d.memory.ID(b): redact.Pseudonym}
	s.Accept(survey.Groups)
	ctx, stop := context.WithCancel(context.Background())
	s.Report = func(Step, int, int) { stop() }
	if _, err := s.Purge(ctx); err == nil {
		t.Fatal("it was not stopped")
	}
	again := d.scrubber()
	again.Treatment.Key = d.memory.PseudonymKey()
	if _, err := again.Resume(context.Background()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(d.dir, "a.md"))
	d.must(err)
	if got := string(text); !strings.HasPrefix(got, "# Ops\nmore\ntoken: [REDACTED:github-token:") || strings.Count(got, "\n") != 3 {
		t.Errorf("%q", got)
	}
	if n := memtest.FilesHolding(t, a, d.dir, d.state) + memtest.FilesHolding(t, b, d.dir, d.state); n > 0 {
		t.Errorf("%d files hold a value", n)
	}
}
