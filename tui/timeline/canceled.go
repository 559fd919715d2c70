package timeline

import (
	"fmt"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/ui"
)

// canceled are the revisions, by number, with which the user undid own acts, and these acts: together they change nothing. Of what was
// undone, redone and undone again all are; of what was undone and redone the first act is in force, the other two cancel out. What is
// unread never does: it is counted until the user has seen it.
func canceled(list []past.Revision) map[int64]bool {
	own := map[int64]past.Revision{}
	for _, r := range list {
		if !r.Unread && (r.Actor == memstore.Curator || r.Actor == memstore.Replay && r.Group != 0) {
			own[r.Rev] = r
		}
	}
	out := map[int64]bool{}
	for i := len(list) - 1; i >= 0; i-- {
		r, ok := own[list[i].Rev]
		if !ok || r.Undoes == 0 || out[r.Rev] {
			continue
		}
		if _, ok := own[r.Undoes]; ok && !out[r.Undoes] {
			out[r.Rev], out[r.Undoes] = true, true
		}
	}
	return out
}

// choose lists of what was read, oldest first, all but what cancels out. whole: that too, and nothing counts as canceled.
func (a *arrangement) choose(read []past.Revision, whole bool) {
	a.listed, a.hidden = read, 0
	if whole {
		return
	}
	out := canceled(read)
	if a.hidden = len(out); a.hidden == 0 || a.everything {
		return
	}
	a.listed = make([]past.Revision, 0, len(read)-a.hidden)
	for _, r := range read {
		if !out[r.Rev] {
			a.listed = append(a.listed, r)
		}
	}
}

// Canceled is how many revisions cancel out, and whether they are listed.
func (p *Pane) Canceled() (n int, listed bool) { return p.rows.hidden, p.rows.everything }

// toggleCanceled lists what cancels out, or hides it again.
func (p *Pane) toggleCanceled() {
	if p.rows.hidden == 0 {
		p.env.Emit(ui.Say{Text: "Nothing hidden: none of your changes cancel out"})
		return
	}
	p.rows.everything = !p.rows.everything
	p.arrange()
	p.show()
	p.env.Emit(ui.Say{Text: canceledText(p.rows.hidden, p.rows.everything, p.env.Keys.KeyFor(p.scope, keymap.ShowHidden))})
}

// canceledText says what is listed now of changes that cancel out.
func canceledText(n int, listed bool, key string) string {
	if listed {
		return fmt.Sprintf("Showing %s that cancel out. %s hides them", ui.CountGrouped(n, "change"), key)
	}
	return fmt.Sprintf("%s that cancel out are hidden. %s shows them", ui.CountGrouped(n, "change"), key)
}
