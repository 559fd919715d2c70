package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"memcurator/cli/agent"
	"memcurator/cli/integrate"
	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/cli/stores"
	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/tui"
)

func browseFlags(c *cobra.Command) {
	session.StoreFlag(c)
	c.Flags().Bool("read-only", false, "never change the store")
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
	why := screen.Why(run, s)
	if why != "" && s.Broken != nil {
		return session.MistakesError(s.Broken)
	}
	t, err := run.Target(c, args, false)
	if errors.Is(err, session.ErrNoStore) && why == "" {
		var offer stores.Offer
		switch t.Dir, offer, err = stores.Pick(run, c.Context(), s); {
		case errors.Is(err, stores.ErrLeft):
			return nil
		case offer == stores.OfferDemo:
			return runDemo(run, c.Context(), 1)
		case offer == stores.OfferInit:
			t.Dir = stores.NewStore
			err = integrate.Start(run, c.Context(), s, t.Opening)
		}
	}
	if err != nil {
		return err
	}
	if s, err = run.ForStore(s, t.Dir); err != nil {
		return err
	}
	if why != "" {
		return agent.PrintView(run, c.Context(), s, t, memstore.Command{Name: memstore.CmdView, Path: memstore.Root}, why)
	}
	readOnly, err := c.Flags().GetBool("read-only")
	if err != nil {
		return err
	}
	follow, err := c.Flags().GetBool("follow")
	if err != nil {
		return err
	}
	follow = follow || s.Ui.Follow.Value && !c.Flags().Changed("follow")
	backend, err := run.OpenBackend(t.Opening)
	if err != nil {
		return err
	}
	defer backend.Close()
	ctx, away, stop := session.WhileShown(c.Context())
	defer stop()
	o := tui.Options{Title: session.Title(t.Dir), ReadOnly: readOnly, Follow: follow, CopyDir: screen.InMemory(), Away: away}
	if !session.IsSealed(backend) { // the state folder would reveal names
		o.StateDir = run.StateFolder(t.Dir)
		o.CopyDir = o.StateDir
	}
	o.Summary = true
	o.Titles = func(ctx context.Context, sessions []string) map[string]string {
		return titles(ctx, run.Machine(), t.Dir, sessions)
	}
	o.Grown, o.Transcripts = watch.Files, screen.Transcripts(run, t.Dir)
	if err := screen.OpenJournal(run, t.Dir, backend, &o); err != nil {
		return err
	}
	defer screen.Leave(run, "journal", o.Journal.Close)
	if o.Journal.Lasts() {
		if gone := run.Emptied(ctx, o.Journal, t.Dir); gone != nil { // the store and its past can still be viewed
			readOnly, o.ReadOnly, o.Emptied = true, true, gone.Error()+". Until then the store is read-only"
		}
		if !readOnly {
			defer run.RetainBeside(ctx, o.Journal, s.Dir, s.Retention())()
		}
	}
	return screen.Show(run, ctx, s, backend, o, nil)
}
