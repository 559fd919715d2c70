package timeline

import (
	"fmt"

	"memcurator/keymap"
	"memcurator/memstore/past"
	"memcurator/tui/ui"
)

// ChooseTwo marks the revision under the cursor, or returns it together with the marked one, the older one first. On the marked
// revision it removes the mark. ok: there are two.
func (p *Pane) ChooseTwo(shell ui.Shell) (older, newer past.Revision, ok bool) {
	r, selected := p.Selected()
	marked, was := p.Row(p.marked)
	switch {
	case !selected:
		shell.Tell(ui.Info, "No revision to compare here")
		return older, newer, false
	case !was || p.marked == 0:
		p.marked = r.Rev
		shell.Tell(ui.Info, fmt.Sprintf("Comparing from #%d. %s on another revision compares, on this one ends it",
			r.Rev, p.env.Keys.KeyFor(p.Scopes()[0], keymap.Compare)))
		return older, newer, false
	}
	p.marked = 0
	if marked.Rev > r.Rev {
		marked, r = r, marked
	}
	return marked, r, marked.Rev != r.Rev
}

// TextNoMatch says that a filter leaves no revision.
const TextNoMatch = "No changes match. {global/back} clears the filter"

// TextPresent says how to get into the past.
const TextPresent = "{global/travel} needs a revision: choose one in Changes or in a history. :at 2d travels too"
