package browse

import (
	"fmt"
	"strings"

	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// loadKind is the kind of a row of the load tab.
type loadKind uint8

const (
	loadSaid  loadKind = iota // by the program
	loadGauge                 // how much of the limit is used
	loadTitle                 // where a file begins
	loadGiven                 // a line that the agent gets
	loadCut                   // where a limit cuts
	loadBad                   // why a file is not loaded
)

// loadRow is what a line of the page is of.
type loadRow struct {
	kind loadKind
	file *load.File // nil: none
	line int        // of the file, from 1; 0: none
}

// layOutLoad makes the page.
func layOutLoad(s *load.Start) (lines []kit.Line) {
	put := func(k loadKind, file *load.File, line int, text string) {
		lines = append(lines, kit.Line{Text: []byte(text), Look: k.look, Of: loadRow{k, file, line}})
	}
	if s == nil {
		return nil
	}
	if s.Rule.OnDemand() && len(s.Files) == 0 {
		put(loadSaid, nil, 0, "Nothing is loaded when a session starts: the agent reads notes on demand")
		return lines
	}
	put(loadGauge, nil, 0, loadSummary(s))
	if s.Rule.Source != "" {
		put(loadSaid, nil, 0, "Source: "+s.Rule.Source)
	}
	if len(s.Files) == 0 {
		put(loadSaid, nil, 0, "")
		put(loadSaid, nil, 0, "Nothing is loaded: "+strings.Join(s.Rule.Files, ", ")+" does not exist")
	}
	for i := range s.Files {
		f := &s.Files[i]
		put(loadSaid, f, 0, "")
		put(loadTitle, f, 1, f.Name+"  "+loadAmounts(f))
		if f.Heading != "" {
			for line := range strings.SplitSeq(strings.TrimSuffix(f.Heading, "\n"), "\n") {
				put(loadGiven, f, 0, line)
			}
		}
		for _, l := range f.Lines {
			put(loadGiven, f, l.Number, string(l.Text))
		}
		if why := loadCutText(s.Rule, f); why != "" {
			put(loadCut, f, f.Line+1, why)
		}
		if f.Problem != "" {
			put(loadBad, f, 0, "Can't load it: "+f.Problem)
		}
	}
	return lines
}

// loadSummary is how much a session starts with: of which limit, in tokens, and how these are estimated.
func loadSummary(s *load.Start) string {
	g := s.Gauge()
	parts := []string{g.Words()}
	if g.Level() == loadlimit.Unlimited {
		parts[0] = text.Number(s.Given.Lines) + " " + text.Plural(int(min(s.Given.Lines, 2)), "line") + ", no limit"
	}
	if state := g.State(); state != "" {
		parts = append(parts, state)
	}
	if g.Unit() != loadlimit.Bytes {
		parts = append(parts, text.Size(s.Given.Bytes))
	}
	return strings.Join(append(parts, loadlimit.Estimate(s.Given.Tokens)), ", ")
}

// loadAmounts is how much an agent gets of a file: "48 lines, 3.1K, about 790 tokens, whole".
func loadAmounts(f *load.File) string {
	if f.Problem != "" && len(f.Lines) == 0 {
		return "not loaded"
	}
	of := func(n int64, one string) string { return text.Number(n) + " " + text.Plural(int(min(n, 2)), one) }
	amounts := of(f.Given.Lines, "line") + ", " + text.Size(f.Given.Bytes) + ", about " + loadlimit.About(f.Given.Tokens) + " " +
		text.Plural(int(min(f.Given.Tokens, 2)), "token")
	switch {
	case f.By == "":
		return amounts + ", whole"
	case f.Given.Bytes == 0:
		return "not loaded: the files before it use up the limit"
	}
	return amounts + " of " + of(f.Have.Lines, "line") + ", " + text.Size(f.Have.Bytes)
}

// loadCutText describes where a limit cuts a file; "": it is whole.
func loadCutText(r load.Rule, f *load.File) string {
	if f.By == "" {
		return ""
	}
	most := f.Limit.Of(f.By)
	if r.Together {
		most = r.Limit().Of(f.By)
	}
	limit := loadlimit.Amount(f.By, most)
	if f.By != loadlimit.Bytes {
		limit += " " + text.Plural(int(min(most, 2)), strings.TrimSuffix(string(f.By), "s"))
	}
	if r.Together {
		limit += " for all files"
	}
	lines, bytes := f.Have.Lines-f.Given.Lines, f.Have.Bytes-f.Given.Bytes
	rest := text.Size(bytes)
	if lines > 0 {
		rest = text.Number(lines) + " " + text.Plural(int(min(lines, 2)), "line") + ", " + rest
	}
	switch {
	case f.Given.Bytes == 0:
		return "not loaded: " + rest
	case f.Tail > 0:
		return fmt.Sprintf("limit of %s: %s from its middle not loaded", limit, rest)
	}
	return fmt.Sprintf("cut here by the limit of %s: %s not loaded", limit, rest)
}

// look is the look of the rows of a kind.
func (k loadKind) look(st *theme.Styles) theme.Paint {
	switch k {
	case loadSaid:
		return st.Dim
	case loadTitle:
		return st.Title
	case loadCut, loadBad:
		return st.Warning
	}
	return st.Text
}
