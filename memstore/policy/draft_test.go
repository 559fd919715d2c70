package policy_test

import (
	"context"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
)

func TestEffectOfARuleThatIsNotWritten(t *testing.T) {
	d := newDesk(t, func(d *desk) {
		for name, days := range map[string]int{"notes/a.md": 70, "notes/b.md": 61, "notes/c.md": 58, "notes/d.md": 3, "notes/pinned.md": 90,
			"other.md": 99} {
			d.write(name, name)
			d.age(name, time.Duration(days)*day)
		}
	})
	ctx := context.Background()
	snap, err := memstore.New(d.b, memstore.Options{ReadOnly: true}).Scan(ctx, memstore.ScanOptions{})
	d.must(err)
	c, err := config.Parse("config.toml", []byte("[[rule]]\nmatch = \"**/pinned.md\"\npin = true\n[[rule]]\nmatch = \"notes/**\"\nttl = \"1d\"\nexpire = \"delete\"\n"), d.dir)
	d.must(err)
	draft, err := config.Parse("config.toml", []byte("\n\n\n\n\n\n\n[[rule]]\nmatch = \"notes/**\"\nttl = \"60d\"\nexpire = \"warn\"\n"), d.dir)
	d.must(err)
	rule := draft.General().Rules[0]
	e, err := policy.NewReader(d.b).Effect(ctx, c.General(), rule, policy.Input{Snapshot: snap, Now: d.now})
	d.must(err)
	if e.Matches != 5 || e.Files != 6 || len(e.Due) != 2 || e.Due[0].Path != "/memories/notes/a.md" ||
		e.Due[0].Do != policy.Warn {
		t.Errorf("%+v", e)
	}
	if len(e.Dropped) != 4 || e.Dropped[0].Do != policy.Delete {
		t.Errorf("dropped %+v", e.Dropped)
	}
	if len(c.General().Rules) != 2 || c.General().Rules[1].Keys.TTL.Value != day {
		t.Error("the rules were changed")
	}
}
