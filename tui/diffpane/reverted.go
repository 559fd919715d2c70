package diffpane

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// revertedOwner names the job that finds out what was reverted, of a pane with that owner.
func revertedOwner(owner string) string { return owner + ".reverted" }

// Recheck finds out again how much of the change on the screen was reverted since.
func (p *Pane) Recheck() tea.Cmd {
	find, key := p.target.Reverted, p.target.Key
	if find == nil {
		return nil
	}
	return kit.Start(p.env.Jobs, kit.Job[undo.Reverted]{
		Owner: revertedOwner(p.owner), Label: kit.LabelJournal,
		Work: func(ctx context.Context, _ *kit.Progress) (undo.Reverted, error) { return find(ctx) },
		Done: func(found undo.Reverted) tea.Cmd {
			if p.target.Key == key {
				p.reverted = found
			}
			return nil
		},
	})
}

// revertedBy is the revision that reverted the hunk with the lines a and b, 0 for none; 0: it is in force.
func (p *Pane) revertedBy(a, b int) int64 {
	if p.reverted.By != 0 || len(p.reverted.Hunks) == 0 || p.result.ignore {
		return p.reverted.By
	}
	n := slices.IndexFunc(p.selected().hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })
	if n < 0 || n >= len(p.reverted.Hunks) {
		return 0
	}
	return p.reverted.Hunks[n]
}

// revertedIn says how much was reverted of what a header introduces, whose first line is a or b. Where all of the change was, the title
// says so.
func (p *Pane) revertedIn(a, b int) string {
	if p.reverted.By != 0 || len(p.reverted.Hunks) == 0 || p.result.ignore {
		return ""
	}
	at := slices.IndexFunc(p.result.hunks, func(h diff.Hunk) bool { return h.Covers(a, b) })
	if at < 0 {
		return ""
	}
	var by []int64
	all, n := 0, 0
	for i, block := range p.selected().hunks {
		first := block.Ops[0]
		if first.Kind == diff.Insert {
			first.AEnd = 0
		}
		if !p.result.hunks[at].Covers(first.AEnd, first.BEnd) || i >= len(p.reverted.Hunks) {
			continue
		}
		all++
		if rev := p.reverted.Hunks[i]; rev != 0 {
			n++
			by = append(by, rev)
		}
	}
	slices.Sort(by)
	said := revertedText(slices.Compact(by)...)
	if n > 0 && n < all {
		said = fmt.Sprintf("%d of %d ", n, all) + said
	}
	return said
}

// revertedText names the revisions that reverted something; "" for none.
func revertedText(by ...int64) string {
	var names []string
	for _, rev := range by {
		if rev != 0 {
			names = append(names, fmt.Sprintf("#%d", rev))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "reverted by " + strings.Join(names, ", ")
}
