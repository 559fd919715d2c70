// Package replay is the Replay screen: the memory calls of recorded conversations, and what the
// memory, the result and the agent's knowledge were at each. The list and its detail are two panes
// that the root puts beside each other; both read a [transcript.Track], which is filled in a job
// from the transcripts themselves. Nothing here opens a store: what is to be done to one, the
// root is asked by intents.
package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/transcript"
	"memcurator/tui/ui"
)

// The owners of the jobs.
const (
	ownerLoad   = "replay.load"
	ownerSearch = "replay.search"
	ownerPage   = "replay.page"
)

// callList is the list of calls. Make it with newCallList.
type callList struct {
	env     *ui.Env
	actions *ui.Actions
	w, h    int

	session *session
	feed    *feed
	state   state
	calls   recording
	shown   []int // indexes into the rows of calls that the filter leaves
	filter  filter
	list    ui.List
	// elsewhere are the stores that transcripts belong to, by file, where that is not the one beside the replay.
	elsewhere map[string]string
	grown     bool   // the cursor follows the end of a growing transcript
	notes     string // what was seen beside the calls
	empty     string // what was seen in place of calls
	detail    *detailPane
}

// state is how the load stands.
type state uint8

const (
	idle state = iota
	loading
	ready
	failed
)

// newCallList makes an empty list and the pane for its details.
func newCallList(env *ui.Env) (*callList, *detailPane) {
	p := &callList{env: env, calls: recording{env: env}}
	p.actions = ui.NewActions(env, ui.Before(func(keymap.ID) { p.sync() }, p.bindings())...)
	p.detail = newDetail(env, p)
	return p, p.detail
}

// Step is the number of the call under the cursor, from 1; 0: there is none.
func (p *callList) Step() int {
	i, ok := p.list.At()
	if !ok || i >= len(p.shown) {
		return 0
	}
	return p.shown[i] + 1
}

// Track is the replay so far; nil before the first call.
func (p *callList) Track() *transcript.Track { return p.calls.track }

// Selected is the step under the cursor, as far as replayed.
func (p *callList) Selected() (transcript.Step, bool) {
	n := p.Step()
	if n == 0 || n > len(p.calls.steps) {
		return transcript.Step{}, false
	}
	return p.calls.steps[n-1], true
}

// GoTo puts the cursor on a call by its number, or the nearest that the filter leaves.
func (p *callList) GoTo(n int) tea.Cmd {
	at := 0
	for i, r := range p.shown {
		if r+1 > n && i > 0 {
			break
		}
		at = i
	}
	p.list.JumpTo(at)
	return p.moved()
}

// GoToTurn goes to the first call of a turn or after it.
func (p *callList) GoToTurn(turn int) tea.Cmd {
	return p.first(func(r row) bool { return r.turn >= turn })
}

// GoToTime goes to the first call at a time or after it.
func (p *callList) GoToTime(at time.Time) tea.Cmd {
	return p.first(func(r row) bool { return !r.when.Before(at) })
}

const textNoSuchCall = "No call then or later"

func (p *callList) first(fits func(row) bool) tea.Cmd {
	for i, at := range p.shown {
		if fits(p.calls.rows[at]) {
			p.list.JumpTo(i)
			return p.moved()
		}
	}
	p.env.Emit(ui.Say{Text: textNoSuchCall})
	return nil
}

// moved shows the details of the call that the cursor came to.
func (p *callList) moved() tea.Cmd { return p.detail.follow() }

// Actions implements [ui.Pane].
func (p *callList) Actions() *ui.Actions { return p.actions }

func (p *callList) bindings() []ui.Action {
	walk := func(by int, fits func(int) bool) func() tea.Cmd {
		return func() tea.Cmd { return p.walk(by, fits) }
	}
	return append(p.list.Bindings(p.walked),
		ui.Action{ID: keymap.ReplayChangeNext, Run: walk(1, p.calls.changes)},
		ui.Action{ID: keymap.ReplayChangePrev, Run: walk(-1, p.calls.changes)},
		ui.Action{ID: keymap.ReplayDivergeNext, Run: walk(1, p.calls.diverges)},
		ui.Action{ID: keymap.ReplayDivergePrev, Run: walk(-1, p.calls.diverges)},
		ui.Action{ID: keymap.HunkNext, Run: func() tea.Cmd { return p.jumpTurn(1) }},
		ui.Action{ID: keymap.HunkPrev, Run: func() tea.Cmd { return p.jumpTurn(-1) }},
		ui.Action{ID: keymap.SearchNext, Run: func() tea.Cmd { return p.searchStep(1) }},
		ui.Action{ID: keymap.SearchPrev, Run: func() tea.Cmd { return p.searchStep(-1) }},
		ui.Action{ID: keymap.ReplayMain, Run: func() tea.Cmd {
			p.mainOnly()
			return p.moved()
		}},
	)
}

func (p *callList) walked(id keymap.ID) tea.Cmd {
	p.grown = id == keymap.Bottom
	return p.moved()
}

// jumpTurn goes to the first call of another turn.
func (p *callList) jumpTurn(by int) tea.Cmd {
	at, ok := p.list.At()
	if !ok {
		return nil
	}
	turn := p.calls.rows[p.shown[at]].turn
	return p.walk(by, func(i int) bool {
		return p.calls.rows[i].turn != turn && (by > 0 || i == 0 || p.calls.rows[i-1].turn != p.calls.rows[i].turn)
	})
}

// walk goes to the next call in a direction that fits.
func (p *callList) walk(by int, fits func(i int) bool) tea.Cmd {
	at, ok := p.list.At()
	if !ok {
		return nil
	}
	for i := at + by; i >= 0 && i < len(p.shown); i += by {
		if fits(p.shown[i]) {
			p.grown = false
			p.list.JumpTo(i)
			return p.moved()
		}
	}
	p.env.Emit(ui.Say{Text: noMoreText(by)})
	return nil
}

// Peel takes the search off, then the filter.
func (p *callList) Peel() (tea.Cmd, bool) {
	switch {
	case p.calls.search.query != "":
		return p.SetQuery(""), true
	case p.filter.text != "":
		p.SetFilter(filter{})
		return p.moved(), true
	}
	return nil, false
}

// mainOnly leaves out what subagents did, or takes it in again.
func (p *callList) mainOnly() {
	f := p.filter
	if f.main = !f.main; f.main {
		f.text = joined(f.text, "is:main")
	} else {
		f.text = without(f.text, "is:main")
	}
	p.SetFilter(f)
}

// SetFilter narrows the list; the cursor stays on its call or goes to the one before it.
func (p *callList) SetFilter(f filter) {
	n := p.Step()
	p.filter = f
	p.shown = p.shown[:0]
	at := 0
	for i := range p.calls.rows {
		if !p.leaves(i) {
			continue
		}
		if i < n {
			at = len(p.shown)
		}
		p.shown = append(p.shown, i)
	}
	p.list.SetCount(len(p.shown))
	p.list.MoveTo(at)
}

func (p *callList) leaves(i int) bool {
	return p.filter.fits(p.calls.rows[i], p.calls.verdict(i))
}

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *callList) Click(row int) (again bool) {
	hit, again := p.list.Click(row)
	if hit {
		p.detail.stale = true
	}
	return again
}
