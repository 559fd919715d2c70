package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/tui"
)

func browseFlags(c *cobra.Command) {
	c.Flags().Bool("read-only", false, "open the interface without changing the store")
	c.Flags().Bool("follow", false, "follow the agent: show each diff as it happens")
}

// browse is the program without a command: the user interface.
func browse(run *session.Session, c *cobra.Command, args []string) error {
	if err := notACommand(c, args); err != nil {
		return err
	}
	s, err := run.LenientSettings()
	if err != nil {
		return err
	}
	readOnly, err := c.Flags().GetBool("read-only")
	if err != nil {
		return err
	}
	follow, err := c.Flags().GetBool("follow")
	if err != nil {
		return err
	}
	t, err := run.Target(c, args, false)
	fits := screen.Fits(run, s)
	listed := errors.Is(err, session.ErrNoStore) && fits // the list of stores is shown
	switch {
	case err != nil && !listed:
		return err
	case !fits:
		return session.WrongUse("The interface needs a terminal with a full screen. The listing: %s", run.Command("ls", t.Dir))
	}
	ctx, stop := session.WhileShown(c.Context())
	defer stop()
	way := screen.Way{At: t.Opening, Note: t.Note(), ReadOnly: readOnly, Follow: func(s session.Settings) bool {
		return follow || s.Ui.Follow.Value && !c.Flags().Changed("follow")
	}}
	var first tui.Opened
	if listed {
		first, err = screen.WithoutStore(run, ctx, s, tui.Options{})
	} else {
		first, err = screen.OpenStore(run, ctx, s, t.Dir, way)
	}
	if err != nil {
		return err
	}
	return screen.Show(run, ctx, first, screen.Stores(run, way))
}
