package secrets

import (
	"slices"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/redact"
)

// chosen are the selected values, also those that the filter hides; without a selection the one under the cursor.
func (v *values) chosen() []*findings.Group {
	if list := v.selection(); len(list) > 0 {
		return list
	}
	if g := v.group(); g != nil && !g.Dismissed {
		return []*findings.Group{g}
	}
	return nil
}

// selection are the selected values.
func (v *values) selection() (list []*findings.Group) {
	if v.survey == nil || len(v.selected) == 0 {
		return nil
	}
	for _, g := range v.survey.Groups {
		if v.selected[g.ID] {
			list = append(list, g)
		}
	}
	return list
}

// shown are the values that are listed and count.
func (v *values) shown() (list []*findings.Group) {
	for _, r := range v.rows {
		if r.group != nil && r.place == 0 && !r.group.Dismissed {
			list = append(list, r.group)
		}
	}
	return list
}

// alike are the listed values of the class of one.
func (v *values) alike(g *findings.Group) []*findings.Group {
	return slices.DeleteFunc(v.shown(), func(one *findings.Group) bool { return v.classOf(one) != v.classOf(g) })
}

// inFile are the values in a file that count, whatever is listed.
func (v *values) inFile(path string) (list []*findings.Group) {
	for _, g := range v.survey.Groups {
		if !g.Dismissed && slices.ContainsFunc(g.Places, func(p findings.Place) bool { return p.Path == path }) {
			list = append(list, g)
		}
	}
	return list
}

// toggle selects the value under the cursor or clears it, and goes to the next one.
func (v *values) toggle() {
	if v.anchor >= 0 {
		v.toggleRange()
		return
	}
	g := v.group()
	if g == nil || g.Dismissed {
		return
	}
	v.set(g, !v.selected[g.ID])
	at, _ := v.list.At()
	if n := slices.IndexFunc(v.rows[at+1:], func(r row) bool { return r.place == 0 && r.group != nil }); n >= 0 {
		v.list.MoveTo(at + 1 + n)
	}
	v.turned()
}

func (v *values) set(g *findings.Group, on bool) {
	if on && !g.Dismissed {
		v.selected[g.ID] = true
		return
	}
	delete(v.selected, g.ID)
}

// toggleRange begins a range at the cursor, or selects the range up to it.
func (v *values) toggleRange() {
	at, ok := v.list.At()
	switch {
	case !ok:
		return
	case v.anchor < 0:
		v.anchor = at
		return
	}
	for _, r := range v.rows[min(at, v.anchor) : max(at, v.anchor)+1] {
		if r.group != nil {
			v.set(r.group, true)
		}
	}
	v.anchor = -1
	v.turned()
}

// ranged reports whether a row is in the range that grows with the cursor.
func (v *values) ranged(i int) bool {
	at, _ := v.list.At()
	return v.anchor >= 0 && i >= min(at, v.anchor) && i <= max(at, v.anchor)
}

// toggleAll selects every listed value; where all are, none.
func (v *values) toggleAll() {
	shown := v.shown()
	on := slices.ContainsFunc(shown, v.undecided)
	for _, g := range shown {
		v.set(g, on)
	}
	v.turned()
}

func (v *values) invert() {
	for _, g := range v.shown() {
		v.set(g, !v.selected[g.ID])
	}
	v.turned()
}

func (v *values) clear() {
	clear(v.selected)
	v.turned()
}

// classOf is what the user takes a value for.
func (v *values) classOf(g *findings.Group) string {
	if c := v.class[g.ID]; c != "" {
		return c
	}
	return g.Class
}

// setClass takes values for a class.
func (v *values) setClass(groups []*findings.Group, class string) {
	for _, g := range groups {
		if delete(v.class, g.ID); class != g.Class {
			v.class[g.ID] = class
		}
	}
	v.arrange()
}

// setAction sets what replaces values; "": what the configuration says for their class.
func (v *values) setAction(groups []*findings.Group, action redact.Action) {
	for _, g := range groups {
		if delete(v.action, g.ID); action != "" {
			v.action[g.ID] = action
		}
	}
	v.turned()
}
