package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
)

// When the loss of files is an alarm. An agent that tidies up deletes one file, or two; a
// script that went wrong, a wrong path in a shell, a model that "starts afresh" remove many at
// once. So the alarm counts files that were deleted or emptied with no pause longer than
// pause between two of them: filesMany of them, or at least filesFew if they were a quarter
// of all files. The pause, and not a window, decides because a slow but steady deletion is
// the same loss. A file that exists again does not count.
const (
	pause     = 2 * time.Second
	filesMany = 5
	filesFew  = 3
	share     = 4 // one in four
)

// alarm is the loss of many files together that the banner reports until it is restored, or all of it is marked as read. All methods run on
// the Bubble Tea goroutine.
type alarm struct {
	env   *kit.Env
	shell act.Shell
	feed  *feed.Feed
	edits *act.Queue
	lost  []past.Revision // oldest first; empty: no alarm
	told  int64           // the newest revision that a message was about
	// troubles are what can't be understood of another program's memory, a sentence each without a full stop.
	troubles []string
}

// forget ends the alarm.
func (a *alarm) forget() {
	a.lost, a.told, a.troubles = nil, 0, nil
}

// check looks for a mass deletion among the unread revisions, and among those that the alarm is about
// already: looking at them one by one must not end it. It is called when revisions arrived, and when the unread ones
// or the tree changed.
func (a *alarm) check() {
	if b, ok := a.edits.Handlers.Backend().(*adapt.Store); ok {
		a.troubles = b.KnownTroubles()
	}
	var all, run []past.Revision
	end := func() {
		if a.isLoss(len(run)) {
			all = append(all, run...)
		}
		run = nil
	}
	unread, losses, newest := false, merge(a.lost, a.feed.Unread()), map[string]int64{}
	for _, r := range losses {
		newest[r.Path] = r.Rev
	}
	for _, r := range losses {
		if !a.isGone(r) || r.Rev != newest[r.Path] { // deleted, written and deleted again is one file
			continue
		}
		if n := len(run); n > 0 && (r.Time.Sub(run[n-1].Time) > pause || r.Actor != run[n-1].Actor) {
			end()
		}
		run = append(run, r)
	}
	end()
	for _, r := range all {
		unread = unread || a.feed.IsUnread(r.Rev)
	}
	if !unread {
		all = nil
	}
	a.lost = all
	if n := len(all); n > 0 && all[n-1].Rev > a.told {
		a.told = all[n-1].Rev
		says := fmt.Sprintf("%d files deleted or emptied at once by %s", n, actorText(all[n-1].Actor))
		a.shell.Report(kit.Fail, says+". "+a.key()+" restores them")
		a.env.Emit(act.Urgent{})
	}
}

// merge joins two lists, oldest first. Of one revision in both that of b counts.
func merge(a, b []past.Revision) []past.Revision {
	if len(a) == 0 {
		return b
	}
	out := slices.Concat(b, a)
	slices.SortStableFunc(out, func(a, b past.Revision) int { return cmp.Compare(a.Rev, b.Rev) })
	return slices.CompactFunc(out, func(a, b past.Revision) bool { return a.Rev == b.Rev })
}

// isLoss reports whether the loss of several files together raises the alarm.
func (a *alarm) isLoss(files int) bool {
	if files >= filesMany {
		return true
	}
	s := a.edits.Snapshot
	return files >= filesFew && s != nil && s.Root != nil && files*share >= s.Root.Files+files
}

// isGone reports whether a revision removed or emptied a file, and nothing has brought it back.
func (a *alarm) isGone(r past.Revision) bool {
	s := a.edits.Snapshot
	if !feed.IsLoss(r) || s == nil {
		return false
	}
	n := s.Find(r.Path)
	return n == nil && r.Shape == past.Removed || n != nil && n.Size == 0 && r.Shape == past.Edited
}

// putBack undoes the loss, as one group.
func (a *alarm) putBack() tea.Cmd {
	var revs []int64
	for _, r := range a.lost {
		revs = append(revs, r.Rev)
	}
	j, first, last := a.edits.Journal, a.lost[0], a.lost[len(a.lost)-1]
	return a.edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		// Folders and links that went with the files come back with their modes, empty ones too.
		with := past.Filter{Removed: true, Since: first.Time.Add(-pause), Until: last.Time.Add(pause)}
		err := j.List(ctx, with, func(r past.Revision) bool {
			if r.Kind != memstore.KindFile && r.Actor == last.Actor {
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

func (a *alarm) key() string { return a.env.Keys.KeyFor(keymap.Global, keymap.Alert) }

// actorText names who changed a file, in a sentence.
func actorText(a memstore.Actor) string {
	if a == memstore.External {
		return "another program"
	}
	return string(a)
}

// says names in the banner who did it, and within which time.
func (a *alarm) says() string {
	first, last := a.lost[0], a.lost[len(a.lost)-1]
	says := "by " + actorText(last.Actor)
	if last.Session != "" {
		says += " " + text.Clean(last.Session)
	}
	if slices.ContainsFunc(a.lost, func(r past.Revision) bool { return r.Actor != last.Actor || r.Session != last.Session }) {
		says += " and others"
	}
	if span := last.Time.Sub(first.Time).Round(time.Second); span > 0 {
		says += " in " + span.String()
	}
	return says
}
