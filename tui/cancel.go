package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	"memcurator/tui/blame"
	"memcurator/tui/changes"
	"memcurator/tui/edits"
	"memcurator/tui/hexdump"
	"memcurator/tui/rendered"
	"memcurator/tui/tree"
	"memcurator/tui/ui"
	"memcurator/tui/viewer"
)

// cancelAfter is how long a job must have run before esc ends it instead of leaving
// something: by then its progress is on the screen.
const cancelAfter = time.Second

// awaited are the jobs that the user waits for, so that esc means them. What goes on beside the
// user's work, such as counting lines or comparing the journal with the disk, is none of them.
func awaited(owner string) bool {
	return slices.Contains([]string{
		viewer.OwnerFind, viewer.OwnerCount, rendered.OwnerFind, hexdump.OwnerFind,
		ownerDiff, ownerCopy, tree.OwnerKinds, ownerOfPath, ownerTravel, changes.OwnerDifferences, blame.OwnerFind,
	}, owner)
}

// cancelJob ends the oldest job that the user waits for, if it takes long.
func (m *Model) cancelJob() bool {
	if edit, ok := m.env.Jobs.Of(edits.Owner); ok && edit.Since >= cancelAfter {
		m.env.Jobs.Stop(edits.Owner)
		m.tell(ui.Info, edit.Label+": stopping after this file")
		return true
	}
	job, ok := m.env.Jobs.Oldest()
	if !ok || job.Since < cancelAfter || !awaited(job.Owner) {
		return false
	}
	m.env.Jobs.CallOff(job)
	m.tell(ui.Info, "stopped: "+job.Label)
	return true
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
