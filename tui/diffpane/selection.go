package diffpane

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// block is the number of the block of changed lines that a row is of; -1: of none.
func (p *Pane) block(l diff.Line) int {
	if p.result == nil || !l.Changed() {
		return -1
	}
	return covering(p.result.blocks, l)
}

// covering is the number of the hunk that shows a row; -1: none does.
func covering(hunks []diff.Hunk, l diff.Line) int {
	a, b := l.Numbers()
	return slices.IndexFunc(hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })
}

func (p *Pane) isSelected(l diff.Line) bool { return len(p.selected) > 0 && p.selected[p.block(l)] }

// selectHunk selects the hunk under the cursor, or no longer.
func (p *Pane) selectHunk() {
	l, _ := p.current()
	switch at := p.block(l); {
	case at < 0:
		p.env.Emit(kit.Say{Text: p.env.Keyed(TextNoBlock)})
	case p.selected[at]:
		delete(p.selected, at)
	default:
		p.selected[at] = true
		p.nextHunk(true)
	}
}

// selectAll selects all hunks, or none if all are.
func (p *Pane) selectAll() {
	if p.result == nil || len(p.selected) == len(p.result.blocks) {
		clear(p.selected)
		return
	}
	for i := range p.result.blocks {
		p.selected[i] = true
	}
}

// HunkHints is what can be done with the hunks in focus, in front of what else can be done; lead is said where there are none.
func (p *Pane) HunkHints(lead string, acts ...kit.Hint) kit.Hints {
	revert := kit.Act("revert", keymap.RevertHunk)
	if n := len(p.selected); n > 0 {
		return kit.Hints{Lead: kit.Count(n, "hunk") + " selected", Acts: []kit.Hint{revert, kit.Act("clear", keymap.Back)}}
	}
	acts = p.RunnableHints(acts...)
	l, _ := p.current()
	if p.result != nil && len(p.result.blocks) > 0 {
		n := len(p.result.blocks)
		if lead = kit.Count(n, "hunk"); p.block(l) >= 0 {
			lead = fmt.Sprintf("hunk %d/%d", p.block(l)+1, n)
		}
	}
	if p.revertedBy(l) == 0 {
		acts = append([]kit.Hint{revert}, acts...)
	}
	return kit.Hints{Lead: lead, Acts: acts}
}

// RunnableHints omits acts that can't run: going to the next hunk where there is one, and two sides where they don't fit.
func (p *Pane) RunnableHints(acts ...kit.Hint) []kit.Hint {
	return slices.DeleteFunc(acts, func(h kit.Hint) bool {
		return slices.Contains(h.IDs, keymap.HunkNext) && !p.severalBlocks() ||
			slices.Contains(h.IDs, keymap.SideBySide) && !p.split && p.Width() < sidesFrom
	})
}

// severalBlocks reports whether there is more than one block of changed lines to go to.
func (p *Pane) severalBlocks() bool {
	if p.result == nil || p.result.shown == nil {
		return false
	}
	at := p.result.shown.NextChange(-1)
	return at >= 0 && p.result.shown.NextChange(at) >= 0
}

// Peel implements [kit.Peeler]: it clears the selection.
func (p *Pane) Peel() (tea.Cmd, bool) {
	had := len(p.selected) > 0
	clear(p.selected)
	return nil, had
}

// TextNoBlock says that the cursor is on no changed line; it goes through [kit.Env.Keyed].
const TextNoBlock = "No changed line here. {diff/hunk-next} goes to the next hunk"

// Hunks are those of a comparison that are meant: their numbers, ascending, as diff.Blocks splits it.
type Hunks struct {
	Numbers []int
	All     bool // there are no others
}

// HunkFinder returns a function that finds the selected hunks, or else the one under the cursor; nil: none. White space counts. The
// function takes its time for a large diff and belongs into a job. The selection ends.
func (p *Pane) HunkFinder() func() Hunks {
	of := p.result
	var meant []diff.Line // of each hunk the first one
	for i := range p.selected {
		meant = append(meant, first(of.blocks[i]))
	}
	if l, _ := p.current(); len(meant) == 0 && p.block(l) >= 0 {
		meant = []diff.Line{l}
	}
	clear(p.selected)
	if len(meant) == 0 {
		return nil
	}
	return func() Hunks {
		var found Hunks
		hunks := diff.Blocks(of.exact())
		for _, l := range meant {
			if at := covering(hunks, l); at >= 0 {
				found.Numbers = append(found.Numbers, at)
			}
		}
		slices.Sort(found.Numbers)
		found.Numbers = slices.Compact(found.Numbers)
		found.All = len(found.Numbers) == len(hunks)
		return found
	}
}

// first is the first line of a block, with its number in the one text that has it.
func first(block diff.Hunk) diff.Line {
	op := block.Ops[0]
	if op.Kind == diff.Insert {
		return diff.Line{Sides: [2]diff.Row{{BNumber: op.BStart + 1}}}
	}
	return diff.Line{Sides: [2]diff.Row{{ANumber: op.AStart + 1}}}
}
