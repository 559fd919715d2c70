package diffpane

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// hunk goes to the next block of changed lines, or says that there is none.
func (p *Pane) hunk(forward bool) {
	if !p.nextHunk(forward) {
		p.env.Emit(kit.Say{Text: "No more hunks in this direction"})
	}
}

// nextHunk goes to the next block of changed lines, if there is one.
func (p *Pane) nextHunk(forward bool) bool {
	if p.result == nil || p.result.shown == nil {
		return false
	}
	s := p.result.shown
	_, cursor, _ := p.Lines()
	at := s.PrevChange(cursor)
	if forward {
		at = s.NextChange(cursor)
	}
	if at < 0 {
		return false
	}
	n := 1
	for at+n < s.Len() && n < p.Height() && s.At(at+n).Changed() {
		n++
	}
	p.MoveToBlock(at, n)
	p.showWords()
	return true
}

// block is the number of the block of changed lines that a row is of; -1: of none.
func (p *Pane) block(l diff.Line) int {
	if p.result == nil || !l.Changed() {
		return -1
	}
	a, b := l.Numbers()
	return slices.IndexFunc(p.result.blocks, func(h diff.Hunk) bool { return h.Covers(a, b) })
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

// Peel implements [kit.Peeler]: it clears the selection.
func (p *Pane) Peel() (tea.Cmd, bool) {
	had := len(p.selected) > 0
	clear(p.selected)
	return nil, had
}

// HunkHints is what can be done with the hunks in focus, in front of what else can be done; lead is said where there are none.
func (p *Pane) HunkHints(lead string, acts ...kit.Hint) kit.Hints {
	revert := kit.Act("revert", keymap.RevertHunk)
	if n := len(p.selected); n > 0 {
		return kit.Hints{Lead: kit.Count(n, "hunk") + " selected", Acts: []kit.Hint{revert, kit.Act("clear", keymap.Back)}}
	}
	if p.result != nil && len(p.result.blocks) > 1 {
		acts = append([]kit.Hint{kit.Act("next hunk", keymap.HunkNext)}, acts...)
	}
	l, _ := p.current()
	if at := p.block(l); at >= 0 {
		lead = fmt.Sprintf("hunk %d/%d", at+1, len(p.result.blocks))
	}
	if p.result == nil || p.result.sides.RevertedBy == 0 {
		acts = append([]kit.Hint{revert}, acts...)
	}
	return kit.Hints{Lead: lead, Acts: acts}
}

// TextNoBlock says that the cursor is on no changed line; it goes through [kit.Env.Keyed].
const TextNoBlock = "No changed line here. {diff/hunk-next} goes to the next hunk"

// Hunks are those of a comparison that are meant: their numbers, ascending, as diff.Blocks splits it.
type Hunks struct {
	Numbers []int
	All     bool // there are no others
}

// TakeHunks returns the selected hunks, or else the one under the cursor. The selection ends.
func (p *Pane) TakeHunks() (h Hunks) {
	if p.result == nil || p.result.of.Key != p.target.Key { // the next diff is under way
		return h
	}
	h.Numbers = slices.Sorted(maps.Keys(p.selected))
	if l, _ := p.current(); len(h.Numbers) == 0 && p.block(l) >= 0 {
		h.Numbers = []int{p.block(l)}
	}
	clear(p.selected)
	h.All = len(h.Numbers) == len(p.result.blocks)
	return h
}

// TextReader returns a function that writes the diff as `git apply` and `patch` take it; nil: there is none. White space always counts in
// it, whatever is shown. Its error is a sentence; a diff longer than limit bytes is one too.
func (p *Pane) TextReader(limit int) func() (string, error) {
	c := p.result
	if c == nil || c.exact == nil {
		return nil
	}
	return func() (string, error) {
		before, after := "a"+c.of.Path, "b"+c.of.Path
		var head []byte
		switch {
		case c.sides.Before == nil:
			before = "/dev/null"
		case c.sides.After == nil:
			after = "/dev/null"
		case c.of.OldPath != "":
			before = "a" + c.of.OldPath
			head = diff.RenameHeader(strings.TrimPrefix(c.of.OldPath, "/"), strings.TrimPrefix(c.of.Path, "/"))
		}
		out := append(head, diff.Format(c.exact, c.sides.Before, c.sides.After, before, after, diff.Options{})...)
		if len(out) > limit {
			return "", errors.New("Diff over 1 MiB: too long for the clipboard")
		}
		return string(out), nil
	}
}
