package kit

import (
	"slices"
)

// Arrangement is how a table is arranged, for the next run of the program.
type Arrangement struct {
	Order  string
	Filter string
	Turned []string // the keys of rows that the user folded or unfolded
	All    bool     // hidden rows are shown, too
}

// Arrangement returns how the table is arranged.
func (t *Table[T]) Arrangement() Arrangement {
	a := Arrangement{Filter: t.filter.Line, All: t.all}
	if t.Orders != nil {
		a.Order = t.Orders[t.order].Name
	}
	for key, turned := range t.turned {
		if turned {
			a.Turned = append(a.Turned, key)
		}
	}
	slices.Sort(a.Turned)
	return a
}

// Restore arranges the table as it was. An order that is no longer known is that of a new table.
func (t *Table[T]) Restore(a Arrangement) {
	t.order = max(0, slices.IndexFunc(t.Orders, func(o Order[T]) bool { return o.Name == a.Order }))
	for _, key := range a.Turned {
		t.turned[key] = true
	}
	t.filter, t.all = ParseFilter(a.Filter, t.Terms), a.All
	t.Arrange()
}
