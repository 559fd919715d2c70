package tui

import (
	"context"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/journal"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// ownerWritten names the job that looks what is new in the journal.
const ownerWritten = "written"

// What other programs record is mostly noticed by the watch, which sees the files change. It does not see a file that
// came and went at once, it may see a change before that is recorded, and a purge may change no file at all: the journal is
// followed too.

// writtenMsg says that the journal was written to by somebody.
type writtenMsg struct{}

// written is the outcome of a look into the journal.
type written struct {
	purges int64 // how many there were; below 0: the journal cannot be read
	inbox  *inboxRead
	told   <-chan struct{} // of writes; of the first look
}

// lookIntoJournal asks the journal how many purges there were and what was recorded; the first time it begins to follow the
// journal's files.
func (m *Model) lookIntoJournal() tea.Cmd {
	o, first, life, have := m.options, m.written == nil, m.life, m.inbox.sum()
	if o.Journal == nil {
		return nil
	}
	return m.env.Jobs.Start(ownerWritten, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		look := written{purges: -1}
		if first && o.Grown != nil && o.Scrub != nil && o.Scrub.StateDir != "" {
			file := filepath.Join(o.Scrub.StateDir, journal.FileName)
			var err error
			if look.told, err = o.Grown(life, []string{file, file + journal.LogSuffix}); err != nil {
				o.Log.Warn("the journal is not followed", "error", err)
			}
		}
		newest, purges, err := o.Journal.Written(ctx)
		if err != nil {
			return look, nil // a journal that cannot be read says so elsewhere
		}
		if look.purges = purges; first || newest > have.Last {
			if v, err := lookIntoInbox(ctx, o.Journal, have); err == nil {
				look.inbox = &v
			}
		}
		return look, nil
	})
}

// writtenReceived brings the lists of revisions up to date, unless a purge has just changed what was read.
func (m *Model) writtenReceived(done ui.Done) tea.Cmd {
	look, ok := done.Value.(written)
	if !ok {
		return nil
	}
	if look.told != nil {
		m.written = look.told
	}
	cmds := []tea.Cmd{m.waitForWritten()}
	if look.purges < 0 {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, m.purgesSeen(look.purges))
	if look.inbox != nil && look.purges == m.purged.count && m.sensitive.stop == nil {
		cmds = append(cmds, m.takeInbox(*look.inbox))
	}
	return tea.Batch(cmds...)
}

// waitForWritten delivers the next write to the journal; it is armed again after each look.
func (m *Model) waitForWritten() tea.Cmd {
	told := m.written
	if told == nil {
		return nil
	}
	return func() tea.Msg {
		if _, ok := <-told; !ok {
			return nil
		}
		return writtenMsg{}
	}
}
