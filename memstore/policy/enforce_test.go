package policy_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// guarded is a store in memory under a configuration.
func guarded(t testing.TB, toml string) *memstore.Store {
	b := memstore.NewMemory()
	e := policy.NewEnforcer(b, parse(t, toml).Settings())
	return memstore.New(b, memstore.Options{Guards: []memstore.Guard{e.Guard()}, MaxViewChars: e.ViewChars(), Overwrite: true})
}

func text(n int) string { return strings.Repeat("x", n) }

func TestCapsInTheHandlers(t *testing.T) {
	ctx := context.Background()
	const small = "[[rule]]\nmatch = \"small/**\"\nmax_file_bytes = 10\nmax_file_lines = 3\n"
	type step struct {
		name string
		do   func(s *memstore.Store) memstore.Result
		want string // a part of the refusal or of the note; "" for plain success
		bad  bool
	}
	create := func(path, text string) func(*memstore.Store) memstore.Result {
		return func(s *memstore.Store) memstore.Result { return s.Create(ctx, path, text) }
	}
	for _, c := range []struct {
		name, toml string
		steps      []step
	}{
		{"bytes", small, []step{
			{"fits", create("/memories/small/a", text(10)), "", false},
			{"too big", create("/memories/small/b", text(12)), "Error: /memories/small/b would have 12 bytes, limit 10 bytes per file. " +
				"Shorten the text, or split it into several files", true},
			{"elsewhere", create("/memories/c", text(12)), "", false},
			{"moved in", func(s *memstore.Store) memstore.Result { return s.Rename(ctx, "/memories/c", "/memories/small/c") },
				"would have 12 bytes", true},
			{"grows", func(s *memstore.Store) memstore.Result { return s.Insert(ctx, "/memories/small/a", 0, "y") },
				"/memories/small/a would have 12 bytes", true},
			{"shrinks", func(s *memstore.Store) memstore.Result {
				return s.StrReplace(ctx, "/memories/small/a", text(10), "x")
			}, "", false},
			{"goes", func(s *memstore.Store) memstore.Result { return s.Delete(ctx, "/memories/small/a") }, "", false},
		}},
		{"lines", small, []step{
			{"too long", create("/memories/small/a", "1\n2\n3\n4"), "would have 4 lines, limit 3 per file", true},
			{"fits", create("/memories/small/a", "1\n2\n3\n"), "", false},
		}},
		{"warn", small + "mode = \"warn\"\n", []step{
			{"too big", create("/memories/small/b", text(12)), "\nNote: /memories/small/b has 12 bytes, limit 10 bytes per file. " +
				"Shorten", false},
		}},
		{"off", small + "mode = \"off\"\n", []step{{"too big", create("/memories/small/b", text(12)), "", false}}},
		{"depth", "[[rule]]\nmatch = \"**\"\nmax_depth = 2\n", []step{
			{"deep", create("/memories/a/b/c/d", "x"),
				"/memories/a/b/c/d would have a path 3 folders deep, limit 2. Choose a folder higher up", true},
			{"fits", create("/memories/a/b/c", "x"), "", false},
			{"a folder moves deeper", func(s *memstore.Store) memstore.Result { return s.Rename(ctx, "/memories/a", "/memories/z/a") },
				"/memories/z/a/b/c would have a path 3 folders deep", true},
			{"renamed", func(s *memstore.Store) memstore.Result { return s.Rename(ctx, "/memories/a", "/memories/zz") }, "", false},
		}},
		{"files", "[limits]\nmax_files = 2\n", []step{
			{"one", create("/memories/a", "x"), "", false},
			{"two", create("/memories/b", "x"), "", false},
			{"three", create("/memories/c", "x"), "Error: The memory would have 3 files, limit 2. Delete a file that is " +
				"not needed any more, or add to one that exists", true},
			{"edited", create("/memories/b", "xyz"), "", false},
			{"renamed", func(s *memstore.Store) memstore.Result { return s.Rename(ctx, "/memories/b", "/memories/d") }, "", false},
			{"gone", func(s *memstore.Store) memstore.Result { return s.Delete(ctx, "/memories/d") }, "", false},
			{"three again", create("/memories/c", "x"), "", false},
		}},
		{"bytes of the store", "[limits]\nmax_bytes = 20\nmode = \"refuse\"\n", []step{
			{"first", create("/memories/a", text(15)), "", false},
			{"second", create("/memories/b", text(6)),
				"Error: The memory would have 21 bytes in all, limit 20 bytes. Delete or shorten first", true},
			{"shrinks", create("/memories/a", text(14)), "", false},
			{"now it fits", create("/memories/b", text(6)), "", false},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := guarded(t, c.toml)
			plain := memstore.New(memstore.NewMemory(), memstore.Options{Overwrite: true})
			for _, step := range c.steps {
				r := step.do(s)
				if r.IsError != step.bad || !strings.Contains(r.Content, step.want) {
					t.Fatalf("%s: %+v, want %q", step.name, r, step.want)
				}
				if r.IsError {
					if !errors.Is(r.Err, memstore.ErrRefused) {
						t.Errorf("%s: the error is %v", step.name, r.Err)
					}
					continue
				}
				if want := step.do(plain); step.want == "" && r.Content != want.Content {
					t.Errorf("%s: %q, without guards %q", step.name, r.Content, want.Content)
				}
			}
		})
	}
}

