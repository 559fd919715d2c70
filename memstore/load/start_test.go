package load_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/backend/mem"
	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
)

// store makes a store in memory.
func store(t testing.TB, files map[string]string) backend.Backend {
	t.Helper()
	m := mem.New()
	for name, data := range files {
		if err := m.Create(name, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// Rules of agents, as package discover has them.
var (
	claude = load.Rule{Files: []string{"MEMORY.md"}, Lines: 200, Bytes: 25_000, Stripped: true}
	vscode = load.Rule{Files: []string{"*"}, Lines: 200, Together: true, Heading: "## NAME\n", Separator: "\n"}
	codex  = load.Rule{Files: []string{"memory_summary.md"}, Tokens: 5000, Middle: true}
)

func TestRead(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("- a line\n", n) }
	for _, c := range []struct {
		name  string
		rule  load.Rule
		files map[string]string
		text  string // "": not compared
		says  string
	}{
		{"nothing is loaded on demand", load.Rule{}, map[string]string{"a.md": "x\n"}, "", "0 tokens"},
		{"nothing there", claude, nil, "", "0 tokens"},
		{"whole", claude, map[string]string{"MEMORY.md": "a\nb\n", "b.md": "no\n"}, "a\nb\n", "2/200 lines MEMORY.md whole"},
		{"the head counts for nothing", claude, map[string]string{"MEMORY.md": "---\nk: v\n---\n<!-- x -->\na\n"}, "a\n", "1/200 lines MEMORY.md whole"},
		{"lines cut", claude, map[string]string{"MEMORY.md": lines(212)}, lines(200), "212/200 lines, 12 lines cut MEMORY.md cut at 200 by lines"},
		{"bytes cut", claude, map[string]string{"MEMORY.md": strings.Repeat("x", 25_010)}, strings.Repeat("x", 25_000) + "\n",
			"24.4K/24.4K, 10B cut MEMORY.md cut at 1 by bytes"},
		{"files share a limit", vscode, map[string]string{"a.md": lines(150), "b.md": lines(150), "c.md": lines(1), "d/e.md": "no", ".x": "no"},
			"## a.md\n" + lines(150) + "\n## b.md\n" + lines(47),
			"306/200 lines, 106 lines cut a.md whole b.md cut at 47 by lines c.md cut at 0 by lines"},
		{"both ends", codex, map[string]string{"memory_summary.md": strings.Repeat("x", 20_000) + strings.Repeat("y", 20_000)},
			strings.Repeat("x", 10_000) + "…" + strings.Repeat("y", 10_000) + "\n", "10.0k/5.0k tok, about 5.0k tokens cut memory_summary.md cut at 1 by tokens"},
		{"characters", load.Rule{Files: []string{"r.md"}, Chars: 3}, map[string]string{"r.md": "äöü\n"}, "äöü\n", "4/3 char, 1 character cut r.md cut at 1 by characters"},
		{"no limit", load.Rule{Files: []string{"**/*.md"}}, map[string]string{"a.md": "a", "d/b.md": "b", "c.txt": "no"}, "a\nb\n", "2 tokens a.md whole d/b.md whole"},
		{"order of the rule, each once", load.Rule{Files: []string{"b.md", "*.md"}}, map[string]string{"a.md": "a", "b.md": "b"}, "b\na\n", "2 tokens b.md whole a.md whole"},
		{"not text", claude, map[string]string{"MEMORY.md": "a\x00b"}, "", "0 tokens MEMORY.md not text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := c.rule.Read(t.Context(), store(t, c.files))
			if err != nil {
				t.Fatal(err)
			}
			if got := given(s); c.text != "" && got != c.text {
				t.Errorf("text %.60q ..., %d bytes, want %d", got, len(got), len(c.text))
			}
			if got := says(s); got != c.says {
				t.Errorf("%s\nwant %s", got, c.says)
			}
		})
	}
}

// given are the lines that an agent gets, each with a newline.
func given(s *load.Start) string {
	var b strings.Builder
	for _, f := range s.Files {
		b.WriteString(f.Heading)
		for _, line := range f.Lines {
			b.Write(append(line.Text, '\n'))
		}
	}
	return b.String()
}

func says(s *load.Start) string {
	g := s.Gauge()
	out := g.Numbers()
	if state := g.State(); state != "" {
		out += ", " + state
	}
	for i := range s.Files {
		f := &s.Files[i]
		out += " " + f.Name
		switch {
		case f.Problem != "":
			out += " " + f.Problem
		case f.Whole():
			out += " whole"
		default:
			out += fmt.Sprintf(" cut at %d by %s", f.Line, f.By)
		}
	}
	return out
}

// What is loaded of a file is the file up to the cut, the mark of the view falls there, and no limit is passed.
func TestTheTextIsTheFileUpToTheCut(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	words := []string{"a", "line of text\n", "\n", "ä", "漢字", "😀\n", "<!-- note -->", "```\n", "- [x](y.md): z\n", "\xff"}
	for range 2000 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(words[r.IntN(len(words))])
		}
		text := b.String()
		rule := load.Rule{
			Files: []string{"n.md"}, Lines: int64(r.IntN(12)), Bytes: int64(r.IntN(80)), Chars: int64(r.IntN(60)), Tokens: int64(r.IntN(20)),
		}
		m := store(t, map[string]string{"n.md": text})
		s, err := rule.Read(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		f := &s.Files[0]
		if got, want := given(s), text[:f.Cut]; got != want && got != want+"\n" {
			t.Fatalf("%+v of %q: %q, cut at %d", rule, text, got, f.Cut)
		}
		limit := rule.Limit()
		for _, u := range loadlimit.Units {
			if limit.Of(u) > 0 && f.Given.Of(u) > limit.Of(u) {
				t.Fatalf("%+v of %q: %+v", rule, text, f.Given)
			}
		}
		if f.Whole() != (f.Cut == len(text)) || f.Whole() && f.Given != f.Have {
			t.Fatalf("%+v of %q: %+v", rule, text, f)
		}
		rule.Stripped = true
		if s, err = rule.Read(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		loaded := strings.TrimSuffix(given(s), "\n")
		if f = &s.Files[0]; max(0, f.Given.Bytes-1) != int64(len(loaded)) && f.Given.Bytes != int64(len(loaded)) {
			t.Fatalf("%+v of %q: %q, %+v", rule, text, loaded, f.Given)
		}
	}
}

// Files that can't be read have their reason; the others are read.
func TestFilesThatCannotBeRead(t *testing.T) {
	root := t.TempDir()
	for _, err := range []error{
		os.Mkdir(filepath.Join(root, "a.md"), 0o700), os.WriteFile(filepath.Join(root, "b.md"), []byte("b\n"), 0o600),
		os.WriteFile(filepath.Join(root, "c.md"), []byte("c\n"), 0o000), os.Symlink("/etc/hosts", filepath.Join(root, "d.md")),
		os.Symlink("gone.md", filepath.Join(root, "e.md")),
		os.WriteFile(filepath.Join(root, "f.md"), append([]byte(strings.Repeat("line\n", 1_000_000)), 'x'), 0o600),
	} {
		if err != nil {
			t.Skip(err)
		}
	}
	b, err := dir.Open(root, dir.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, err := load.Rule{Files: []string{"a.md", "*.md", "b.md/c.md"}}.Read(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	want := "a.md not a file b.md whole c.md permission denied d.md its link leads out of the store f.md larger than 4.0M"
	if os.Geteuid() == 0 {
		want = strings.Replace(want, "permission denied", "whole", 1)
	}
	if got := says(s); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := claude.Read(ended, b); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := claude.Read(t.Context(), b); !errors.Is(err, backend.ErrUnavailable) {
		t.Error(err)
	}
}
