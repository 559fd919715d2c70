package summary

import (
	"memcurator/keymap"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// loaded draws the lines about what a session starts with: how much of the limit, and the tokens. Without a rule there are none.
func (p *Pane) loaded() []string {
	if p.Start == nil {
		return nil
	}
	st, start := p.env.Styles, p.Start()
	if start == nil || len(start.Files) == 0 {
		return nil
	}
	g := start.Gauge()
	row := p.begin(keymap.Listing)
	says := g.Words()
	if g.Level() == loadlimit.Unlimited {
		says = kit.CountGrouped(int(start.Given.Lines), "line") + ", no limit"
	}
	row.Put("Load "+says+"  ", st.Text)
	if g.Level() != loadlimit.Unlimited {
		kit.PutGauge(row, g, st)
		row.Put("  ", st.Text)
	}
	of := kit.Count(len(start.Files), "file")
	if f := start.Fullest(); f != nil && (len(start.Files) == 1 || !start.Rule.Together) {
		of = f.Name
	}
	if state := g.State(); state != "" {
		of = state + ", " + of
	}
	row.Put(text.Truncate(text.Clean(of), max(0, row.Room), st.Glyphs.Ellipsis), st.Dim)
	cost := p.begin("")
	cost.Put(text.Truncate("Session start: "+loadlimit.Estimate(start.Given.Tokens), max(0, cost.Room), st.Glyphs.Ellipsis), st.Dim)
	return []string{row.String(), cost.String()}
}
