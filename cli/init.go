package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
)

const initHelp = `Create a store with one note, in which the agent keeps what is done and what comes next.

Usage:
  memcurator init [DIR]

Creates DIR and its missing parents (mode 0700); without it $MEMCURATOR_DIR, or ./memories. An
existing file is never replaced.

Global flags: memcurator help flags
`

// firstNote is what a new store has.
var firstNote = memstore.Command{Name: memstore.CmdCreate, Path: memstore.Root + "/progress.md", FileText: `# Progress

What is done and what comes next. Read it when a session begins, and update it before the session ends.
`}

func initCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "init [DIR]", Short: "Create a store with a first note", Long: initHelp,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := run.Settings()
			if err != nil {
				return err
			}
			t, err := run.Target(c, args, false)
			if errors.Is(err, session.ErrNoStore) && len(args) == 0 {
				t, err = run.Target(c, []string{"./memories"}, false)
			}
			if err != nil {
				return err
			}
			t.Create = true
			e, err := run.Edit(c.Context(), t.Opening, c.Name(), s, memstore.Origin{Actor: memstore.Curator}, true)
			if err != nil {
				return err
			}
			defer e.Close()
			switch r := e.Do(c.Context(), firstNote); {
			case errors.Is(r.Err, memstore.ErrExist):
				run.Say(firstNote.Path + " exists, kept")
				return nil
			case r.IsError:
				return &session.ExitError{Code: session.ExitFailed, Text: r.Content, Verbatim: true, Cause: r.Err}
			default:
				_, err = fmt.Fprintln(run.Out, r.Content)
			}
			run.Say(fmt.Sprintf("Next: %[1]s %[2]s shows the store, and %[1]s mcp %[2]s serves it to an agent", session.Program, session.Typed(t.Dir)))
			return err
		},
	}
}