func TestLocks(t *testing.T) {
	ctx := context.Background()
	s := guarded(t, "[[rule]]\nmatch = [\"rules.md\", \"law/**\"]\nlock = true\n")
	curator := memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
	for _, path := range []string{"/memories/rules.md", "/memories/law/a/b.md", "/memories/free.md", "/memories/folder/x.md"} {
		if r := s.Create(curator, path, "text\n"); r.IsError {
			t.Fatal(r.Content)
		}
	}
	const locked = " is locked by the user and cannot be changed, moved or deleted. Leave it as it is and write to another path"
	for name, c := range map[string]struct {
		r    memstore.Result
		path string
	}{
		"edit":         {s.StrReplace(ctx, "/memories/rules.md", "text", "x"), "/memories/rules.md"},
		"insert":       {s.Insert(ctx, "/memories/law/a/b.md", 0, "x"), "/memories/law/a/b.md"},
		"overwrite":    {s.Create(ctx, "/memories/rules.md", "x"), "/memories/rules.md"},
		"delete":       {s.Delete(ctx, "/memories/rules.md"), "/memories/rules.md"},
		"delete above": {s.Delete(ctx, "/memories/law"), "/memories/law/a/b.md"},
		"move away":    {s.Rename(ctx, "/memories/rules.md", "/memories/x.md"), "/memories/rules.md"},
		"move above":   {s.Rename(ctx, "/memories/law", "/memories/other"), "/memories/law"},
		"move below":   {s.Rename(ctx, "/memories/law/a", "/memories/other"), "/memories/law/a"},
		"move into":    {s.Rename(ctx, "/memories/free.md", "/memories/law/c.md"), "/memories/law/c.md"},
		"new one":      {s.Create(ctx, "/memories/law/new.md", "x"), "/memories/law/new.md"},
		"folder into":  {s.Rename(ctx, "/memories/folder", "/memories/law/f"), "/memories/law/f"},
		"another case": {s.Create(ctx, "/memories/LAW/A/B.md", "x"), "/memories/LAW/A/B.md"},
		"another actor": {s.Delete(memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Replay}), "/memories/rules.md"),
			"/memories/rules.md"},
	} {
		if want := "Error: " + c.path + locked; !c.r.IsError || c.r.Content != want {
			t.Errorf("%s: %+v, want %q", name, c.r, want)
		}
	}
	open := guarded(t, "[[rule]]\nmatch = \"**\"\nlock = true\n[[rule]]\nmatch = \"Notes/**\"\nlock = false\n")
	if r := open.Create(ctx, "/memories/notes/a.md", "x"); r.IsError {
		t.Errorf("a later rule unlocks it: %s", r.Content)
	}
	if r := s.View(ctx, "/memories/rules.md", nil); r.IsError {
		t.Errorf("it cannot be read: %s", r.Content)
	}
	if r := s.Delete(curator, "/memories/law"); r.IsError {
		t.Errorf("the curator cannot: %s", r.Content)
	}
	// A folder above a lock that its own name does not match.
	s = guarded(t, "[[rule]]\nmatch = \"**/rules.md\"\nlock = true\n")
	for _, path := range []string{"/memories/a/b/rules.md", "/memories/a/b/z.md", "/memories/a/z.md"} {
		if r := s.Create(curator, path, "x"); r.IsError {
			t.Fatal(r.Content)
		}
	}
	for _, r := range []memstore.Result{s.Rename(ctx, "/memories/a", "/memories/z"), s.Delete(ctx, "/memories/a")} {
		if r.Content != "Error: /memories/a/b/rules.md"+locked {
			t.Errorf("%+v", r)
		}
	}
}
