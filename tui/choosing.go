package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// choice is a list to choose from, with what the chosen row means.
type choice struct {
	*overlay.Choice
	take func(row int)
}

func (m *Model) choose(title string, options []overlay.Option, at int, take func(row int)) {
	m.open(&choice{overlay.NewChoice(m.env, title, options, at), take})
	m.line.Open(prompt.Choice, "")
}

// choiceAccepted takes the row under the cursor of the list on top; where nothing matches the line stays.
func (m *Model) choiceAccepted() tea.Cmd {
	c, ok := m.overlays[len(m.overlays)-1].(*choice)
	if !ok {
		return nil
	}
	row, ok := c.Chosen()
	if !ok {
		m.line.Problem = ui.TextChoiceNone
		return nil
	}
	m.line.Close(false)
	m.closeTop()
	c.take(row)
	return nil
}

// chooseClass asks what values of one class are to be taken for.
func (m *Model) chooseClass(groups []*findings.Group) {
	s := &m.sensitive
	if s.engine == nil || len(groups) == 0 {
		return
	}
	classes := s.engine.Classes()
	slices.SortFunc(classes, func(a, b scrub.Class) int { return cmp.Compare(a.Name, b.Name) })
	now, at := s.box.Class(groups[0]), -1
	options := make([]overlay.Option, len(classes))
	for i, c := range classes {
		options[i] = overlay.Option{Name: c.Name, Text: c.Title + " (" + c.Severity.String() + ")"}
		if c.Name == now {
			at = i
		}
	}
	m.choose(ui.ClassQuestion(len(groups), now, s.box.Masked(groups[0])), options, at, func(row int) { s.box.SetClass(groups, classes[row].Name) })
}

// chooseAction asks what is to take the place of values of one class.
func (m *Model) chooseAction(groups []*findings.Group) {
	s := &m.sensitive
	if s.engine == nil || len(groups) == 0 {
		return
	}
	class := s.box.Class(groups[0])
	actions := append([]scrub.Action{""}, scrub.Actions()...)
	options := make([]overlay.Option, len(actions))
	for i, a := range actions {
		options[i] = overlay.Option{Name: string(a), Text: ui.ActionText(string(a))}
		if a == "" {
			options[i].Name = ui.ConfiguredText(string(m.options.Scrub.Treatment.Of(class)))
		}
	}
	at := slices.Index(actions, s.box.Actions()[groups[0].ID])
	m.choose(ui.ActionQuestion(len(groups), class, s.box.Masked(groups[0])), options, at, func(row int) { s.box.SetAction(groups, actions[row]) })
}

// becomes says what takes the place of a value, in words.
func (m *Model) becomes(g *findings.Group) string {
	s := &m.sensitive
	if s.engine == nil {
		return ""
	}
	class, t := s.box.Class(g), m.options.Scrub.Treatment
	action := cmp.Or(s.box.Actions()[g.ID], t.Of(class))
	switch action {
	case scrub.Line:
		return ui.TextLineGoes
	case scrub.Ignore:
		return ui.TextStays
	}
	t.Default, t.Classes = action, nil
	return t.Placeholder(class, s.engine.Class(class).Personal, strings.TrimSpace(g.Value()))
}

// findingsWork says what is being done about sensitive values, "" for nothing.
func (m *Model) findingsWork() string {
	owner := ownerScrub
	if m.sensitive.stop == nil {
		owner = ownerScan
	}
	job, ok := m.env.Jobs.Of(owner)
	if !ok || owner == ownerScan && job.Since < tickEvery {
		return ""
	}
	if owner == ownerScan {
		return ui.FindingsWork("", job.Label, job.Done, job.Total)
	}
	step, _ := m.sensitive.step.Load().(findings.Step)
	stops := m.env.Keyed(ui.TextScrubStops)
	if m.sensitive.stopping {
		stops = ui.TextScrubStopping
	}
	return ui.FindingsWork(stops, ui.ScrubStep(string(step), job.Done, job.Total), job.Done, job.Total)
}
