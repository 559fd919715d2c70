package summary

import (
	"context"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Load is what is loaded of the store when a session starts; without it the line is absent.
type Load struct {
	Source load.Source
	// Files is the tree of the store, nil while it is unknown, and Store where it is read.
	Files func() *memstore.Snapshot
	Store func() *memstore.Store
}

// measure returns a function for a job that reads what a session starts with, without its text; nil: nothing is loaded.
func (l Load) measure() func(context.Context) *load.Start {
	if l.Files == nil {
		return func(context.Context) *load.Start { return nil }
	}
	files, store := l.Files(), l.Store()
	return func(ctx context.Context) *load.Start {
		s, err := l.Source.Of(files).Read(ctx, store.Backend())
		if err != nil || len(s.Files) == 0 {
			return nil
		}
		for i := range s.Files {
			s.Files[i].Text = nil
		}
		return s
	}
}

// loaded draws the line about what a session starts with: how much of the limit, and the tokens.
func (p *Pane) loaded() []string {
	st, g := p.env.Styles, p.start.Gauge()
	row := p.begin(keymap.Listing)
	row.Put("Load "+g.Words()+"  ", st.Text)
	if g.Level() != loadlimit.Unlimited {
		ui.PutGauge(row, g, st)
		row.Put("  ", st.Text)
	}
	of := ui.Count(len(p.start.Files), "file")
	if f := p.start.Fullest(); f != nil && (len(p.start.Files) == 1 || !p.start.Rule.Together) {
		of = f.Name
	}
	if state := g.State(); state != "" {
		of = state + ", " + of
	}
	row.Put(text.Truncate(text.Clean(of), max(0, row.Room), st.Glyphs.Ellipsis), st.Dim)
	cost := p.begin("")
	cost.Put(text.Truncate("Session start: "+loadlimit.Estimate(p.start.Given.Tokens), max(0, cost.Room), st.Glyphs.Ellipsis), st.Dim)
	return []string{row.String(), cost.String()}
}
