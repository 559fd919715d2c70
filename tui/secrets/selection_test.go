package secrets

import (
	"testing"

	"memcurator/memstore/findings"
)

func TestARangeSelectsItsRows(t *testing.T) {
	t.Parallel()
	open, other, dismissed := &findings.Group{ID: "a"}, &findings.Group{ID: "b"}, &findings.Group{ID: "c", Dismissed: true}
	rows := []row{{group: open}, {group: open, place: 1}, {group: other}, {group: dismissed}, {place: 2}}
	s := newSelection()
	if s.extend(rows, 4) || !s.ranged(2, 1) || s.ranged(0, 1) {
		t.Error("the range does not grow with the cursor")
	}
	if !s.extend(rows, 1) || !s.has(open) || !s.has(other) || s.has(dismissed) || s.anchor >= 0 {
		t.Errorf("selected %v, anchor %d", s.ids, s.anchor)
	}
	s.keep(map[string]bool{"b": true})
	if list := s.of([]*findings.Group{open, other}); len(list) != 1 || list[0] != other {
		t.Errorf("%v stay selected", list)
	}
}

// What is selected and out of sight is not acted on.
func TestAFilterNarrowsTheSelection(t *testing.T) {
	t.Parallel()
	v := testValues(&findings.Group{ID: "a", Class: "password"}, &findings.Group{ID: "b", Class: "email"})
	v.toggleAll()
	if n := len(v.chosen()); n != 2 {
		t.Errorf("%d chosen", n)
	}
	v.SetFilter("pass")
	if list := v.chosen(); len(list) != 1 || list[0].ID != "a" {
		t.Errorf("%d chosen with a filter", len(list))
	}
	v.SetFilter("")
	if n := len(v.chosen()); n != 2 {
		t.Errorf("%d chosen after it", n)
	}
	v.SetFilter("is:past")
	v.SetFilter("is:past nothing")
	if n := len(v.chosen()); n != 0 {
		t.Errorf("%d chosen where none is listed", n)
	}
}

func TestAValueThatIsGoneIsForgotten(t *testing.T) {
	t.Parallel()
	gone := &findings.Group{ID: "a", Class: "password"}
	v := testValues(gone, &findings.Group{ID: "b", Class: "email"})
	v.toggleAll()
	v.choices.setClass(single(gone), "pin")
	if v.choices.of(gone) != "pin" {
		t.Error("the class is not changed")
	}
	v.setSurvey(&findings.Survey{Groups: []*findings.Group{{ID: "b", Class: "email", Dismissed: true}}})
	if len(v.selected.ids) != 0 || len(v.choices.class) != 0 {
		t.Errorf("still selected %v, still changed %v", v.selected.ids, v.choices.class)
	}
}
