package secrets

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// choices are what the user takes single values for: another class than the scan found, another replacement than the configuration
// sets. Make them with newChoices.
type choices struct {
	env     *ui.Env
	o       *Options
	engine  func() *scrub.Engine // nil: not made yet
	changed func()

	class  map[string]string        // by id
	action map[string]redact.Action // by id
}

func newChoices(env *ui.Env, o *Options, engine func() *scrub.Engine, changed func()) *choices {
	return &choices{env, o, engine, changed, map[string]string{}, map[string]redact.Action{}}
}

// forget drops the choices for values that are gone.
func (c *choices) forget(still map[string]bool) {
	forget(c.class, still)
	forget(c.action, still)
}

func forget[T any](m map[string]T, still map[string]bool) {
	maps.DeleteFunc(m, func(id string, _ T) bool { return !still[id] })
}

// of is the class of a value.
func (c *choices) of(g *findings.Group) string { return cmp.Or(c.class[g.ID], g.Class) }

// title is the class of a value as people call it.
func (c *choices) title(g *findings.Group) string { return c.titleOf(c.of(g)) }

// titleOf is a class as people call it.
func (c *choices) titleOf(class string) string {
	if e := c.engine(); e != nil {
		return e.Class(class).Title
	}
	return class
}

// cell is the class of a value for its column, with an arrow where the user chose another one.
func (c *choices) cell(g *findings.Group) string {
	title := text.Clean(c.title(g))
	if c.of(g) != g.Class {
		title = c.env.Styles.Glyphs.Arrow + title
	}
	return title
}

// masked is a value with dots, in ASCII where the terminal has only that.
func (c *choices) masked(g *findings.Group) string {
	masked := text.Clean(g.Masked())
	if c.env.ASCII {
		masked = strings.ReplaceAll(masked, "•", "*")
	}
	return masked
}

// name names one value, or several of a class.
func (c *choices) name(groups []*findings.Group) string {
	if len(groups) == 1 {
		return c.masked(groups[0]) + " (" + c.title(groups[0]) + ")"
	}
	return fmt.Sprintf("%d values (%s)", len(groups), c.title(groups[0]))
}

// names lists values, up to eight of them.
func (c *choices) names(groups []*findings.Group) string {
	const named = 8
	var lines []string
	for _, g := range groups[:min(len(groups), named)] {
		lines = append(lines, c.name(single(g)))
	}
	if n := len(groups) - named; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}

func single(g *findings.Group) []*findings.Group { return []*findings.Group{g} }

// replacement is what a redaction writes instead of a value.
func (c *choices) replacement(g *findings.Group) string {
	engine := c.engine()
	if engine == nil {
		return ""
	}
	class, t := c.of(g), c.o.Scrubbing.Treatment
	action := cmp.Or(c.action[g.ID], t.Of(class))
	switch action {
	case redact.Line:
		return "(line deleted)"
	case redact.Ignore:
		return "(ignored)"
	}
	t.Default, t.Classes = action, nil
	return t.Placeholder(class, engine.Class(class).Personal, strings.TrimSpace(g.Value()))
}

// scrubber removes values from the store, as they are chosen now.
func (c *choices) scrubber() *findings.Scrubber {
	o, base := c.o.Scrubbing, ""
	if o.StateDir != "" {
		base = filepath.Dir(o.StateDir)
	}
	return &findings.Scrubber{
		Engine: c.engine(), Memory: o.Memory, Treatment: o.Treatment, Store: c.o.Store(), Journal: c.o.Journal,
		StateDir: o.StateDir, Dir: o.Dir, Base: base, Class: maps.Clone(c.class), Action: maps.Clone(c.action),
	}
}

// offer offers to change the replacement and the class of a value, or of all that are alike.
func (c *choices) offer(g *findings.Group, alike []*findings.Group) {
	one := single(g)
	options := []overlay.Option{{Name: "Replacement", Text: "of this value"}, {Name: "Class", Text: "of this value"}}
	runs := []func(){func() { c.chooseAction(one) }, func() { c.chooseClass(one) }}
	if len(alike) > 1 {
		of := fmt.Sprintf("of all %d values like it", len(alike))
		options = append(options, overlay.Option{Name: "Replacement", Text: of}, overlay.Option{Name: "Class", Text: of})
		runs = append(runs, func() { c.chooseAction(alike) }, func() { c.chooseClass(alike) })
	}
	c.o.Choose("Edit "+c.name(one), options, 0, func(row int) { runs[row]() })
}

// chooseClass asks for the class of values of one class.
func (c *choices) chooseClass(groups []*findings.Group) {
	classes := c.engine().Classes()
	slices.SortFunc(classes, func(a, b rule.Class) int {
		return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	now := c.of(groups[0])
	options := make([]overlay.Option, len(classes))
	for i, class := range classes {
		options[i] = overlay.Option{Name: class.Title, Text: class.Severity.String()}
	}
	at := slices.IndexFunc(classes, func(class rule.Class) bool { return class.Name == now })
	c.o.Choose("Class of "+c.name(groups), options, at, func(row int) { c.setClass(groups, classes[row].Name) })
}

func (c *choices) setClass(groups []*findings.Group, class string) {
	for _, g := range groups {
		if delete(c.class, g.ID); class != g.Class {
			c.class[g.ID] = class
		}
	}
	c.changed()
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
func (c *choices) chooseAction(groups []*findings.Group) {
	options, at := make([]overlay.Option, len(replacements)), 0
	for i, r := range replacements {
		options[i] = overlay.Option{Name: string(r.action), Text: r.text}
		if r.action == "" {
			options[i].Name = "as configured: " + string(c.o.Scrubbing.Treatment.Of(c.of(groups[0])))
		}
		if r.action == c.action[groups[0].ID] {
			at = i
		}
	}
	c.o.Choose("Replacement of "+c.name(groups), options, at, func(row int) { c.setAction(groups, replacements[row].action) })
}

func (c *choices) setAction(groups []*findings.Group, action redact.Action) {
	for _, g := range groups {
		if delete(c.action, g.ID); action != "" {
			c.action[g.ID] = action
		}
	}
	c.changed()
}
