package edits

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// ownerMend names the job that compares indexes with notes.
const ownerMend = "index.mend"

const (
	textInStep     = "Nothing to mend: each index lists its files, or there is none"
	textMendFooter = "{confirm/yes} mends, {confirm/no} cancels; {global/undo} undoes it"
)

// MendIndex shows what brings the indexes of the store in step with its notes, and writes it after a yes.
func (q *Queue) MendIndex(rules config.Settings) tea.Cmd {
	switch {
	case q.Refuses():
		return nil
	case q.Journal == nil:
		q.shell.Tell(ui.Warn, "Can't mend the index: no journal, so undo is off")
		return nil
	}
	store, j, now := q.Store(), q.Journal, q.env.Now()
	return ui.Start(q.env.Jobs, ui.Job[*policy.Mending]{
		Owner: ownerMend, Label: "comparing the index", Done: func(m *policy.Mending) tea.Cmd { return q.showMending(store, m) },
		Work: func(ctx context.Context, _ *ui.Progress) (*policy.Mending, error) {
			return policy.MendIndexes(ctx, store.Backend(), j, rules, now)
		},
	})
}

// showMending shows the diff of all indexes.
func (q *Queue) showMending(store *memstore.Store, m *policy.Mending) tea.Cmd {
	if len(m.Texts) == 0 {
		q.shell.Tell(ui.Info, textInStep)
		return nil
	}
	name := ui.CountGrouped(len(m.Texts), "index")
	if len(m.Texts) == 1 {
		name = text.Clean(ui.PathText(m.Texts[0].Path))
	}
	box := diffpane.NewBox(q.env, "Mend "+name+"?", q.env.Keyed(textMendFooter))
	q.shell.OpenUnasked(ui.Box{Overlay: box, Answers: ui.Answers(func() tea.Cmd { return q.mend(store, m, name) }, nil)})
	if len(m.Texts) == 1 {
		t := m.Texts[0]
		return box.Compare(m.Actions[0].Reason, t.Path, diffpane.InMemory(t.Before), diffpane.InMemory(t.After))
	}
	all := diffpane.Comparison{Key: "box", Title: name, Path: m.Texts[0].Path}
	return box.Show(diffpane.OfParts(all, func() (parts []diffpane.Part, _ string) {
		for _, t := range m.Texts {
			parts = append(parts, diffpane.Part{Name: t.Path, Before: t.Before, After: t.After})
		}
		return parts, ""
	}))
}

func (q *Queue) mend(store *memstore.Store, m *policy.Mending, name string) tea.Cmd {
	j := q.Journal
	return Do(q, Edit[policy.Outcome]{
		Label: "mending " + name,
		Work: func(ctx context.Context, _ *ui.Progress) (policy.Outcome, error) {
			return m.Apply(ctx, policy.Apply{Store: store, Journal: j})
		},
		Done: func(out policy.Outcome) tea.Cmd {
			switch {
			case len(out.Skipped) > 0:
				q.shell.Tell(ui.Warn, LeftAloneText(out.Skipped[0].Path, Reason(out.Skipped[0].Why)))
			default:
				q.shell.Tell(ui.Info, "Mended "+name+". "+q.UndoKey()+" undoes")
			}
			return nil
		},
	})
}
