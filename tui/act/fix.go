package act

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
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

// fixing brings the indexes of a store in step.
type fixing struct {
	*policy.Fixing
	queue *Queue
	here  transfer.Place
	name  string // what is fixed
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
	return fixing{queue: q, here: here}.plan()
}

// plan compares the indexes of a store with its notes.
func (m fixing) plan() tea.Cmd {
	now := m.queue.env.Now()
	return kit.Start(m.queue.env.Jobs, kit.Job[fixing]{
		Owner: ownerFix, Label: "comparing the index", Done: fixing.show,
		Work: func(ctx context.Context, _ *kit.Progress) (fixing, error) {
			p, err := m.here, error(nil)
			m.Fixing, err = policy.FixIndexes(ctx, p.Store.Backend(), m.queue.Journal, p.Policy, p.Load, now)
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
	stopped error // why it ended early
}

// write writes the indexes.
func (m fixing) write() tea.Cmd {
	return Do(m.queue, Edit[fixed]{
		Label: "fixing " + m.name,
		Work: func(ctx context.Context, _ *kit.Progress) (out fixed, err error) {
			out.Outcome, out.stopped = m.Apply(ctx, policy.Apply{Store: m.here.Store, Journal: m.queue.Journal})
			return out, nil
		},
		Done: func(out fixed) tea.Cmd {
			switch {
			case out.stopped != nil:
				m.queue.shell.Tell(kit.Fail, "Can't fix "+m.name+": "+Reason(out.stopped))
			case len(out.Skipped) > 0:
				m.queue.shell.Tell(kit.Warn, notFixedText(out.Skipped[0]))
			default:
				m.queue.shell.Tell(kit.Info, "Fixed "+m.name+". "+m.queue.UndoKeys().Undo+" undoes")
			}
			return nil
		},
	})
}

// notFixedText says why an index was left alone.
func notFixedText(s policy.Skipped) string {
	said := "Not fixed: " + text.Clean(kit.PathText(s.Path))
	if errors.Is(s.Why, memstore.ErrChanged) {
		return said + " has just changed"
	}
	return said + ": " + Reason(s.Why)
}
