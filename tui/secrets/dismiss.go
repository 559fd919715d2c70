package secrets

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/tui/kit"
)

// dismissal is one that the user made here, or the withdrawal of one.
type dismissal struct {
	list []findings.Dismissal
	on   bool   // dismissed; else withdrawn
	what string // the value, masked, or how many
}

// decline dismisses the chosen values. A dismissed value under the cursor counts again.
func (s *Screen) decline() tea.Cmd {
	r, ok := s.list.Current()
	if ok && len(s.list.Selection()) == 0 && r.secret.Dismissal != nil {
		return s.dismiss(dismissal{list: []findings.Dismissal{*r.secret.Dismissal}, what: s.masked(r.secret)})
	}
	var list []findings.Dismissal
	secrets := s.chosen()
	for _, secret := range secrets {
		list = append(list, findings.Dismiss(secret, s.env.Now()))
	}
	if len(list) == 0 {
		return nil
	}
	return s.dismiss(dismissal{list, true, s.called(secrets)})
}

// dismiss records dismissals, or withdraws them. Undo reaches it from every screen.
func (s *Screen) dismiss(a dismissal) tea.Cmd {
	back := a
	back.on = !a.on
	do := func() tea.Cmd { return s.record(a, "{global/undo} undoes") }
	undo := func() tea.Cmd { return s.record(back, "{global/redo} redoes") }
	return tea.Batch(do(), s.edits.AddUnrecorded(ownerDismiss, undo, do))
}

// record carries a dismissal out; next names the key that takes it back.
func (s *Screen) record(a dismissal, next string) tea.Cmd {
	memory := s.o.Scrubbing.State
	return kit.Start(s.env.Jobs, kit.Job[outcome]{
		Owner: ownerDismiss, Label: "dismissing",
		Work: func(context.Context, *kit.Progress) (outcome, error) {
			if a.on {
				return outcome{memory.Dismiss(a.list...)}, nil
			}
			return outcome{memory.Withdraw(a.list...)}, nil
		},
		Done: func(out outcome) tea.Cmd {
			s.tellDismissed(a, next, out.err)
			return s.scan()
		},
	})
}

func (s *Screen) tellDismissed(a dismissal, next string, err error) {
	switch {
	case err != nil:
		s.shell.Tell(kit.Warn, "Can't store the dismissal in the state folder. It lasts until you quit")
	case !a.on:
		s.shell.Tell(kit.Info, "No longer dismissed: "+a.what+s.env.Keyed(". "+next))
	default:
		s.shell.Tell(kit.Info, "Dismissed "+a.what+s.env.Keyed(". {list/show-hidden} shows it; "+next))
	}
}
