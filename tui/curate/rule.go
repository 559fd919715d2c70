package curate

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

const labelRule = "Writing the configuration"

// configWriter asks about changes of the configuration, writes them, and undoes and redoes the written ones. Its methods run on the
// Bubble Tea goroutine.
type configWriter struct {
	env     *kit.Env
	shell   act.Shell
	edits   *act.Queue
	place   ConfigPlace
	list    bool                       // the changes are about the list of stores: they are possible whatever store is open
	written func(e configEdit) tea.Cmd // takes in what was written
}

// refuses reports whether nothing can be written, and says why.
func (w *configWriter) refuses() bool {
	switch {
	case !w.list && w.edits.Blocked():
		return true
	case w.place.File == "":
		w.shell.Tell(kit.Info, "No configuration file to write to. Restart with --config FILE")
		return true
	}
	return false
}

// change has a change of the configuration worked out, and asks before it is written. act is the question without its mark, done the
// beginning of the message once it is written.
func (w *configWriter) change(act, done string, edit func(data []byte) ([]byte, error)) tea.Cmd {
	if w.refuses() {
		return nil
	}
	place := w.place
	return kit.Start(w.env.Jobs, kit.Job[configEdit]{
		Owner: ownerRule, Label: labelRule, Done: w.received,
		Work: func(context.Context, *kit.Progress) (configEdit, error) {
			e := proposeEdit(place, edit)
			e.asks, e.said, e.did = act+"?", done, done
			return e, nil
		},
	})
}

// received asks about a proposed change, or reports the outcome of a written one.
func (w *configWriter) received(e configEdit) tea.Cmd {
	switch {
	case e.why != "":
		w.shell.Tell(kit.Warn, w.env.Keyed(e.why))
		return nil
	case !e.written:
		w.ask(e)
		return nil
	}
	w.shell.Tell(kit.Info, w.env.Keyed(e.said))
	replan := w.written(e)
	if e.undoes {
		return replan
	}
	act := act.Beside{Owner: ownerRule, Undo: func() tea.Cmd { return w.undo(e) }, Redo: func() tea.Cmd { return w.redo(e) }}
	return tea.Batch(w.edits.Beside(act), replan)
}

// ask asks whether to write a change: its lines, where they go, and the way back. The whole file is a key away.
func (w *configWriter) ask(e configEdit) {
	where := " from " + filepath.Base(e.file)
	if _, added, _ := changedLines(e.base(), e.after); len(added) > 0 {
		where = " at " + e.place()
	}
	e.said += where + ". {global/undo} undoes"
	body := e.intro(w.place.Home) + "\n"
	for _, line := range e.lines() {
		body += "  " + text.Clean(line) + "\n"
	}
	question := overlay.NewQuestionIn(w.env, e.asks, body+w.env.Keyed("{global/undo} undoes."), keymap.RuleChange).
		Label(keymap.Yes, strings.TrimSuffix(e.asks, "?")).Label(keymap.ExpandAll, "Whole file")
	question.Diff = true
	write := func() tea.Cmd { return w.write(e) }
	w.shell.Open(kit.Box{Overlay: question, Answers: map[keymap.ID]func() tea.Cmd{
		keymap.Yes: write, keymap.ExpandAll: func() tea.Cmd {
			box := diffpane.NewBox(w.env, e.asks, w.env.Keyed("{confirm/yes} writes it, {confirm/no} cancels"))
			w.shell.Open(kit.Box{Overlay: box, Answers: kit.Answers(write, nil)})
			return box.Compare(filepath.Base(e.file), e.file, diffpane.InMemory(e.before), diffpane.InMemory(e.after))
		},
	}})
}

// write writes a change of the configuration.
func (w *configWriter) write(e configEdit) tea.Cmd {
	place := w.place
	return kit.Start(w.env.Jobs, kit.Job[configEdit]{
		Owner: ownerRule, Label: labelRule, Write: true, Done: w.received,
		Work: func(context.Context, *kit.Progress) (configEdit, error) { return e.write(place), nil },
	})
}

// undo undoes a change of the configuration. A file that it created stays, as created.
func (w *configWriter) undo(done configEdit) tea.Cmd {
	return w.write(done.reverse("Undid the change to " + done.what() + ". {global/redo} redoes"))
}

// what names a written change: "config.toml: Pinned a.md".
func (e configEdit) what() string { return filepath.Base(e.file) + ": " + e.did }

// redo does a change of the configuration again that was undone.
func (w *configWriter) redo(done configEdit) tea.Cmd {
	again := done.reverse("")
	again.before, again.after = again.after, again.before
	again.said = "Redid the change to " + done.what() + ". {global/undo} undoes"
	return w.write(again)
}

// configWritten takes in the rules that were written. The next plan puts the cursor on what a new rule proposes.
func (s *Screen) configWritten(e configEdit) tea.Cmd {
	s.edits.Rules, s.wrote, s.reveal = e.rules, true, e.made
	return s.Replan()
}
