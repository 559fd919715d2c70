// Package losses raises an alarm when many files were deleted or emptied together, until they are restored or the user has seen all of it.
package losses

import (
	"context"
	"fmt"
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

// Options are what an alarm watches.
type Options struct {
	Feed  *feed.Feed
	Edits *act.Queue
}

// Alarm is the loss that the banner reports until it is restored, or all of it is marked as read. All methods run on the Bubble Tea
// goroutine.
type Alarm struct {
	Options
	env   *kit.Env
	shell act.Shell
	Lost  []past.Revision // oldest first; empty: no alarm
	told  int64           // the newest revision that a message was about
	// Troubles are what can't be understood of another program's memory, a sentence each without a full stop.
	Troubles []string
}

// New makes an alarm.
func New(env *kit.Env, shell act.Shell, o Options) *Alarm {
	return &Alarm{Options: o, env: env, shell: shell}
}

// Forget ends the alarm.
func (a *Alarm) Forget() {
	a.Lost, a.told, a.Troubles = nil, 0, nil
}

// Trouble is the first of the troubles, and how many more there are: "Line 2 can't be read, and 3 more".
func (a *Alarm) Trouble() string {
	says := text.Clean(a.Troubles[0])
	if more := len(a.Troubles) - 1; more > 0 {
		says += fmt.Sprintf(", and %d more", more)
	}
	return says
}

// Check looks for a mass deletion among the unread revisions, and among those that the alarm is about
// already: looking at them one by one must not end it. It is called when revisions arrived, and when the unread ones
// or the tree changed.
func (a *Alarm) Check() {
	if b, ok := a.Edits.Handlers.Backend().(*adapt.Store); ok {
		a.Troubles = b.KnownTroubles()
	}
	if len(a.Lost) == 0 && a.Feed.UnreadLosses() < filesFew {
		return
	}
	var all, run []past.Revision
	end := func() {
		if a.isLoss(len(run)) {
			all = append(all, run...)
		}
		run = nil
	}
	unread := false
	for _, r := range merge(a.Lost, a.Feed.Unread()) {
		if !a.isGone(r) {
			continue
		}
		if n := len(run); n > 0 && r.Time.Sub(run[n-1].Time) > pause {
			end()
		}
		run = append(run, r)
	}
	end()
	for _, r := range all {
		unread = unread || a.Feed.IsUnread(r.Rev)
	}
	if !unread {
		all = nil
	}
	a.Lost = all
	if n := len(all); n > 0 && all[n-1].Rev > a.told {
		a.told = all[n-1].Rev
		says := fmt.Sprintf("%d files deleted or emptied at once by %s", n, actorText(all[n-1].Actor))
		a.shell.Report(kit.Fail, says+". "+a.key()+" restores them")
		a.env.Emit(act.Urgent{})
	}
}

// merge joins two lists, each oldest first.
func merge(a, b []past.Revision) []past.Revision {
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

// isLoss reports whether the loss of several files together raises the alarm.
func (a *Alarm) isLoss(files int) bool {
	if files >= filesMany {
		return true
	}
	s := a.Edits.Snapshot
	return files >= filesFew && s != nil && s.Root != nil && files*share >= s.Root.Files+files
}

// isGone reports whether a revision removed or emptied a file, and nothing has brought it back.
func (a *Alarm) isGone(r past.Revision) bool {
	s := a.Edits.Snapshot
	if !feed.IsLoss(r) || s == nil {
		return false
	}
	n := s.Find(r.Path)
	return n == nil && r.Shape == past.Removed || n != nil && n.Size == 0 && r.Shape == past.Edited
}

// PutBack undoes the loss, as one group.
func (a *Alarm) PutBack() tea.Cmd {
	if len(a.Lost) == 0 {
		a.shell.Tell(kit.Info, "No bulk delete to restore. The Trash screen has every deletion")
		return nil
	}
	var revs []int64
	for _, r := range a.Lost {
		revs = append(revs, r.Rev)
	}
	j, first, last := a.Edits.Journal, a.Lost[0], a.Lost[len(a.Lost)-1]
	return a.Edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		// Folders and links that went with the files come back with their modes, empty ones too.
		with := past.Filter{Removed: true, Since: first.Time.Add(-pause), Until: last.Time.Add(pause)}
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

func (a *Alarm) key() string { return a.env.Keys.KeyFor(keymap.Global, keymap.Alert) }

// actorText names who changed a file, in a sentence.
func actorText(a memstore.Actor) string {
	if a == memstore.External {
		return "another program"
	}
	return string(a)
}

// Says names in the banner who did it, and within which time.
func (a *Alarm) Says() string {
	first, last := a.Lost[0], a.Lost[len(a.Lost)-1]
	says := "by " + actorText(last.Actor)
	if last.Session != "" {
		says += " " + text.Clean(last.Session)
	}
	if span := last.Time.Sub(first.Time).Round(time.Second); span > 0 {
		says += " in " + span.String()
	}
	return says
}
