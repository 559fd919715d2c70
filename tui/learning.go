package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// The owners of the jobs that link transcripts with the journal.
const (
	ownerLearn = "replay.learn"
	ownerJump  = "replay.jump"
)

// Learn gives the revisions of a journal the calls that a transcript tells of, and the agent's
// views of files where the transcript is one of this store: a change in it, now or before, is known to
// be of one of its sessions. It returns how many revisions have their call now.
func Learn(ctx context.Context, j past.Learner, t *transcript.Track) (learned int, err error) {
	steps := t.Steps()
	var list []past.Told
	sessions := map[string]bool{}
	for _, w := range t.Writes(ctx, 0) {
		s := steps[w.Step-1]
		if s.When.IsZero() {
			continue
		}
		sessions[s.Session] = true
		list = append(list, past.Told{Path: w.Path, After: w.Sum, At: s.When, Turn: s.Turn, Origin: memstore.Origin{
			Session: s.Session, Model: s.Model, ToolUseID: s.ID,
		}})
	}
	if learned, err = j.Learn(ctx, list); err != nil {
		return learned, err
	}
	ours := learned > 0
	for s := range sessions {
		if ours {
			break
		}
		if ours, err = j.HasSession(ctx, s); err != nil {
			return learned, err
		}
	}
	if !ours {
		return learned, nil
	}
	count, last := t.Views()
	uses := map[string]past.Use{}
	for path, n := range count {
		if s := steps[last[path]-1]; !s.When.IsZero() {
			uses[path] = past.Use{Views: n, Last: s.When, Session: s.Session}
		}
	}
	return learned, j.LearnUses(ctx, uses)
}

const labelReplayLearn = "linking transcript and journal"

// learnFrom links the transcript that was read with the journal of the store beside it.
func (m *Model) learnFrom(t *transcript.Track) tea.Cmd {
	j := m.kept()
	if j == nil || m.options.ReadOnly || m.options.Unlinked {
		return m.replay.JumpWaiting()
	}
	return tea.Batch(m.replay.JumpWaiting(), ui.Start(m.env.Jobs, ui.Job[int]{
		Owner: ownerLearn, Label: labelReplayLearn,
		Work: func(ctx context.Context, _ *ui.Progress) (int, error) { return Learn(ctx, j, t) },
		Done: func(revisions int) tea.Cmd {
			if revisions == 0 {
				return nil
			}
			m.tell(ui.Info, ui.Count(revisions, "change")+" of the journal got the call, the model and the session")
			return m.rereadLists()
		},
	}))
}

// jumpToCall goes to the call that made the revision at hand, in the transcript that is open or in
// those that lie beside the store.
func (m *Model) jumpToCall() tea.Cmd {
	find := m.revisionFinder()
	if find == nil {
		return m.noRevision()
	}
	return ui.Start(m.env.Jobs, ui.Job[past.Revision]{
		Owner: ownerJump, Label: timeline.LabelRevisions, Done: m.replay.JumpTo,
		Work: func(ctx context.Context, _ *ui.Progress) (past.Revision, error) { return find(ctx) },
	})
}
