package browse

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

const ownerLoad = "load"

// loadPane is the load tab: the exact text that an agent loads of the store when a session starts, with the size and the tokens of each
// file and where its limit cuts it.
type loadPane struct {
	*kit.Text
	env    *kit.Env
	screen *Screen
	start  *load.Start // the last one read; nil: none
	stale  bool        // the store has changed since it was read
	back   func() tea.Cmd
}

func newLoadPane(s *Screen) *loadPane {
	p := &loadPane{env: s.Env, screen: s, stale: true, back: func() tea.Cmd { return s.Open(View) }}
	p.Text = kit.NewText(s.Env, kit.TextSpec{
		Title: "load", Scope: keymap.Load, Owner: ownerLoad, Lead: p.lead,
		More: []kit.Action{{ID: keymap.Open, Keys: "enter", Help: "open the file at the line", Hint: "open"}},
		Open: func(of any) tea.Cmd {
			r := of.(loadRow)
			switch {
			case r.file == nil:
				s.Env.Emit(kit.Say{Text: "No file on this row"})
				return nil
			case r.file.Elsewhere:
				s.Env.Emit(kit.Say{Text: "This file is not in the store. To open it: memcurator " + r.file.Name})
				return nil
			}
			return s.OpenLine(memstore.AgentPath(r.file.Name), r.line)
		},
	})
	return p
}

// Available implements [kit.Optional]: an agent that reads on demand loads nothing.
func (p *loadPane) Available() bool { return p.start != nil && !p.start.Rule.OnDemand() }

// wake reads it again if the store has changed and it is in sight, or if nothing is known yet.
func (p *loadPane) wake() tea.Cmd {
	s := p.screen
	inSight := s.isShown() && (s.Summary.shown || s.Tabs.at == Load && !s.detail.Empty())
	if !p.stale || s.Edits.Load == nil || s.Files.snapshot == nil || p.start != nil && !inSight {
		return nil
	}
	p.stale = false
	rule, store := s.Edits.Load, s.Store
	return kit.Start(p.env.Jobs, kit.Job[*load.Start]{
		Owner: ownerLoad, Label: "reading what a session starts with",
		Work: func(ctx context.Context, _ *kit.Progress) (*load.Start, error) {
			return rule().Read(ctx, store.Backend())
		},
		Done: func(start *load.Start) tea.Cmd {
			p.start = start
			p.Set(memstore.Root, kit.Lines(layOutLoad(start)))
			return nil
		},
	})
}

// show shows what a session starts with; where the agent reads on demand, the listing, which it asks for first. Where that is shown
// already, it goes back to what was shown before.
func (p *loadPane) show() tea.Cmd {
	s := p.screen
	at, _ := s.Tree.Selected()
	listed := !p.Available() && s.Tabs.at == View && at == memstore.Root
	if !s.Summary.leave() && (s.Tabs.at == Load || listed) {
		return p.back()
	}
	tab, place := s.Tabs.at, s.shell.Place()
	p.back = func() tea.Cmd {
		var selected tea.Cmd
		if now, _ := s.Tree.Selected(); now != at {
			selected = s.Select(at, true)
		}
		s.Tabs.at = tab
		return tea.Batch(selected, place(), s.shell.Relayout())
	}
	if p.Available() {
		return s.Open(Load)
	}
	s.Tabs.at = View
	s.shell.Tell(kit.Info, "No file is loaded at the start of a session. The agent begins with this listing")
	return tea.Batch(s.Select(memstore.Root, true), s.shell.Relayout())
}

// Forget drops what was read.
func (p *loadPane) Forget() {
	p.start, p.stale = nil, true
	p.Text.Forget()
}

// Path implements [kit.Tab]: the file that the row under the cursor is of.
func (p *loadPane) Path() string {
	if l, ok := p.Current(); ok && l.Of.(loadRow).file != nil && !l.Of.(loadRow).file.Elsewhere {
		return memstore.AgentPath(l.Of.(loadRow).file.Name)
	}
	return ""
}

// The least widths at which lines have their numbers, and the first row has its bar; loadNumberCells is the width of a number.
const (
	numbersFrom     = 45
	barFrom         = 60
	loadNumberCells = 6
)

// lead is the number of a line, or the bar of the limit.
func (p *loadPane) lead(l kit.Line, width int, _ bool) (string, kit.Look) {
	switch r := l.Of.(loadRow); {
	case r.kind == loadGauge && width >= barFrom && p.start.Gauge().Level() != loadlimit.Unlimited:
		g := p.start.Gauge()
		return " " + g.Bar() + "  ", func(st *theme.Styles) theme.Paint { return kit.GaugePaint(g, st) }
	case r.kind != loadGiven || width < numbersFrom:
		return " ", nil
	case r.line > 0:
		return text.PadLeft(strconv.Itoa(r.line), loadNumberCells-1) + " ", nil
	}
	return text.Pad("", loadNumberCells), nil
}
