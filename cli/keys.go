package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/tui"
)

const keysHelp = `Print the keys of the screens, as your configuration has them.

Usage:
  memcurator keys
`

// keysCommand prints the table of keys.
func keysCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "keys", Short: "Print the keys of the screens", Long: keysHelp, Args: session.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, keys, err := run.LoadConfig()
			if err != nil {
				return err
			}
			if keys == nil {
				keys = tui.Keys()
			}
			_, err = fmt.Fprint(run.Out, keys.Text())
			return err
		},
	}
}
