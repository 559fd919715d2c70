package plan

import (
	"fmt"
	"testing"

	"memcurator/memstore/policy"
)

// sample has two proposals of rules, twelve suggestions of two kinds, and one that is not due yet.
func sample() *policy.Plan {
	p := &policy.Plan{}
	add := func(do policy.Do, g policy.Group, k policy.Kind, name string) {
		p.Actions = append(p.Actions, policy.Action{Do: do, Group: g, Kind: k, Path: "/memories/" + name, Bytes: 1})
	}
	add(policy.Delete, policy.Expired, "", "a.md")
	add(policy.Archive, policy.Expired, "", "b.md")
	for i := range 12 {
		kind := []policy.Kind{policy.Unused, policy.Duplicate}[i/7]
		add(policy.Delete, policy.Suggested, kind, fmt.Sprintf("s%02d.md", i))
	}
	add(policy.Warn, policy.Expiring, "", "soon.md")
	return p
}

func sampleOutline() *outline {
	o := &outline{plan: sample(), selection: newSelection(), secrets: secretList{[]Value{{ID: "1", Text: "API key"}}, 4}}
	o.arrange()
	return o
}

func TestARowSelectsWhatItSumsUp(t *testing.T) {
	t.Parallel()
	o := sampleOutline()
	for _, c := range []struct {
		name string
		got  int
		want int
	}{
		{"all rows", len(o.between(0, len(o.rows))), 14},
		{"a heading that is unfolded, in a range", len(o.between(0, 0)), 0},
		{"a heading", len(o.under(o.rows[0])), 2},
		{"the heading of the suggestions", len(o.under(o.rows[o.heading(suggested)])), 12},
		{"what is due soon", len(o.under(o.rows[o.heading(soon)])), 0},
		{"the secrets", len(o.under(o.rows[o.heading(secrets)])), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	o.selection.lock([]policy.Action{o.plan.Actions[0]})
	if n := len(o.under(o.rows[0])); n != 1 {
		t.Errorf("with one locked, the heading sums up %d", n)
	}
}

func TestTheSelectionOutlivesAPlan(t *testing.T) {
	t.Parallel()
	o := sampleOutline()
	s := o.selection
	s.toggle(o.under(o.rows[0]))
	if got := o.totals()[byRules]; got.selected != 2 || got.selectedBytes != 2 {
		t.Errorf("selected: %+v", got)
	}
	newer := sample()
	newer.Actions[0].Hash[0] = 1 // other bytes
	s.keep(newer)
	if list := s.of(newer); len(list) != 1 || list[0].Path != "/memories/b.md" {
		t.Errorf("selected in the newer plan: %v", list)
	}
	o.plan = newer
	o.arrange()
	s.invert(o.under(o.rows[0]))
	if list := s.of(newer); len(list) != 1 || list[0].Path != "/memories/a.md" {
		t.Errorf("inverted: %v", list)
	}
	s.toggle(o.under(o.rows[0]))
	s.toggle(o.under(o.rows[0]))
	if got := o.totals()[byRules]; got.selected != 0 {
		t.Errorf("toggled twice: %+v", got)
	}
}

func TestSectionsFoldAndUnfold(t *testing.T) {
	t.Parallel()
	o := sampleOutline()
	// Headings of four sections, 2 proposals, 3 of each kind, the row of the other 6, a secret, and what is due soon.
	if len(o.rows) != 4+2+6+1+1+1 || len(o.rest) != 6 {
		t.Errorf("%d rows, %d behind one: %v", len(o.rows), len(o.rest), o.rows)
	}
	if got, want := o.restText(), "6 more: unused for 90 days (4), duplicate (2)"; got != want {
		t.Errorf("the rest is %q, want %q", got, want)
	}
	o.unfoldAll()
	o.arrange()
	if len(o.rest) != 0 || len(o.rows) != 4+2+12+1+1 {
		t.Errorf("unfolded, %d rows, %d behind one", len(o.rows), len(o.rest))
	}
	o.foldAll()
	o.arrange()
	if len(o.rows) != 4 {
		t.Errorf("folded, the rows are %v", o.rows)
	}
	o.filter = parseFilter("s0")
	o.arrange()
	if at := o.heading(suggested); at != 0 || len(o.rows) != 1+10 {
		t.Errorf("a filter shows what is folded: %v", o.rows)
	}
}
