package policy_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/config"
	"memcurator/memstore/lint"
	"memcurator/memstore/policy"
)

// program is a backend whose program has something in mind for its records.
type program struct {
	memstore.Backend
	list []adapt.Proposal
	seen int // secrets that were counted in "token"
}

func (p *program) Propose(_ context.Context, _ time.Time, secrets func(string) int) ([]adapt.Proposal, error) {
	p.seen = secrets("token")
	return p.list, nil
}

func TestWhatAProgramIsGoingToDoIsSuggested(t *testing.T) {
	t.Parallel()
	text := "---\nimportance: 8\n---\n# Pool\n" + prose(3, "pool")
	d := newDesk(t, func(d *desk) {
		d.write("episodic/pool.md", text)
		d.write("working/soon.md", prose(2, "soon"))
		d.write("working/token.md", prose(2, "token"))
		d.write("orphans/old.jsonl", "{}\n")
		d.write("working/large.md", prose(600, "large"))
		d.write("episodic/unused.md", prose(2, "unused"))
		d.age("episodic/unused.md", 200*24*time.Hour)
	})
	b := &program{Backend: d.b, list: []adapt.Proposal{
		{Name: "working/soon.md", Kind: adapt.Expires, Reason: "expires in 23 min"},
		{Name: "episodic/pool.md", Kind: adapt.Decay, Reason: "decay lowers importance 8 to 6", Text: []byte(text),
			Edits: []adapt.Span{{Start: 16, End: 17, Text: "6"}}},
		{Name: "working/soon.md", Kind: adapt.Permanent, Reason: "eviction makes this a permanent episode"},
		{Name: "working/token.md", Kind: adapt.Permanent, Reason: "has a secret", Urgent: true},
		{Name: "orphans/old.jsonl", Kind: adapt.Orphan, Reason: "its episode is gone", Remove: true},
	}}
	ctx := context.Background()
	c, err := config.Parse("config.toml", nil, d.dir)
	d.must(err)
	snap, err := memstore.New(d.b, memstore.Options{ReadOnly: true}).Scan(ctx, nil)
	d.must(err)
	facts, err := policy.FactsOf(ctx, d.j)
	d.must(err)
	for _, suggest := range []bool{false, true} {
		p, r := policy.New(c.General()), policy.NewReader(b)
		in := policy.Input{Snapshot: snap, Facts: facts, Now: d.now, Suggest: suggest, Lint: true, Journal: d.j,
			Secrets: func(text string) int { return len(text) }}
		d.must(r.Fill(ctx, p, &in))
		d.must(r.Inspect(ctx, lint.Checker{}, &in, nil))
		plan := p.Plan(in)
		d.must(r.Hash(ctx, plan, nil))
		var got []string
		var todo []policy.Action
		for _, a := range plan.Actions {
			if a.Kind != "" {
				got = append(got, string(a.Do)+" "+string(a.Kind)+" "+strings.TrimPrefix(a.Path, memstore.Root+"/"))
				todo = append(todo, a)
			}
		}
		want := `review permanent working/token.md
review permanent working/soon.md
review expires working/soon.md
delete orphan orphans/old.jsonl
mend decay episodic/pool.md
review too-large working/large.md
review unused episodic/unused.md`
		if !suggest {
			want = ""
		}
		if s := strings.Join(got, "\n"); s != want {
			t.Errorf("suggestions %v: got\n%s\nwant\n%s", suggest, s, want)
		}
		if !suggest {
			continue
		}
		out, err := d.apply().Run(ctx, todo)
		d.must(err)
		if len(out.Done) != 2 || len(out.Skipped) > 0 {
			t.Fatalf("done %v, skipped %v", out.Done, out.Skipped)
		}
		if data, _ := d.read("episodic/pool.md", 100); !strings.HasPrefix(string(data), "---\nimportance: 6\n---\n") {
			t.Errorf("applied: %q", data)
		}
	}
	if b.seen != len("token") {
		t.Error("the secrets were not counted")
	}
	d.undo()
	if data, _ := d.read("episodic/pool.md", 100); !strings.HasPrefix(string(data), "---\nimportance: 8\n---\n") {
		t.Errorf("after the undo: %q", data)
	}
}
