package secrets

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// choices are the classes that the user sets for single values, in place of those that the scan found. Make them with newChoices.
type choices struct {
	env     *kit.Env
	shell   act.Shell
	o       *Options
	engine  func() *scrub.Engine // nil: not made yet
	changed func()

	class map[string]string // by id
}

func newChoices(env *kit.Env, shell act.Shell, o *Options, engine func() *scrub.Engine, changed func()) *choices {
	return &choices{env, shell, o, engine, changed, map[string]string{}}
}

// forget drops the choices for values that are gone.
func (c *choices) forget(still map[string]bool) {
	forget(c.class, still)
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

// summary is a value in one line of another list.
func (c *choices) summary(g *findings.Group) string {
	class := text.Pad(text.Truncate(c.cell(g), 22, c.env.Styles.Glyphs.Ellipsis), 22)
	return text.Pad(g.Severity.String(), 8) + "  " + class + "  " + text.Pad(c.masked(g), 16) + "  " + placeName(&g.Places[0])
}

func single(g *findings.Group) []*findings.Group { return []*findings.Group{g} }

// replacement is what a redaction writes instead of a value.
func (c *choices) replacement(g *findings.Group) string {
	return redact.Placeholder(c.of(g))
}

// scrubber removes values from the store, as they are chosen now.
func (c *choices) scrubber() *findings.Scrubber {
	o, base := c.o.Scrubbing, ""
	if o.StateDir != "" {
		base = filepath.Dir(o.StateDir)
	}
	return &findings.Scrubber{
		Engine: c.engine(), Memory: o.Memory, Store: c.o.Handlers, Journal: c.o.Lasting,
		StateDir: o.StateDir, Dir: o.Dir, Base: base, Class: maps.Clone(c.class),
	}
}

// offer offers to change the class of a value, or of all that are alike.
func (c *choices) offer(g *findings.Group, alike []*findings.Group) {
	one := single(g)
	if len(alike) < 2 {
		c.chooseClass(one)
		return
	}
	options := []overlay.Option{{Name: "Class", Text: "of this value"}, {Name: "Class", Text: fmt.Sprintf("of all %d values like it", len(alike))}}
	c.shell.Choose("Edit "+c.name(one), options, 0, func(row int) tea.Cmd {
		c.chooseClass([][]*findings.Group{one, alike}[row])
		return nil
	})
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
	c.shell.Choose("Class of "+c.name(groups), options, at, func(row int) tea.Cmd {
		c.setClass(groups, classes[row].Name)
		return nil
	})
}

func (c *choices) setClass(groups []*findings.Group, class string) {
	for _, g := range groups {
		if delete(c.class, g.ID); class != g.Class {
			c.class[g.ID] = class
		}
	}
	c.changed()
}
