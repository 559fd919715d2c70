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

// Recheck finds out again how much of the change on the screen was reverted since.
func (p *Pane) Recheck() tea.Cmd {
	find, c := p.target.Reverted, p.result
	if find == nil || c == nil {
		return nil
	}
	return kit.Start(p.env.Jobs, kit.Job[undo.Reverted]{
		Owner: p.owner + ".reverted", Label: kit.LabelJournal,
		Work: func(ctx context.Context, _ *kit.Progress) (undo.Reverted, error) { return find(ctx) },
		Done: func(found undo.Reverted) tea.Cmd {
			if p.result != c || found.By == c.reverted.By && slices.Equal(found.Hunks, c.reverted.Hunks) {
				return nil
			}
			c.reverted = found
			p.lay()
			return nil
		},
	})
}

// revertedBy is the revision that reverted the hunk of a changed row; 0: it is in force.
func (p *Pane) revertedBy(l diff.Line) int64 {
	at := p.block(l)
	switch {
	case at < 0:
		return 0
	case p.result.reverted.By != 0 || p.result.ignore || at >= len(p.result.reverted.Hunks):
		return p.result.reverted.By
	}
	return p.result.reverted.Hunks[at]
}

// revertedIn says how much was reverted of what a header introduces, whose first row is next. Where all of the change was, the title
// says so.
func (c *compared) revertedIn(next diff.Line, reverted undo.Reverted) string {
	at := covering(c.hunks, next)
	if reverted.By != 0 || len(reverted.Hunks) != len(c.blocks) || at < 0 {
		return ""
	}
	var by []int64
	all, n := 0, 0
	for i, block := range c.blocks {
		if covering(c.hunks, first(block)) != at {
			continue
		}
		all++
		if rev := reverted.Hunks[i]; rev != 0 {
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
