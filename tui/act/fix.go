package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/policy"
	"memcurator/memstore/transfer"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// ownerFix names the job that compares indexes with notes.
const ownerFix = "index.fix"

const (
	textInStep    = "Nothing to fix: each index lists its files, or there is none"
	textFixFooter = "{confirm/yes} fixes, {confirm/no} cancels; {global/undo} undoes it"
)

// Another is a store that is not the one on the screen.
type Another struct {
	Title string
	// Open opens it, with its journal for edits, and returns what closes it. It does I/O.
	Open func(ctx context.Context, edits bool) (transfer.Place, func(), error)
}

// fixing brings the indexes of a store in step.
type fixing struct {
	*policy.Fixing
	queue  *Queue
	store  Another
	beside bool   // the store is not the one on the screen
	name   string // what is fixed
}

// FixIndex shows what brings the indexes of the store in step with its notes, and writes it after a yes.
func (q *Queue) FixIndex(here transfer.Place) tea.Cmd {
	switch {
	case q.Refuses():
		return nil
	case q.Journal == nil:
		q.shell.Tell(kit.Warn, "Can't fix the index: no journal, so undo is off")
		return nil
	}
	here.Record = q.Journal // also one in memory, which doesn't do for transfers
	open := func(context.Context, bool) (transfer.Place, func(), error) { return here, func() {}, nil }
	return fixing{queue: q, store: Another{Open: open}}.plan()
}

// FixAnother is FixIndex for another store, which it opens only for as long as it reads or writes it.
func (q *Queue) FixAnother(store Another) tea.Cmd {
	if q.told(q.shell.WhyPast()) {
		return nil
	}
	return fixing{queue: q, store: store, beside: true}.plan()
}

// plan compares the indexes of a store with its notes.
func (m fixing) plan() tea.Cmd {
	now := m.queue.env.Now()
	return kit.Start(m.queue.env.Jobs, kit.Job[fixing]{
		Owner: ownerFix, Label: "comparing the index", Done: fixing.show,
		Work: func(ctx context.Context, _ *kit.Progress) (fixing, error) {
			p, done, err := m.store.Open(ctx, false)
			if err != nil {
				return m, err
			}
			defer done()
			j, _ := p.Record.(*journal.Journal)
			m.Fixing, err = policy.FixIndexes(ctx, p.Store.Backend(), j, cmp.Or(p.Policy, policy.New(config.Settings{})), p.Load, now)
			return m, err
		},
	})
}

// show shows the diff of all indexes.
func (m fixing) show() tea.Cmd {
	if len(m.Texts) == 0 {
		m.queue.shell.Tell(kit.Info, textInStep)
		return nil
	}
	m.name = kit.CountGrouped(len(m.Texts), "index")
	if len(m.Texts) == 1 {
		m.name = text.Clean(kit.PathText(m.Texts[0].Path))
	}
	if m.beside {
		m.name += " of " + text.Clean(m.store.Title)
	}
	box := diffpane.NewBox(m.queue.env, "Fix "+m.name+"?", m.queue.env.Keyed(textFixFooter))
	m.queue.shell.OpenUnasked(kit.Box{Overlay: box, Answers: kit.Answers(func() tea.Cmd { return m.write() }, nil)})
	if len(m.Texts) == 1 {
		t := m.Texts[0]
		return box.Compare(m.reasons(), t.Path, diffpane.InMemory(t.Before), diffpane.InMemory(t.After))
	}
	all := diffpane.Comparison{Key: "box", Title: m.name, Path: m.Texts[0].Path}
	return box.Show(diffpane.OfParts(all, func() (parts []diffpane.Part, _ string) {
		for _, t := range m.Texts {
			parts = append(parts, diffpane.Part{Name: t.Path, Before: t.Before, After: t.After})
		}
		return parts, ""
	}))
}

// reasons says all that is fixed.
func (m fixing) reasons() string {
	var list []string
	for i := range m.Actions {
		list = append(list, m.Actions[i].Reason)
	}
	return strings.Join(list, "; ")
}

// fixed is the outcome of a fixing.
type fixed struct {
	policy.Outcome
	stopped error   // why it ended early
	revs    []int64 // in the journal of another store
}

// write writes the indexes, and lets undo reach that.
func (m fixing) write() tea.Cmd {
	return Do(m.queue, Edit[fixed]{
		Label: "fixing " + m.name,
		Work: func(ctx context.Context, _ *kit.Progress) (out fixed, err error) {
			p, done, err := m.store.Open(ctx, true)
			if err != nil {
				return out, err
			}
			defer done()
			j, _ := p.Record.(*journal.Journal)
			out.Outcome, out.stopped = m.Apply(ctx, policy.Apply{Store: p.Store, Journal: j})
			if m.beside && len(out.Done) > 0 {
				out.revs, _ = j.Newest(context.WithoutCancel(ctx), false) // without them, undo in the store itself still reaches it
			}
			return out, nil
		},
		Done: func(out fixed) tea.Cmd {
			switch {
			case out.stopped != nil:
				m.queue.shell.Tell(kit.Fail, "Can't fix "+m.name+": "+Reason(out.stopped))
			case len(out.Skipped) > 0:
				m.queue.shell.Tell(kit.Warn, m.notFixedText(out.Skipped[0]))
			default:
				m.queue.shell.Tell(kit.Info, "Fixed "+m.name+". "+m.queue.UndoKeys().Undo+" undoes")
			}
			if len(out.revs) == 0 {
				return nil
			}
			return m.remember(out.revs)
		},
	})
}

// notFixedText says why an index was left alone, and how to see what would fix it now.
func (m fixing) notFixedText(s policy.Skipped) string {
	said := "Not fixed: " + text.Clean(kit.PathText(s.Path))
	if !errors.Is(s.Why, memstore.ErrChanged) {
		return said + ": " + Reason(s.Why)
	}
	said += " has just changed"
	if m.beside {
		return said + m.queue.env.Keyed(". {stores/fix-index} shows the new diff")
	}
	return said
}

// remember puts the fixing of another store among the acts that undo and redo reach.
func (m fixing) remember(revs []int64) tea.Cmd {
	one := Beside{Owner: fmt.Sprintf("%s %d", ownerFix, revs[0]), Undo: func() tea.Cmd { return m.undo(revs) }}
	one.Redo = func() tea.Cmd {
		m.queue.ForgetBeside(one.Owner) // it is another group, with revisions of its own
		return m.write()
	}
	return m.queue.Beside(one)
}

// undo undoes the fixing of another store, there.
func (m fixing) undo(revs []int64) tea.Cmd {
	type undone struct{ err error }
	return Do(m.queue, Edit[undone]{
		Label: "undoing",
		Work: func(ctx context.Context, _ *kit.Progress) (undone, error) {
			p, done, err := m.store.Open(ctx, true)
			if err != nil {
				return undone{}, err
			}
			defer done()
			x := transfer.Transfer{To: p}
			_, err = x.Undo(ctx, [2][]int64{nil, revs})
			return undone{err}, nil
		},
		Done: func(u undone) tea.Cmd {
			if u.err != nil {
				m.queue.shell.Tell(kit.Warn, "Can't undo: the index has later edits. Nothing changed")
				return nil
			}
			m.queue.shell.Tell(kit.Info, "Undid the fixing of "+m.name+". "+m.queue.UndoKeys().Redo+" redoes")
			return nil
		},
	})
}
