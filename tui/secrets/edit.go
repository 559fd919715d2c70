package secrets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
	"memcurator/tui/overlay"
)

// edit offers to change the replacement and the class of the value under the cursor, or of all values of its class.
func (s *Screen) edit() {
	g := s.list.group()
	if g == nil || s.engine == nil || g.Dismissed {
		return
	}
	one, alike := single(g), s.list.alike(g)
	options := []overlay.Option{{Name: "Replacement", Text: "of this value"}, {Name: "Class", Text: "of this value"}}
	runs := []func(){func() { s.chooseAction(one) }, func() { s.chooseClass(one) }}
	if len(alike) > 1 {
		of := fmt.Sprintf("of all %d values like it", len(alike))
		options = append(options, overlay.Option{Name: "Replacement", Text: of}, overlay.Option{Name: "Class", Text: of})
		runs = append(runs, func() { s.chooseAction(alike) }, func() { s.chooseClass(alike) })
	}
	s.Choose("Edit "+s.name(one), options, 0, func(row int) { runs[row]() })
}

// about runs something on the value under the cursor, or on those that go with it.
func (s *Screen) about(run func([]*findings.Group), with func(*findings.Group) []*findings.Group) func() {
	return func() {
		if g := s.list.group(); g != nil && s.engine != nil && !g.Dismissed {
			run(with(g))
		}
	}
}

func single(g *findings.Group) []*findings.Group { return []*findings.Group{g} }

// name names one value, or several of a class.
func (s *Screen) name(groups []*findings.Group) string {
	class := s.title(s.list.classOf(groups[0]))
	if len(groups) == 1 {
		return s.list.masked(groups[0]) + " (" + class + ")"
	}
	return fmt.Sprintf("%d values (%s)", len(groups), class)
}

// chooseClass asks for the class of values of one class.
func (s *Screen) chooseClass(groups []*findings.Group) {
	classes := s.engine.Classes()
	slices.SortFunc(classes, func(a, b rule.Class) int {
		return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	now := s.list.classOf(groups[0])
	options := make([]overlay.Option, len(classes))
	for i, c := range classes {
		options[i] = overlay.Option{Name: c.Title, Text: c.Severity.String()}
	}
	at := slices.IndexFunc(classes, func(c rule.Class) bool { return c.Name == now })
	s.Choose("Class of "+s.name(groups), options, at, func(row int) { s.list.setClass(groups, classes[row].Name) })
}

// replacements are the forms of a replacement, with a description; the first is the one that the configuration sets.
var replacements = []struct {
	action redact.Action
	text   string
}{
	{"", "what the configuration sets for its class"},
	{redact.Tag, "the name of its class"},
	{redact.Pseudonym, "a name that the same value always gets"},
	{redact.Partial, "the last digits of a card, the host of an address; nothing of a secret"},
	{redact.Line, "the whole line goes, where the format allows it"},
}

// chooseAction asks what replaces values of one class.
func (s *Screen) chooseAction(groups []*findings.Group) {
	options, at := make([]overlay.Option, len(replacements)), 0
	for i, r := range replacements {
		options[i] = overlay.Option{Name: string(r.action), Text: r.text}
		if r.action == "" {
			options[i].Name = "as configured: " + string(s.Scrubbing.Treatment.Of(s.list.classOf(groups[0])))
		}
		if r.action == s.list.action[groups[0].ID] {
			at = i
		}
	}
	s.Choose("Replacement of "+s.name(groups), options, at, func(row int) { s.list.setAction(groups, replacements[row].action) })
}

// replacement is what a redaction writes instead of a value.
func (s *Screen) replacement(g *findings.Group) string {
	if s.engine == nil {
		return ""
	}
	class, t := s.list.classOf(g), s.Scrubbing.Treatment
	action := cmp.Or(s.list.action[g.ID], t.Of(class))
	switch action {
	case redact.Line:
		return "(line deleted)"
	case redact.Ignore:
		return "(ignored)"
	}
	t.Default, t.Classes = action, nil
	return t.Placeholder(class, s.engine.Class(class).Personal, strings.TrimSpace(g.Value()))
}
