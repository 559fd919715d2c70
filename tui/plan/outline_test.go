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
