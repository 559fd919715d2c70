package secrets

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// act is a dismissal that the user made here, or the withdrawal of one.
type act struct {
	list []findings.Dismissal
	on   bool   // dismissed; else withdrawn
	what string // the value, masked, or how many
}

// askDismiss asks for the scope in which the selected values, or the one under the cursor, are dismissed. A dismissed value counts
// again.
func (s *Screen) askDismiss() tea.Cmd {
	if s.Scrubbing == nil {
		return nil
	}
	g, n := s.list.here()
	switch {
	case g != nil && len(s.list.selected) == 0 && (g.Dismissed || n > len(g.Places)):
		return s.dismiss(act{list: g.Dismissals, what: s.list.masked(g)})
	case g == nil && len(s.list.selected) == 0:
		return nil
	}
	groups := s.list.chosen()
	what := s.list.masked(groups[0])
	if len(groups) > 1 {
		what = ui.CountGrouped(len(groups), "value")
	}
	now := s.env.Now()
	scoped := func(scope func(*findings.Group) []findings.Dismissal) func() tea.Cmd {
		return func() tea.Cmd {
			var list []findings.Dismissal
			for _, g := range groups {
				list = append(list, scope(g)...)
			}
			return s.dismiss(act{list, true, what})
		}
	}
	one := func(make func(*findings.Group) findings.Dismissal) func() tea.Cmd {
		return scoped(func(g *findings.Group) []findings.Dismissal { return []findings.Dismissal{make(g)} })
	}
	place, _ := s.list.place()
	body, value, file := s.title(s.list.classOf(groups[0]))+", "+placeName(&place), "This value anywhere", "In this file"
	if len(groups) > 1 {
		body, value, file = s.names(groups), "These values anywhere", "In their files"
	}
	s.shell.Open(ui.Box{
		Overlay: overlay.NewQuestionIn(s.env, "Dismiss "+what+"?", body, keymap.Dismissing).Label(keymap.DismissValue, value).
			Label(keymap.DismissInFile, file),
		Answers: map[keymap.ID]func() tea.Cmd{
			keymap.DismissValue: one(func(g *findings.Group) findings.Dismissal { return findings.Dismiss(g, now) }),
			keymap.KeepValue:    one(func(g *findings.Group) findings.Dismissal { return findings.Keep(g, now) }),
			keymap.DismissInFile: scoped(func(g *findings.Group) (list []findings.Dismissal) {
				if len(groups) > 1 {
					return inFiles(g, findings.Dismiss(g, now))
				}
				d := findings.Dismiss(g, now)
				d.Path = place.Path
				return []findings.Dismissal{d}
			}),
		},
	})
	return nil
}

// keep dismisses the selected values, or the one under the cursor, for a time.
func (s *Screen) keep() tea.Cmd {
	var list []findings.Dismissal
	for _, g := range s.list.chosen() {
		list = append(list, findings.Keep(g, s.env.Now()))
	}
	if len(list) == 0 {
		return nil
	}
	return s.dismiss(act{list, true, ui.CountGrouped(len(list), "value")})
}

// inFiles are the dismissals of a value in each of the files that hold it now.
func inFiles(g *findings.Group, d findings.Dismissal) (list []findings.Dismissal) {
	seen := map[string]bool{}
	for _, p := range g.Places {
		if !seen[p.Path] && !p.Past {
			seen[p.Path] = true
			d.Path = p.Path
			list = append(list, d)
		}
	}
	return list
}

// dismiss records dismissals, or withdraws them.
func (s *Screen) dismiss(a act) tea.Cmd {
	s.undone = nil
	return s.carryOut(a, func() tea.Cmd { return s.reachable(a) })
}

// dismissed is the outcome of recording dismissals.
type dismissed struct {
	act  act
	err  error
	kept func() tea.Cmd
}

// carryOut records an act; kept is called once it is done.
func (s *Screen) carryOut(a act, kept func() tea.Cmd) tea.Cmd {
	memory := s.Scrubbing.Memory
	return ui.Start(s.env.Jobs, ui.Job[dismissed]{
		Owner: ownerDismiss, Label: "dismissing", Done: s.dismissed,
		Work: func(context.Context, *ui.Progress) (dismissed, error) {
			if a.on {
				return dismissed{a, memory.Dismiss(a.list...), kept}, nil
			}
			return dismissed{a, memory.Withdraw(a.list...), kept}, nil
		},
	})
}

func (s *Screen) dismissed(v dismissed) tea.Cmd {
	kept := v.kept()
	switch {
	case v.err != nil:
		s.Log.Error("dismiss", "error", v.err)
		s.shell.Tell(ui.Warn, "Can't store the dismissal in the state folder. It lasts until you quit")
	case v.act.on:
		s.shell.Tell(ui.Info, "Dismissed "+v.act.what+s.env.Keyed(". {findings/show-hidden} shows it; {global/undo} undoes"))
	default:
		s.shell.Tell(ui.Info, v.act.what+" counts again")
	}
	return tea.Batch(kept, s.scanAfter())
}

// reachable lets undo reach an act from every screen.
func (s *Screen) reachable(a act) tea.Cmd {
	return s.edits.Beside(ownerDismiss, func() tea.Cmd {
		back := a
		back.on = !a.on
		return s.carryOut(back, func() tea.Cmd {
			s.undone = append(s.undone, a)
			return nil
		})
	})
}

// undo undoes the last act of the user, unless values are being removed.
func (s *Screen) undo() tea.Cmd {
	if s.removal.busy() {
		return nil
	}
	return s.edits.Undo()
}

// redo repeats a dismissal that was undone; without one it redoes the last edit of the store.
func (s *Screen) redo() tea.Cmd {
	n := len(s.undone) - 1
	if n < 0 || s.removal.busy() {
		return s.edits.Redo()
	}
	again := s.undone[n]
	s.undone = s.undone[:n]
	return s.carryOut(again, func() tea.Cmd { return s.reachable(again) })
}
