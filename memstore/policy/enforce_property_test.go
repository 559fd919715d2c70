package policy_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// Whatever an agent tries: what began within the limits stays within them, a command that removes is never
// refused, and what is not refused answers as without guards.
func TestCapsHoldWhateverTheAgentTries(t *testing.T) {
	ctx := context.Background()
	const caps = `
[limits]
max_files = 6
max_bytes = 300
[[rule]]
match = "**"
max_file_bytes = 90
max_depth = 2
[[rule]]
match = "a/**"
max_file_bytes = 40
max_file_lines = 3
[[rule]]
match = "a/free/**"
max_file_bytes = "none"
max_file_lines = "none"
`
	pol := parse(t, caps)
	for _, seed := range seeds(t, 30) {
		r := rand.New(rand.NewPCG(seed, 9))
		guarded, plain := memstore.NewMemory(), memstore.NewMemory()
		e := policy.NewEnforcer(guarded, pol.Settings())
		g := memstore.New(guarded, memstore.Options{Guards: []memstore.Guard{e.Guard()}})
		p := memstore.New(plain, memstore.Options{})
		paths := []string{"/memories/x", "/memories/a", "/memories/a/x", "/memories/a/free/x", "/memories/b/a/x", "/memories/b",
			"/memories/b/y", "/memories/a/long-name", "/memories/a/b/c/d"}
		var done []string
		for range 40 {
			c := memstore.Command{Name: pick(r, memstore.CmdCreate, memstore.CmdCreate, memstore.CmdInsert, memstore.CmdStrReplace,
				memstore.CmdDelete, memstore.CmdRename), Path: pick(r, paths...)}
			some := strings.Repeat(pick(r, "word ", "x\n"), r.IntN(20))
			c.FileText, c.InsertText, c.OldStr, c.NewStr = "first"+some, some, pick(r, "first", "word word ", "x\nx\n"), pick(r, "", some)
			c.OldPath, c.NewPath = c.Path, pick(r, paths...)
			done = append(done, c.Name+" "+c.Path+" "+c.NewPath)
			result := g.Do(ctx, c)
			if result.IsError && strings.Contains(result.Content, ", limit ") {
				if c.Name == memstore.CmdDelete || c.Name == memstore.CmdStrReplace && c.NewStr == "" {
					t.Fatalf("seed %d: %v was refused: %s", seed, c, result.Content)
				}
				continue
			}
			if want := p.Do(ctx, c); result.Content != want.Content {
				t.Fatalf("seed %d: %v: %q, without guards %q", seed, c, result.Content, want.Content)
			}
			snap, err := g.Scan(ctx, memstore.ScanOptions{})
			if err != nil {
				t.Fatal(err)
			}
			in := policy.Input{Snapshot: snap, Now: now}
			if err := policy.NewReader(guarded).Fill(ctx, pol, &in); err != nil {
				t.Fatal(err)
			}
			if plan := pol.Plan(in); len(plan.Actions) > 0 {
				t.Fatalf("seed %d: after\n%s\nit is over a cap:\n%s", seed, strings.Join(done, "\n"), lines(plan))
			}
		}
	}
}
