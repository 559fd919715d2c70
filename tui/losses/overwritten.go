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
	"memcurator/tui/kit"
)

// heldFor is how long an alarm lasts at least: whoever looks at the file of an edit as it is lost has read the change at once.
const heldFor = time.Minute

// Overwritten is the alarm for edits that the program which owns the store's file has written over. It lasts until they are restored,
// something else happens to their files, or the user has read the changes, but at least for [heldFor]. All methods run on the Bubble Tea
// goroutine.
type Overwritten struct {
	o     *Options
	env   *kit.Env
	shell act.Shell
	lost  []past.Overwritten // unread, or known for less than heldFor
	told  int64              // the newest revision that a message was about
	at    time.Time          // of that message
}

// forget ends the alarm.
func (a *Overwritten) forget() { a.lost, a.told, a.at = nil, 0, time.Time{} }

// check looks for edits that are lost.
func (a *Overwritten) check() {
	if _, ok := a.o.Edits.Handlers.Backend().(*adapt.Store); !ok {
		return // no program owns the files
	}
	a.lost = past.FindOverwritten(a.o.Feed.Revisions())
	lost := a.Lost()
	if n := len(lost); n > 0 && lost[n-1].By.Rev > a.told {
		a.told, a.at = lost[n-1].By.Rev, a.env.Now()
		says := a.Says()
		a.shell.Report(kit.Fail, "Edit lost: "+says+". "+a.env.Keys.KeyFor(keymap.Global, keymap.Alert)+" restores it")
		a.env.Emit(act.Urgent{})
	}
}

// Lost are the edits that the alarm is about, the oldest first; none: no alarm.
func (a *Overwritten) Lost() (lost []past.Overwritten) {
	for _, l := range a.lost {
		if a.o.Feed.IsUnread(l.By.Rev) || l.By.Rev <= a.told && a.env.Now().Sub(a.at) < heldFor {
			lost = append(lost, l)
		}
	}
	return lost
}

// Says is what happened.
func (a *Overwritten) Says() string {
	lost := a.Lost()
	newest := lost[len(lost)-1].Edit
	whose := "an agent's"
	if newest.Actor == memstore.Curator {
		whose = "your"
	}
	says := fmt.Sprintf("its server has written over %s edit of %s", whose, text.Clean(newest.Path))
	if n := len(lost); n > 1 {
		says += fmt.Sprintf(", %d files in all", n)
	}
	return says
}

// PutBack reverts what the program wrote over the edits, as one group.
func (a *Overwritten) PutBack() tea.Cmd {
	var revs []int64
	for _, l := range a.Lost() {
		revs = append(revs, l.By.Rev)
	}
	return a.o.Edits.RunUndo(func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) { return e.PlanRevert(ctx, revs...) })
}
