package curate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/lint"
	"memcurator/memstore/policy"
	"memcurator/tui/ui"
)

// orderOf is the order of a plan for a store with these files.
func orderOf(t *testing.T, contents map[string]string) planOrder {
	t.Helper()
	ctx, b := context.Background(), memstore.NewMemory()
	s := memstore.New(b, memstore.Options{})
	for name, data := range contents {
		c := memstore.Command{Name: memstore.CmdCreate, Path: memstore.AgentPath(name), FileText: data}
		if r := s.Do(ctx, c); r.IsError {
			t.Fatal(r.Content)
		}
	}
	snapshot, err := s.Scan(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	return planOrder{backend: b, snapshot: snapshot, inspect: true, now: time.Now}
}

// A panic in a plan is its outcome, and the next plan can be made.
func TestAPanicWhilePlanningIsAnOutcome(t *testing.T) {
	t.Parallel()
	o, k := orderOf(t, map[string]string{"a.md": "Start at `src/main.ts`.\n"}), &planMaker{}
	o.project = func(context.Context, []lint.Claim) (lint.Checked, error) { panic("a mistake") }
	made, err := k.run(context.Background(), o, &ui.Progress{})
	var crash *ui.PanicError
	if err != nil || !errors.As(made.err, &crash) || made.plan != nil {
		t.Fatalf("%v, %v", err, made.err)
	}
	o.project = nil
	if made, err := k.run(context.Background(), o, &ui.Progress{}); err != nil || made.err != nil || made.plan == nil {
		t.Fatalf("the next plan: %v, %v", err, made.err)
	}
}

// Whatever indexes list, each suggestion can be described, and its text be worked out.
func TestSuggestionsOfAnyIndexCanBeShown(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(16, 3))
	acts := map[policy.Do]int{}
	for range 20 {
		contents := map[string]string{}
		notes := 3 + r.IntN(20)
		for i := range notes {
			contents[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("---\nname: note-%d\ndescription: about %d\n---\nNote %d.\n", i, i, i)
		}
		for _, name := range []string{"MEMORY.md", "MEMORY-more.md", "sub/README.md"} {
			var b strings.Builder
			for i := range r.IntN(280) {
				switch to := r.IntN(notes + 6); r.IntN(12) {
				case 0:
					fmt.Fprintf(&b, "\n# Part %d\r\n", i)
				case 1:
					fmt.Fprintf(&b, "- [[note-%d]]\n", to)
				case 2:
					fmt.Fprintf(&b, "- [Long](n%d.md): %s\n", to, strings.Repeat("word ", 60))
				case 3:
					fmt.Fprintf(&b, "| [N](<n%d.md>) | row |\n", to)
				case 4:
					fmt.Fprintf(&b, "Text about [one](n%d.md)\n  - n%d.md\n", to, to+1)
				default:
					fmt.Fprintf(&b, "- [N](n%d.md): about it\n", to)
				}
			}
			contents[name] = b.String()
		}
		o := orderOf(t, contents)
		made, err := (&planMaker{}).run(context.Background(), o, &ui.Progress{})
		if err != nil || made.err != nil {
			t.Fatal(err, made.err)
		}
		for _, a := range made.plan.Actions {
			acts[a.Do]++
			if a.Found != nil {
				targets(a.Found)
			}
			if a.Do.Rewrites() {
				if _, err := a.Texts(context.Background(), o.backend); err != nil {
					t.Errorf("%s %s: %v", a.Do, a.Path, err)
				}
			}
		}
	}
	if acts[policy.Mend] == 0 {
		t.Errorf("nothing was tried: %v", acts)
	}
}
