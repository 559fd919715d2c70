package secrets

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/tui/act"
	"memcurator/tui/edits"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// dismissal is one that the user made here, or the withdrawal of one.
type dismissal struct {
	list []findings.Dismissal
	on   bool   // dismissed; else withdrawn
	what string // the value, masked, or how many
}

// dismissals dismiss values and withdraw dismissals.
type dismissals struct {
	env     *kit.Env
	shell   act.Shell
	edits   *edits.Queue
	o       *Options
	list    *valueList
	scans   *scans
	removal *removal
}

// forget forgets what undo and redo know.
func (d *dismissals) forget() { d.edits.ForgetBeside(ownerDismiss) }

// ask asks for the scope in which the selected values, or the one under the cursor, are dismissed. A dismissed value counts
// again.
func (d *dismissals) ask() tea.Cmd {
	if d.o.Scrubbing == nil {
		return nil
	}
	g, n := d.list.here()
	switch {
	case g != nil && len(d.list.selection()) == 0 && (g.Dismissed || n > len(g.Places)):
		return d.dismiss(dismissal{list: g.Dismissals, what: d.list.choices.masked(g)})
	case g == nil && len(d.list.selection()) == 0:
		return nil
	}
	groups := d.list.chosen()
	what := d.list.choices.masked(groups[0])
	if len(groups) > 1 {
		what = kit.CountGrouped(len(groups), "value")
	}
	now := d.env.Now()
	scoped := func(scope func(*findings.Group) []findings.Dismissal) func() tea.Cmd {
		return func() tea.Cmd {
			var list []findings.Dismissal
			for _, g := range groups {
				list = append(list, scope(g)...)
			}
			return d.dismiss(dismissal{list, true, what})
		}
	}
	one := func(make func(*findings.Group) findings.Dismissal) func() tea.Cmd {
		return scoped(func(g *findings.Group) []findings.Dismissal { return []findings.Dismissal{make(g)} })
	}
	place, _ := d.list.place()
	body, value, file := d.list.choices.title(groups[0])+", "+placeName(&place), "This value anywhere", "In this file"
	if len(groups) > 1 {
		body, value, file = d.list.choices.names(groups), "These values anywhere", "In their files"
	}
	d.shell.Open(kit.Box{
		Overlay: overlay.NewQuestionIn(d.env, "Dismiss "+what+"?", body, keymap.Dismissing).Label(keymap.DismissValue, value).
			Label(keymap.DismissInFile, file),
		Answers: map[keymap.ID]func() tea.Cmd{
			keymap.DismissValue: one(func(g *findings.Group) findings.Dismissal { return findings.Dismiss(g, now) }),
			keymap.KeepValue:    one(func(g *findings.Group) findings.Dismissal { return findings.Keep(g, now) }),
			keymap.DismissInFile: scoped(func(g *findings.Group) (list []findings.Dismissal) {
				if len(groups) > 1 {
					return inFiles(g, findings.Dismiss(g, now))
				}
				one := findings.Dismiss(g, now)
				one.Path = place.Path
				return []findings.Dismissal{one}
			}),
		},
	})
	return nil
}

// keep dismisses the selected values, or the one under the cursor, for a time.
func (d *dismissals) keep() tea.Cmd {
	var list []findings.Dismissal
	for _, g := range d.list.chosen() {
		list = append(list, findings.Keep(g, d.env.Now()))
	}
	if len(list) == 0 {
		return nil
	}
	return d.dismiss(dismissal{list, true, kit.CountGrouped(len(list), "value")})
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

// dismiss records dismissals, or withdraws them. Undo and redo reach it from every screen.
func (d *dismissals) dismiss(a dismissal) tea.Cmd {
	back := a
	back.on = !a.on
	return d.carryOut(a, func() tea.Cmd {
		return d.edits.Beside(edits.Beside{
			Owner: ownerDismiss, Undo: func() tea.Cmd { return d.carryOut(back, nil) }, Redo: func() tea.Cmd { return d.carryOut(a, nil) },
		})
	})
}

// dismissed is the outcome of recording dismissals.
type dismissed struct {
	act  dismissal
	err  error
	kept func() tea.Cmd // nil: it is an undo or a redo
}

// carryOut records an act; kept is called once it is done.
func (d *dismissals) carryOut(a dismissal, kept func() tea.Cmd) tea.Cmd {
	memory := d.o.Scrubbing.Memory
	return kit.Start(d.env.Jobs, kit.Job[dismissed]{
		Owner: ownerDismiss, Label: "dismissing", Done: d.dismissed,
		Work: func(context.Context, *kit.Progress) (dismissed, error) {
			if a.on {
				return dismissed{a, memory.Dismiss(a.list...), kept}, nil
			}
			return dismissed{a, memory.Withdraw(a.list...), kept}, nil
		},
	})
}

func (d *dismissals) dismissed(v dismissed) tea.Cmd {
	var kept tea.Cmd
	if v.kept != nil {
		kept = v.kept()
	}
	switch {
	case v.err != nil:
		d.o.Log.Error("dismiss", "error", v.err)
		d.shell.Tell(kit.Warn, "Can't store the dismissal in the state folder. It lasts until you quit")
	case v.act.on && !v.act.list[0].Until.IsZero():
		d.shell.Tell(kit.Info, "Kept "+v.act.what+", asks again on "+v.act.list[0].Until.In(d.env.Now().Location()).Format("2 Jan")+
			d.env.Keyed(". {global/undo} undoes"))
	case v.act.on:
		d.shell.Tell(kit.Info, "Dismissed "+v.act.what+d.env.Keyed(". {list/show-hidden} shows it; {global/undo} undoes"))
	default:
		d.shell.Tell(kit.Info, "No longer dismissed: "+v.act.what)
	}
	return tea.Batch(kept, d.scans.after())
}

// undo undoes the last act of the user, unless values are being removed.
func (d *dismissals) undo() tea.Cmd {
	if d.removal.Busy() {
		return nil
	}
	return d.edits.Undo()
}

// redo redoes the act that was undone last, unless values are being removed.
func (d *dismissals) redo() tea.Cmd {
	if d.removal.Busy() {
		return nil
	}
	return d.edits.Redo()
}
