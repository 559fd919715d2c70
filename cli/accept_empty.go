package cli

import (
	"context"
	"fmt"

	"memcurator/cli/session"
	"memcurator/render/text"
)

// acceptEmpty records that another program deleted the missing files. After that, the store can be used again.
func acceptEmpty(run *session.Session, ctx context.Context, p *session.Recorded) error {
	n, err := p.Journal.Emptied(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		run.Say("Nothing to accept: the store has files, or its journal never had any")
		return nil
	}
	made, group, err := p.Journal.AcceptEmpty(ctx)
	if err != nil {
		return err
	}
	run.Say(fmt.Sprintf("Recorded the deletion of %s by another program (%s). To restore them, run: %s",
		text.Count(n, "file"), text.Count(made, "revision"), run.Command(fmt.Sprintf("undo --group %d", group), p.Dir)))
	return nil
}
