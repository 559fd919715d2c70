package findings

import (
	"slices"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/tui/ui"
)

// takes reports whether a value is to be taken out.
func (b *Box) takes(g *findings.Group) bool { return !g.Dismissed && b.decided[g.ID] == accepted }

// Accepted are the groups that were accepted, also those that the filter leaves out.
func (b *Box) Accepted() (groups []*findings.Group) {
	for _, g := range b.all {
		if b.takes(g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// valuesIn are the values of a file that are not judged harmless.
func (b *Box) valuesIn(path string) (groups []*findings.Group) {
	for _, g := range b.all {
		if !g.Dismissed && slices.ContainsFunc(g.Places, func(p findings.Place) bool { return p.Path == path }) {
			groups = append(groups, g)
		}
	}
	return groups
}

// count is how many values are accepted.
func (b *Box) count() int {
	if b.taken < 0 {
		b.taken = 0
		for _, g := range b.all {
			if b.takes(g) {
				b.taken++
			}
		}
	}
	return b.taken
}

// AcceptsAll reports whether every value is accepted that is not judged harmless.
func (b *Box) AcceptsAll() bool { return b.count() == b.open }

// AcceptIn accepts the values that are in one of the paths, or below one that is a folder, and no others.
func (b *Box) AcceptIn(paths []string) {
	b.taken = -1
	for _, g := range b.all {
		in := slices.ContainsFunc(g.Places, func(p findings.Place) bool {
			return !p.Past && slices.ContainsFunc(paths, func(path string) bool {
				return p.Path == path || strings.HasPrefix(p.Path, path+"/")
			})
		})
		delete(b.decided, g.ID)
		if in && !g.Dismissed {
			b.decided[g.ID] = accepted
		}
	}
}

// say notes a decision, or withdraws it, and goes on to the next value.
func (b *Box) say(g *findings.Group, d decision) {
	b.taken = -1
	if b.decided[g.ID] == d {
		d = undecided
	}
	if !g.Dismissed {
		b.decided[g.ID] = d
	}
	if at, _ := b.list.At(); at+1 < len(b.groups) {
		b.list.MoveTo(at + 1)
		b.turn()
	}
}

// acceptShown accepts every value that the filter leaves and no one has rejected; where all are, none.
func (b *Box) acceptShown() {
	to := undecided
	b.taken = -1
	for _, g := range b.groups {
		if !g.Dismissed && b.decided[g.ID] == undecided {
			to = accepted
		}
	}
	for _, g := range b.groups {
		if !g.Dismissed && b.decided[g.ID] != rejected {
			b.decided[g.ID] = to
		}
	}
}

const textNoTick = "accept a value first: {findings/tick-finding}, or {findings/tick-all-findings} for all"

// takeOut asks for what was decided.
func (b *Box) takeOut(intent func(accepted []*findings.Group) any) {
	groups := b.Accepted()
	switch {
	case b.survey == nil || len(b.all) == 0:
	case len(groups) == 0:
		b.env.Emit(ui.Say{Level: ui.Info, Text: b.env.Keyed(textNoTick)})
	default:
		b.env.Emit(intent(groups))
	}
}
