package timeline

import (
	"fmt"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/ui"
)

// canceled are the revisions, by number, with which the user undid own acts, and these acts: together they change nothing. Of what was
// undone, redone and undone again all are; of what was undone and redone the first act is in force, the other two cancel out.
func canceled(list []past.Revision) map[int64]bool {
	own := map[int64]past.Revision{}
	for _, r := range list {
		if r.Actor == memstore.Curator || r.Actor == memstore.Replay && r.Group != 0 {
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

// choose lists what was read, without what cancels out unless that is wanted.
func (p *Pane) choose() {
	p.rows, p.hidden = p.read, 0
	if p.other != nil || p.filter.own() {
		return
	}
	out := canceled(p.read)
	if p.hidden = len(out); p.hidden == 0 || p.everything {
		return
	}
	p.rows = make([]past.Revision, 0, len(p.read)-p.hidden)
	for _, r := range p.read {
		if !out[r.Rev] {
			p.rows = append(p.rows, r)
		}
	}
}

// Canceled is how many revisions cancel out, and whether they are listed.
func (p *Pane) Canceled() (n int, listed bool) { return p.hidden, p.everything }

// toggleCanceled lists what cancels out, or hides it again.
func (p *Pane) toggleCanceled() {
	if p.hidden == 0 {
		p.env.Emit(ui.Say{Text: "Nothing hidden: none of your changes cancel out"})
		return
	}
	p.everything = !p.everything
	p.arrange()
	p.show()
	p.env.Emit(ui.Say{Text: canceledText(p.hidden, p.everything, p.env.Keys.KeyFor(p.scope, keymap.ShowHidden))})
}

// canceledText says what is listed now of changes that cancel out.
func canceledText(n int, listed bool, key string) string {
	if listed {
		return fmt.Sprintf("Showing %s that cancel out. %s hides them", ui.CountGrouped(n, "change"), key)
	}
	return fmt.Sprintf("%s that cancel out are hidden. %s shows them", ui.CountGrouped(n, "change"), key)
}
