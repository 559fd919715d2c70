package diffpane

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// selection is which hunks of the comparison on the screen are selected.
type selection struct {
	of    *compared
	hunks []diff.Hunk // of the comparison: blocks of changed lines, however many of them a header introduces
	on    map[int]bool
}

// selected is the selection, restarted for another comparison or another grouping of it.
func (p *Pane) selected() *selection {
	if s := &p.selection; s.of != p.result {
		*s = selection{of: p.result, on: map[int]bool{}}
		if p.result != nil && p.result.result != nil && p.result.of.sections == nil {
			s.hunks = diff.Blocks(p.result.result)
		}
	}
	return &p.selection
}

// selectHunk selects the hunk under the cursor, or no longer.
func (p *Pane) selectHunk() {
	s, at := p.selected(), -1
	if find := p.blockFinder(); find != nil {
		at = find(s.hunks)
	}
	switch {
	case at < 0:
		p.env.Emit(kit.Say{Text: p.env.Keyed(TextNoBlock)})
	case s.on[at]:
		delete(s.on, at)
	default:
		s.on[at] = true
		p.page.nextHunk(true)
	}
}

// selectAll selects all hunks, or none if all are.
func (p *Pane) selectAll() {
	s := p.selected()
	if len(s.on) == len(s.hunks) {
		clear(s.on)
		return
	}
	for i := range s.hunks {
		s.on[i] = true
	}
}

// hunksText describes which hunks are selected, or else which the cursor is on; "" without any.
func (p *Pane) hunksText() (said string, selected bool) {
	s := p.selected()
	if len(s.on) > 0 {
		return kit.Count(len(s.on), "hunk") + " selected", true
	}
	at := -1
	if find := p.blockFinder(); find != nil {
		at = find(s.hunks)
	}
	switch {
	case len(s.hunks) == 0:
		return "", false
	case at < 0:
		return kit.Count(len(s.hunks), "hunk"), false
	}
	return fmt.Sprintf("hunk %d/%d", at+1, len(s.hunks)), false
}

// HunkHints is what can be done with the hunks in focus, in front of what else can be done; lead is said where there are none.
func (p *Pane) HunkHints(lead string, acts ...kit.Hint) kit.Hints {
	said, selected := p.hunksText()
	acts = p.RunnableHints(acts...)
	revert, clear := kit.Act("revert", keymap.RevertHunk), kit.Act("clear", keymap.Back)
	l, ok := p.page.current()
	switch {
	case selected:
		return kit.Hints{Lead: said, Acts: []kit.Hint{revert, clear}}
	case said != "":
		lead = said
	}
	if ok && l.changed() && p.revertedBy(l.numbers()) != 0 {
		return kit.Hints{Lead: lead, Acts: acts}
	}
	return kit.Hints{Lead: lead, Acts: append([]kit.Hint{revert}, acts...)}
}

// RunnableHints omits acts that can't run: going to the next hunk where there is one, and two sides where they don't fit.
func (p *Pane) RunnableHints(acts ...kit.Hint) []kit.Hint {
	return slices.DeleteFunc(acts, func(h kit.Hint) bool {
		return slices.Contains(h.IDs, keymap.HunkNext) && !p.page.severalBlocks() ||
			slices.Contains(h.IDs, keymap.SideBySide) && !p.split && p.page.columns.w < sidesFrom
	})
}

// Peel implements [kit.Peeler]: it clears the selection.
func (p *Pane) Peel() (tea.Cmd, bool) {
	s := p.selected()
	had := len(s.on) > 0
	clear(s.on)
	return nil, had
}

// holds reports whether the hunk with the lines a and b, 0 for none, is selected.
func (s *selection) holds(a, b int) bool {
	return len(s.on) > 0 && s.on[slices.IndexFunc(s.hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })]
}

// finders find the selected hunks among others that the comparison may be grouped into.
func (s *selection) finders() (list []func([]diff.Hunk) int) {
	for i, h := range s.hunks {
		if !s.on[i] {
			continue
		}
		op := h.Ops[slices.IndexFunc(h.Ops, func(op diff.Op) bool { return op.Kind != diff.Equal })]
		a, b := 0, 0
		if op.AEnd > op.AStart {
			a = op.AStart + 1
		} else {
			b = op.BStart + 1
		}
		list = append(list, func(hunks []diff.Hunk) int {
			return slices.IndexFunc(hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })
		})
	}
	return list
}

// TextNoBlock says that the cursor is on no changed line; it goes through [kit.Env.Keyed].
const TextNoBlock = "No changed line here. {diff/hunk-next} goes to the next hunk"

// Hunks are those of a comparison that are meant: their numbers, ascending, as diff.Blocks splits it.
type Hunks struct {
	Numbers []int
	All     bool // there are no others
}

// blockFinder returns a function that finds the block of changed lines under the cursor among those of the comparison, -1 for none;
// nil: the cursor is on no changed line.
func (p *Pane) blockFinder() func([]diff.Hunk) int {
	l, ok := p.page.current()
	if p.result == nil || !ok || !l.changed() {
		return nil
	}
	a, b := l.numbers()
	return func(hunks []diff.Hunk) int {
		return slices.IndexFunc(hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })
	}
}

// HunkFinder returns a function that finds the selected hunks, or else the one under the cursor; nil: none. White space
// counts. The function takes its time for a large diff and belongs into a job. The selection ends.
func (p *Pane) HunkFinder() func() Hunks {
	s, of := p.selected(), p.result
	finders := s.finders()
	if find := p.blockFinder(); len(finders) == 0 && find != nil {
		finders = append(finders, find)
	}
	if len(finders) == 0 || of.of.sections != nil {
		return nil
	}
	clear(s.on)
	return func() Hunks {
		var found Hunks
		hunks := diff.Blocks(of.exact())
		for _, find := range finders {
			if at := find(hunks); at >= 0 {
				found.Numbers = append(found.Numbers, at)
			}
		}
		slices.Sort(found.Numbers)
		found.Numbers = slices.Compact(found.Numbers)
		found.All = len(found.Numbers) == len(hunks)
		return found
	}
}
