package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/tui/feed"
	"memcurator/tui/ui"
)

// When the loss of files is an alarm. An agent that tidies up deletes one file, or two; a
// script that went wrong, a wrong path in a shell, a model that "starts afresh" take many in one
// go. So the alarm counts files that were deleted or emptied with no pause longer than
// alarmPause between two of them: alarmFiles of them, or at least alarmFew if they were a quarter
// of all files. The pause, and not a window, decides because one that deletes slowly but
// steadily is the same loss. A file that is there again, or was put back, does not count.
const (
	alarmPause = 2 * time.Second
	alarmFiles = 5
	alarmFew   = 3
	alarmShare = 4 // one in so many
)

// alarm is the loss that the top bar tells of until it is put back, or all of it is marked as read.
type alarm struct {
	lost []past.Revision // oldest first; empty: there is no alarm
	told int64           // the newest revision that a message was about
}

// watchLosses looks for a mass deletion among what the user has not seen, and among what the
// alarm is about already: looking at it one by one must not end the alarm. It is called
// when the unread revisions or the tree changed.
func (m *Model) watchLosses() {
	if len(m.alarm.lost) == 0 && m.feed.UnreadLosses() < alarmFew {
		return
	}
	var all, run []past.Revision
	end := func() {
		if m.isLoss(len(run)) {
			all = append(all, run...)
		}
		run = nil
	}
	unread := false
	for _, r := range mergeRevisions(m.alarm.lost, m.feed.Unread()) {
		if !m.isGone(r) {
			continue
		}
		if n := len(run); n > 0 && r.Time.Sub(run[n-1].Time) > alarmPause {
			end()
		}
		run = append(run, r)
	}
	end()
	for _, r := range all {
		unread = unread || m.feed.IsUnread(r.Rev)
	}
	if !unread {
		all = nil
	}
	m.alarm.lost = all
	if n := len(all); n > 0 && all[n-1].Rev > m.alarm.told {
		m.alarm.told = all[n-1].Rev
		m.tell(ui.Fail, alarmText(n, string(all[n-1].Actor), m.putBackKey()))
	}
}

// alarmText says that many files went at once.
func alarmText(files int, actor, key string) string {
	return fmt.Sprintf("%d files were deleted or emptied at once (%s); %s puts them back", files, actor, key)
}

// mergeRevisions joins two lists, each oldest first.
func mergeRevisions(a, b []past.Revision) []past.Revision {
	if len(a) == 0 {
		return b
	}
	out := make([]past.Revision, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].Rev < b[0].Rev {
			out, a = append(out, a[0]), a[1:]
			continue
		}
		if a[0].Rev == b[0].Rev {
			a = a[1:]
		}
		out, b = append(out, b[0]), b[1:]
	}
	return append(append(out, a...), b...)
}

// isLoss reports whether the loss of so many files at once is an alarm.
func (m *Model) isLoss(files int) bool {
	if files >= alarmFiles {
		return true
	}
	s := m.disk.snapshot
	return files >= alarmFew && s != nil && s.Root != nil && files*alarmShare >= s.Root.Files+files
}

// isGone reports whether a revision took a file away, or all that was in it, and nothing brought it back.
func (m *Model) isGone(r past.Revision) bool {
	if !feed.IsLoss(r) || m.disk.snapshot == nil {
		return false
	}
	n := m.disk.snapshot.Find(r.Path)
	return n == nil && r.Shape == past.Removed || n != nil && n.Size == 0 && r.Shape == past.Edited
}

// putBack takes back what the alarm tells of, as one group.
func (m *Model) putBack() tea.Cmd {
	if len(m.alarm.lost) == 0 {
		m.tell(ui.Info, "nothing was deleted in bulk; the Trash screen has what was deleted")
		return nil
	}
	var revs []int64
	for _, r := range m.alarm.lost {
		revs = append(revs, r.Rev)
	}
	j, first, last := m.kept(), m.alarm.lost[0], m.alarm.lost[len(m.alarm.lost)-1]
	return m.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		// The folders and links that went with the files: with their modes, and empty ones too.
		with := past.Filter{Removed: true, Since: first.Time.Add(-alarmPause), Until: last.Time.Add(alarmPause)}
		err := j.List(ctx, with, func(r past.Revision) bool {
			if r.Kind != memstore.KindFile && r.Actor != memstore.Curator {
				revs = append(revs, r.Rev)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
		return e.PlanRevert(ctx, revs...)
	})
}

func (m *Model) putBackKey() string { return m.env.Keys.KeyFor(keymap.Global, keymap.PutBack) }

// alarmBadge is the banner in the top bar; empty: there is no alarm.
func (m *Model) alarmBadge() string {
	n := len(m.alarm.lost)
	switch {
	case n == 0:
		return ""
	case m.w < singleWidth:
		return fmt.Sprintf("%d gone: %s", n, m.putBackKey())
	}
	return fmt.Sprintf("%d files gone: %s puts back", n, m.putBackKey())
}
