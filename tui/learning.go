package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/tui/replay"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// The owners of the jobs that link transcripts with the journal.
const (
	ownerLearn       = "replay.learn"
	ownerJump        = "replay.jump"
	ownerTranscripts = "replay.find"
)

// Learn gives the revisions of a journal the calls that a transcript tells of, and the agent's
// views of files where the transcript is one of this store: a change in it, now or before, is known to
// be of one of its sessions. It returns how many revisions have their call now.
func Learn(ctx context.Context, j *journal.Journal, t *transcript.Track) (learned int, err error) {
	steps := t.Steps()
	var list []journal.Told
	sessions := map[string]bool{}
	for _, w := range t.Writes(ctx, 0) {
		s := steps[w.Step-1]
		if s.When.IsZero() {
			continue
		}
		sessions[s.Session] = true
		list = append(list, journal.Told{Path: w.Path, After: w.Sum, At: s.When, Turn: s.Turn, Origin: memstore.Origin{
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

// learned is the outcome of the job that links a transcript with the journal.
type learned struct{ revisions int }

const labelReplayLearn = "linking transcript and journal"

// learnFrom links the transcript that was read with the journal of the store beside it.
func (m *Model) learnFrom(t *transcript.Track) tea.Cmd {
	j := m.options.Journal
	if j == nil || m.options.ReadOnly || m.options.Unlinked {
		return m.jumpWaiting()
	}
	return tea.Batch(m.jumpWaiting(), m.env.Jobs.Start(ownerLearn, labelReplayLearn, func(ctx context.Context, _ *ui.Progress) (any, error) {
		n, err := Learn(ctx, j, t)
		return learned{n}, err
	}))
}

func (m *Model) learnedReceived(done ui.Done) tea.Cmd {
	v, ok := done.Value.(learned)
	if !ok || v.revisions == 0 {
		return nil
	}
	m.tell(ui.Info, ui.Count(v.revisions, "change")+" of the journal got the call, the model and the session")
	return m.rereadLists()
}

// jumpToCall goes to the call that made the revision at hand, in the transcript that is open or in
// those that lie beside the store.
func (m *Model) jumpToCall() tea.Cmd {
	find := m.revisionFinder()
	if find == nil {
		return m.noRevision()
	}
	return m.env.Jobs.Start(ownerJump, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		r, err := find(ctx)
		return jump{r}, err
	})
}

// jump is a revision whose call is wanted.
type jump struct{ revision past.Revision }

func (m *Model) jumpReceived(done ui.Done) tea.Cmd {
	v, ok := done.Value.(jump)
	if !ok {
		return nil
	}
	if len(m.replay.list.Files()) == 0 {
		m.replay.wanted = &v.revision
		return m.openFound()
	}
	return m.jumpTo(v.revision)
}

// jumpTo goes to the call of a revision: by its id, or the one that made the same bytes of the path
// nearest to its time.
func (m *Model) jumpTo(r past.Revision) tea.Cmd {
	n := m.replay.list.Find(r.ToolUseID, r.Path, r.After.Digest, r.Time)
	if n == 0 {
		m.tell(ui.Info, "no call of the open transcript made this change")
		return nil
	}
	shown := m.goTo(onReplay)
	return tea.Batch(shown, m.replay.list.GoTo(n))
}

func (m *Model) jumpWaiting() tea.Cmd {
	r := m.replay.wanted
	if m.replay.wanted = nil; r == nil {
		return nil
	}
	return m.jumpTo(*r)
}

// foundTranscripts is the outcome of a look for transcripts beside the store.
type foundTranscripts struct{ files []string }

// openFound opens the transcripts that lie beside the store, where there are any.
func (m *Model) openFound() tea.Cmd {
	look := m.options.Transcripts
	if look == nil {
		if m.replay.wanted != nil {
			m.tell(ui.Info, m.env.Keyed(replay.TextNone))
		}
		m.replay.wanted = nil
		return nil
	}
	return m.env.Jobs.Start(ownerTranscripts, replay.LabelLoad, func(context.Context, *ui.Progress) (any, error) {
		return foundTranscripts{look()}, nil
	})
}

func (m *Model) transcriptsReceived(done ui.Done) tea.Cmd {
	v, ok := done.Value.(foundTranscripts)
	if !ok {
		return nil
	}
	if len(v.files) == 0 {
		m.replay.wanted = nil
		m.tell(ui.Info, m.env.Keyed(replay.TextNone))
		return nil
	}
	return m.openReplay(replay.Source{Files: v.files})
}
