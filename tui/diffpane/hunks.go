package diffpane

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// hunk goes to the next block of changed lines, in lines taller than the screen to the next one of them, or says that there is none.
func (p *Pane) hunk(forward bool) {
	s := p.result.shown
	_, cursor, _ := p.Lines()
	at, beside := s.PrevChange(cursor), cursor-1
	if forward {
		at, beside = s.NextChange(cursor), cursor+1
	}
	if p.Tall() && beside >= 0 && beside < s.Len() && s.At(beside).Changed() {
		at = beside // the other side of the change is out of sight
	}
	if at < 0 {
		p.env.Emit(kit.Say{Text: "No more hunks in this direction"})
		return
	}
	n := 1
	for at+n < s.Len() && n < p.Height() && s.At(at+n).Changed() {
		n++
	}
	p.MoveToBlock(at, n)
	p.showWords()
}

// block is the number of the block of changed lines that a row is of; -1: of none.
func (p *Pane) block(l diff.Line) int {
	if p.result == nil || !l.Changed() {
		return -1
	}
	a, b := l.Numbers()
	return slices.IndexFunc(p.result.blocks, func(h diff.Hunk) bool { return h.Covers(a, b) })
}

// reverted reports whether the change in a row is no longer in force.
func (p *Pane) reverted(l diff.Line) bool {
	return p.result != nil && (p.result.sides.RevertedBy != 0 ||
		slices.ContainsFunc(p.result.sides.RevertedHunks, func(hunk int) bool { return hunk == p.block(l) }))
}

// HunkHints is what can be done with the hunks in focus, in front of what else can be done; lead is said where there are none.
func (p *Pane) HunkHints(lead string, acts ...kit.Hint) kit.Hints {
	revert := kit.Act("revert", keymap.RevertHunk)
	l, _ := p.current()
	at := p.block(l)
	if p.result != nil && (at+1 < len(p.result.blocks) || p.Tall()) {
		acts = append([]kit.Hint{kit.Act("next hunk", keymap.HunkNext)}, acts...)
	}
	if at >= 0 {
		lead = fmt.Sprintf("hunk %d/%d", at+1, len(p.result.blocks))
	}
	switch {
	case p.result != nil && p.result.purged():
		lead += " purged"
	case p.reverted(l):
		lead += " reverted"
	case at >= 0 || p.result != nil && len(p.result.blocks) == 0: // a rename is reverted whole
		acts = append([]kit.Hint{revert}, acts...)
	}
	return kit.Hints{Lead: lead, Acts: acts}
}

// TextNoBlock says that the cursor is on no changed line; it goes through [kit.Env.Keyed].
const TextNoBlock = "No changed line here. {diff/hunk-next} goes to the next hunk"

// Hunk is the one under the cursor.
type Hunk struct {
	Number int  // as diff.Hunks splits the comparison without context; below 0: the cursor is on none
	Only   bool // there are no others
}

// Hunk returns the hunk under the cursor.
func (p *Pane) Hunk() Hunk {
	if p.result == nil || p.result.of.Key != p.target.Key { // the next diff is under way
		return Hunk{Number: -1}
	}
	l, _ := p.current()
	return Hunk{Number: p.block(l), Only: len(p.result.blocks) == 1}
}

// TextReader returns a function that writes the diff as `git apply` and `patch` take it; nil: there is none. White space always counts in
// it, whatever is shown. Its error is a sentence; a diff longer than limit bytes is one too.
func (p *Pane) TextReader(limit int) func() (string, error) {
	c := p.result
	if c == nil || c.result == nil {
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
		out := append(head, diff.Format(c.result, c.sides.Before, c.sides.After, before, after, diff.Options{})...)
		if len(out) > limit {
			return "", errors.New("Diff over 1 MiB: too long for the clipboard")
		}
		return string(out), nil
	}
}
