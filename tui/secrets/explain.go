package secrets

import (
	"fmt"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// explain shows why the value under the cursor was found, and its places.
func (s *Screen) explain() {
	g := s.list.group()
	if g == nil {
		s.shell.Tell(kit.Info, "No value to explain here")
		return
	}
	s.shell.Open(kit.Box{Overlay: overlay.NewText(s.env, "why", "Why it was found", s.list.choices.explain(g), false)})
}

// explain says why a value was found, with the line of each place, in which all values are masked.
func (c *choices) explain(g *findings.Group) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s, %s\n", c.masked(g), c.title(g), g.Severity)
	if to := c.replacement(g); to != "" && !g.Dismissed {
		fmt.Fprintf(&out, "Redacting writes %s\n", to)
	}
	places := append(append([]findings.Place(nil), g.Places...), g.Exempt...)
	for i := range places[:min(len(places), explainedMost)] {
		out.WriteString("\n" + placeLine(g, i+1) + "\n")
		if p := &places[i]; p.Why != "" {
			out.WriteString("  found as " + text.Clean(p.Why) + "\n")
		}
		out.WriteString("  " + text.Clean(strings.TrimSpace(places[i].Context(c.masked(g)))) + "\n")
	}
	if more := len(places) - explainedMost; more > 0 {
		fmt.Fprintf(&out, "\nand %s\n", kit.CountGrouped(more, "more place"))
	}
	all := strings.TrimRight(out.String(), "\n")
	if c.env.ASCII {
		all = strings.ReplaceAll(all, "•", "*")
	}
	return all
}

// explainedMost bounds the places in an explanation.
const explainedMost = 50

// Facts implements [kit.Explained]: why the value under the cursor was found.
func (s *Screen) Facts() string {
	if g := s.list.group(); g != nil {
		return s.list.choices.explain(g)
	}
	return ""
}

// Explains implements [kit.Explained].
func (s *Screen) Explains() bool { return true }

var _ kit.Explained = (*Screen)(nil)
