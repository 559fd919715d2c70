package curate

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/config"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

const labelRule = "Writing the configuration"

// change has a change of the configuration worked out, and asks before it is written. act is the question without its mark, done the
// beginning of the message once it is written.
func (s *Screen) change(act, done string, edit func(data []byte) ([]byte, error)) tea.Cmd {
	place := s.Config
	switch {
	case s.edits.Blocked():
		return nil
	case place.File == "":
		s.shell.Tell(ui.Info, "No configuration file to write to. Restart with --config FILE")
		return nil
	}
	return ui.Start(s.env.Jobs, ui.Job[configEdit]{
		Owner: ownerRule, Label: labelRule, Done: s.ruleReceived,
		Work: func(context.Context, *ui.Progress) (configEdit, error) {
			e := proposeEdit(place, edit)
			e.asks, e.said = act+"?", done
			return e, nil
		},
	})
}

// ruleReceived asks about a proposed change of the configuration, or reports what became of a written one.
func (s *Screen) ruleReceived(e configEdit) tea.Cmd {
	switch {
	case e.why != "":
		s.shell.Tell(ui.Warn, s.env.Keyed(e.why))
		return nil
	case !e.written:
		s.askChange(e)
		return nil
	}
	s.Rules, s.wrote, s.reveal = e.rules, true, e.made
	s.shell.Tell(ui.Info, s.env.Keyed(e.said))
	if e.undoes {
		return s.Replan()
	}
	act := edits.Beside{Owner: ownerRule, Undo: func() tea.Cmd { return s.undoRule(e) }, Redo: func() tea.Cmd { return s.redoRule(e) }}
	return tea.Batch(s.edits.Beside(act), s.Replan())
}

// askChange asks whether to write a change: its lines, where they go, and the way back. The whole file is a key away.
func (s *Screen) askChange(e configEdit) {
	where := " from " + filepath.Base(e.file)
	if _, added, _ := changedLines(e.base(), e.after); len(added) > 0 {
		where = " at " + e.place()
	}
	e.said += where + ". {global/undo} undoes"
	body := e.intro(s.Config.Home) + "\n"
	for _, line := range e.lines() {
		body += "  " + text.Clean(line) + "\n"
	}
	if rest := e.outro(); rest != "" {
		body += rest + " "
	}
	question := overlay.NewQuestionIn(s.env, e.asks, body+s.env.Keyed("{global/undo} undoes."), keymap.RuleChange).
		Label(keymap.Yes, strings.TrimSuffix(e.asks, "?")).Label(keymap.ExpandAll, "Whole file")
	question.Diff = true
	write := func() tea.Cmd { return s.writeRule(e) }
	s.shell.Open(ui.Box{Overlay: question, Answers: map[keymap.ID]func() tea.Cmd{
		keymap.Yes: write, keymap.ExpandAll: func() tea.Cmd {
			box := diffpane.NewBox(s.env, e.asks, s.env.Keyed("{confirm/yes} writes it, {confirm/no} cancels"))
			s.shell.Open(ui.Box{Overlay: box, Answers: ui.Answers(write, nil)})
			return box.Compare(filepath.Base(e.file), e.file, diffpane.InMemory(e.before), diffpane.InMemory(e.after))
		},
	}})
}

// writeRule writes a change of the configuration.
func (s *Screen) writeRule(e configEdit) tea.Cmd {
	place := s.Config
	return ui.Start(s.env.Jobs, ui.Job[configEdit]{
		Owner: ownerRule, Label: labelRule, Write: true, Done: s.ruleReceived,
		Work: func(context.Context, *ui.Progress) (configEdit, error) { return e.write(place), nil },
	})
}

// undoRule undoes a change of the configuration. A file that it began stays, as it was begun.
func (s *Screen) undoRule(done configEdit) tea.Cmd {
	return s.writeRule(done.reverse("Undid the change to " + filepath.Base(done.file) + ". {global/redo} redoes"))
}

// redoRule does a change of the configuration again that was undone.
func (s *Screen) redoRule(done configEdit) tea.Cmd {
	again := done.reverse("")
	again.before, again.after = again.after, again.before
	again.said = "Redid the change to " + filepath.Base(done.file) + ". {global/undo} undoes"
	return s.writeRule(again)
}

// removeRule proposes the configuration without the rule under the cursor.
func (s *Screen) removeRule() tea.Cmd {
	row, ok := s.rules.Selected()
	if !ok || row.At >= len(s.Rules.Rules) {
		return nil
	}
	r, place := s.Rules.Rules[row.At], s.Config
	if r.Index < 0 {
		s.shell.Tell(ui.Info, s.env.Keyed("A preset sets this. {curate/new-rule} makes a rule that overrides it"))
		return nil
	}
	return s.change("Remove the rule in line "+strconv.Itoa(r.At.Line), "Removed the rule", func(data []byte) ([]byte, error) {
		d, err := config.Edit(place.File, data, place.Home)
		if err != nil {
			return nil, err
		}
		splice, err := d.RemoveRule(config.Place{Store: r.Store, Section: "rule", Rule: r.Index})
		if err != nil {
			return nil, err
		}
		return d.Apply(place.Home, splice)
	})
}
