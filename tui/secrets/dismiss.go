package secrets

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// dismissal is one that the user made here, or the withdrawal of one.
type dismissal struct {
	list []findings.Dismissal
	on   bool   // dismissed; else withdrawn
	what string // the value, masked, or how many
}

// askDismiss asks for the scope in which the chosen values are dismissed. A dismissed value counts again.
func (s *Screen) askDismiss() tea.Cmd {
	r, ok := s.list.Current()
	if ok && len(s.list.Selection()) == 0 && (r.group.Dismissed || r.place > len(r.group.Places)) {
		return s.dismiss(dismissal{list: r.group.Dismissals, what: s.masked(r.group)})
	}
	groups := s.chosen()
	if len(groups) == 0 {
		return nil
	}
	what, now := s.called(groups), s.env.Now()
	scope := func(of func(*findings.Group) []findings.Dismissal) func() tea.Cmd {
		return func() tea.Cmd {
			var list []findings.Dismissal
			for _, g := range groups {
				list = append(list, of(g)...)
			}
			return s.dismiss(dismissal{list, true, what})
		}
	}
	body := s.names(groups)
	if at := r.at(); len(groups) == 1 && r.group == groups[0] {
		body += "\n\n" + r.line() + "\n" + strings.TrimSpace(s.env.MaskedText(text.Clean(at.Before))+what+s.env.MaskedText(text.Clean(at.After)))
	}
	s.shell.Open(kit.Box{
		Overlay: overlay.NewQuestionIn(s.env, "Dismiss "+what+"?", body, keymap.Dismissing),
		Answers: map[keymap.ID]func() tea.Cmd{
			"dismiss-value": scope(func(g *findings.Group) []findings.Dismissal { return []findings.Dismissal{findings.Dismiss(g, now)} }),
			"dismiss-in-file": scope(func(g *findings.Group) []findings.Dismissal {
				if len(groups) > 1 {
					return inFiles(findings.Dismiss(g, now), g)
				}
				one := findings.Dismiss(g, now)
				one.Path = r.at().Path
				return []findings.Dismissal{one}
			}),
		},
	})
	return nil
}

// inFiles are the dismissals of a value in each of the files that hold it now.
func inFiles(d findings.Dismissal, g *findings.Group) (list []findings.Dismissal) {
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

// dismiss records dismissals, or withdraws them. Undo reaches it from every screen.
func (s *Screen) dismiss(a dismissal) tea.Cmd {
	back := a
	back.on = !a.on
	return tea.Batch(s.record(a), s.edits.Beside(ownerDismiss, func() tea.Cmd { return s.record(back) }))
}

func (s *Screen) record(a dismissal) tea.Cmd {
	memory := s.o.Scrubbing.Memory
	return kit.Start(s.env.Jobs, kit.Job[outcome]{
		Owner: ownerDismiss, Label: "dismissing",
		Work: func(context.Context, *kit.Progress) (outcome, error) {
			if a.on {
				return outcome{memory.Dismiss(a.list...)}, nil
			}
			return outcome{memory.Withdraw(a.list...)}, nil
		},
		Done: func(out outcome) tea.Cmd {
			s.tellDismissed(a, out.err)
			return s.scanNow()
		},
	})
}

func (s *Screen) tellDismissed(a dismissal, err error) {
	switch {
	case err != nil:
		s.shell.Tell(kit.Warn, "Can't store the dismissal in the state folder. It lasts until you quit")
	case !a.on:
		s.shell.Tell(kit.Info, "No longer dismissed: "+a.what)
	default:
		s.shell.Tell(kit.Info, "Dismissed "+a.what+s.env.Keyed(". {list/show-hidden} shows it; {global/undo} undoes"))
	}
}
