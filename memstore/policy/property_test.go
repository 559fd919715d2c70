package policy_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// seeds are those of a run: MEMCURATOR_SEED names another first one.
func seeds(t *testing.T, n int) []uint64 {
	first := uint64(1)
	if text := os.Getenv("MEMCURATOR_SEED"); text != "" {
		var err error
		if first, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	list := make([]uint64, n)
	for i := range list {
		list[i] = first + uint64(i)
	}
	return list
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

var someGlobs = []string{"**", "a/**", "**/*.md", "*.txt", "b/{x,y}*", "old/**", ".hid/**", "**/n1*", "a/b/**", "n[0-4].md"}

// someRules are rules of any kind.
func someRules(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "[limits]\nmax_files = %d\nmax_bytes = %d\nmode = %q\n", 1+r.IntN(20), 1+r.IntN(3000), pick(r, "warn", "refuse", "off"))
	}
	for range 1 + r.IntN(5) {
		fmt.Fprintf(&b, "[[rule]]\nmatch = [%q, %q]\n", pick(r, someGlobs...), pick(r, someGlobs...))
		for _, line := range []string{
			fmt.Sprintf("max_idle = %q\n", pick(r, "1d", "30d", "60d", "none")),
			fmt.Sprintf("max_age = %q\n", pick(r, "1d", "90d", "none")),
			fmt.Sprintf("ttl = %q\n", pick(r, "30m", "10d", "none")),
			pick(r, "expire = \"delete\"\n", "expire = \"archive\"\narchive_to = \"old\"\n", "expire = \"archive\"\narchive_to = \"a/gone\"\n",
				"expire = \"warn\"\n"),
			"max_file_bytes = 40\n", "max_file_lines = 2\n", "max_depth = 1\n", "pin = true\n", "pin = false\n", "lock = true\n",
		} {
			key, _, _ := strings.Cut(line, " ")
			if r.IntN(3) == 0 && !strings.Contains(b.String()[strings.LastIndex(b.String(), "[[rule]]"):], "\n"+key+" ") {
				b.WriteString(line)
			}
		}
	}
	return b.String()
}

// someNames are paths of files that can all exist together.
func someNames(r *rand.Rand) []string {
	folders := []string{"", "a/", "a/b/", "b/", "old/", ".hid/", "c/node_modules/"}
	set := map[string]bool{}
	for range 1 + r.IntN(25) {
		set[pick(r, folders...)+pick(r, "n", "x", "y")+strconv.Itoa(r.IntN(12))+pick(r, ".md", ".txt", "")] = true
	}
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// checkPlan holds what is true of every plan.
func checkPlan(t *testing.T, pol *policy.Policy, p *policy.Plan, there func(agentPath string) bool) {
	t.Helper()
	changed, moved := map[string]bool{}, map[string]bool{}
	for _, a := range p.Actions {
		if a.Path == memstore.Root {
			continue
		}
		if !there(a.Path) {
			t.Errorf("%s is not there: %+v", a.Path, a)
		}
		rules := pol.Rules(a.Path)
		if rules.Pin.Value && a.Group != policy.OverCap {
			t.Errorf("%s is pinned: %+v", a.Path, a)
		}
		if a.Rule.Line == 0 {
			t.Errorf("%s: no rule reaches it: %+v", a.Path, a)
		}
		reached := map[string]bool{
			"max_idle": rules.MaxIdle.Value > 0, "max_age": rules.MaxAge.Value > 0, "ttl": rules.TTL.Value > 0,
			"max_file_bytes": rules.MaxFileBytes.Value > 0, "max_file_lines": rules.MaxFileLines.Value > 0, "max_depth": rules.MaxDepth.Value > 0,
		}
		if !reached[a.Key] {
			t.Errorf("%s is not what the rules say about it: %+v", a.Key, a)
		}
		if !a.Do.Changes() {
			continue
		}
		if changed[a.Path] || moved[a.To] || a.To != "" && there(a.To) {
			t.Errorf("%s is changed twice, or moves to what is taken: %+v", a.Path, a)
		}
		changed[a.Path], moved[a.To] = true, a.To != ""
	}
}

// Of random stores and rules: what is pinned or not reached is never proposed, an apply leaves nothing
// proposed, and its undo restores bytes, modes and times.
func TestAppliesOfAnything(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 4
	}
	for _, seed := range seeds(t, rounds) {
		r := rand.New(rand.NewPCG(seed, 6))
		names, toml := someNames(r), someRules(r)
		d := newDesk(t, func(d *desk) {
			for _, name := range names {
				text := strings.Repeat("line\n", r.IntN(4)) + strings.Repeat("z", r.IntN(60))
				d.write(name, text)
				d.must(os.Chmod(path.Join(d.dir, name), pick[os.FileMode](r, 0o600, 0o644, 0o755)))
				d.age(name, time.Duration(r.IntN(100*24))*time.Hour)
			}
		})
		// A second of work by the agent and by another program, so that the journal has records too.
		agent := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Agent})
		d.store.View(agent, memstore.AgentPath(pick(r, names...)), nil)
		d.store.Create(agent, "/memories/made.md", "by the agent\n")
		d.now = d.now.Add(pick(r, 0, time.Hour, 31*day, 100*day))
		pol := parse(t, toml)
		plan := d.plan(pol)
		there := func(at string) bool {
			_, err := d.b.Lstat(strings.TrimPrefix(at, memstore.Root+"/"))
			return err == nil
		}
		checkPlan(t, pol, plan, there)
		before := d.tree(true)
		out, err := d.apply().Run(context.Background(), plan.Actions)
		if err != nil || len(out.Skipped) > 0 {
			t.Fatalf("seed %d: %v, skipped %+v\n%s", seed, err, out.Skipped, toml)
		}
		if again, _ := d.plan(pol).Changing(); len(again) > 0 {
			t.Errorf("seed %d: after the apply the plan changes files again: %+v\n%s", seed, again, toml)
		}
		if len(out.Done) > 0 {
			d.undo()
		}
		if after := d.tree(true); after != before {
			t.Errorf("seed %d: after the undo\n%s\nbefore\n%s\n%s", seed, after, before, toml)
		}
		if t.Failed() {
			break
		}
	}
}
