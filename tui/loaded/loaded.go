// Package loaded is the load tab: the exact text that an agent loads of the store when a session starts, with the size and the tokens of
// each file and where its limit cuts it. The Stores screen shows the same page for the store under its cursor. Files are read in jobs.
package loaded

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/backend"
	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// Options hold what a page depends on.
type Options struct {
	// Owner is that of its jobs.
	Owner string
	// Open opens a file at a line, from 1; nil: enter does nothing.
	Open func(agentPath string, line int) tea.Cmd
}

// Reader reads what a session starts with. It is called in a job.
type Reader func(ctx context.Context) (*load.Start, error)

// Pane is the page. Make it with [New].
type Pane struct {
	*kit.Text
	env   *kit.Env
	owner string
	start *load.Start
}

// New makes an empty page.
func New(env *kit.Env, o Options) *Pane {
	p := &Pane{env: env, owner: o.Owner}
	p.Text = kit.NewText(env, kit.TextSpec{
		Title: "load", Scope: keymap.Load, Owner: o.Owner, Lead: p.lead,
		Head: func(l kit.Line) bool { return l.Of.(row).kind == title },
		Open: func(of any) tea.Cmd {
			r := of.(row)
			if r.file == nil || o.Open == nil {
				env.Emit(kit.Say{Text: "No file on this row"})
				return nil
			}
			return o.Open(backend.AgentPath(r.file.Name), r.line)
		},
		// An agent that reads on demand loads nothing.
		Available: func() bool { return p.start != nil && !p.start.Rule.OnDemand() },
	})
	return p
}

// Show reads what a session with a store starts with. Of the store that is shown already, the place stays.
func (p *Pane) Show(of string, read Reader) tea.Cmd {
	return kit.Start(p.env.Jobs, kit.Job[*load.Start]{
		Owner: p.owner, Label: "reading what a session starts with",
		Work: func(ctx context.Context, _ *kit.Progress) (*load.Start, error) { return read(ctx) },
		Done: func(s *load.Start) tea.Cmd {
			p.Set(of, s)
			return nil
		},
	})
}

// Set shows what was read.
func (p *Pane) Set(of string, s *load.Start) {
	p.start = s
	p.Text.Set(of, kit.Lines(layout(s)))
}

// Start is the last one read; nil: none.
func (p *Pane) Start() *load.Start { return p.start }

// Forget drops what was read.
func (p *Pane) Forget() {
	p.start = nil
	p.Text.Forget()
}

// Path implements [kit.Tab]: the file that the row under the cursor is of.
func (p *Pane) Path() string {
	if l, ok := p.Current(); ok && l.Of.(row).file != nil {
		return backend.AgentPath(l.Of.(row).file.Name)
	}
	return ""
}

// The least widths at which lines have their numbers, and the first row has its bar; numberCells is the width of a number.
const (
	numbersFrom = 45
	barFrom     = 60
	numberCells = 6
)

// lead is the number of a line, or the bar of the limit.
func (p *Pane) lead(l kit.Line, width int, _ bool) (string, kit.Look) {
	switch r := l.Of.(row); {
	case r.kind == gauge && width >= barFrom && p.start.Gauge().Level() != loadlimit.Unlimited:
		g := p.start.Gauge()
		return " " + g.Bar() + "  ", func(st *theme.Styles) theme.Paint { return kit.GaugePaint(g, st) }
	case r.kind != given || width < numbersFrom:
		return " ", nil
	case r.line > 0:
		return text.PadLeft(strconv.Itoa(r.line), numberCells-1) + " ", nil
	}
	return text.Pad("", numberCells), nil
}
