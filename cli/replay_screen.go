package cli

import (
	"os"

	"github.com/spf13/cobra"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/tui"
)

// replayScreen shows transcripts in the user interface, with their store if there is one.
func replayScreen(run *session.Session, c *cobra.Command, s session.Settings, files []string) error {
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return session.Failed(err, "Can't read %s: %s", name, session.Reason(err))
		}
	}
	dir, err := besideTranscripts(run, c, files)
	if err != nil {
		return err
	}
	ctx, stop := session.WhileShown(c.Context())
	defer stop()
	way := screen.Way{Follow: func(session.Settings) bool { return false }}
	source := &tui.ReplaySource{Files: files, Folders: session.MemoryFolders(dir), Dialect: givenDialect(c, s)}
	var first tui.Opened
	if dir == "" {
		first, err = screen.WithoutStore(run, ctx, s, tui.Options{Replay: source, NoJournal: "no store is open"})
	} else {
		if s, err = run.ForStore(s, dir); err != nil {
			return err
		}
		first, err = screen.OpenStore(run, ctx, s, dir, way)
		first.Summary, first.Replay = false, source
	}
	if err != nil {
		return err
	}
	return screen.Show(run, ctx, first, screen.Stores(run, way))
}

// besideTranscripts finds the store that transcripts belong to: the named one, the memory next to the sessions of Claude Code, or the
// usual one here. "" for none.
func besideTranscripts(run *session.Session, c *cobra.Command, files []string) (string, error) {
	if f := c.Flags().Lookup("dir"); f.Changed {
		if f.Value.String() == "" {
			return "", session.WrongUse("DIR is empty")
		}
		return f.Value.String(), nil
	}
	for _, name := range files {
		if dir := run.Machine().StoreOf(name); dir != "" {
			return dir, nil
		}
	}
	dir, err := run.UsualDir()
	if err != nil {
		return "", nil // the replay needs none
	}
	return dir, nil
}
