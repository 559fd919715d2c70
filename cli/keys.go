package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/tui"
)

const keysHelp = `Print the keys of the screens, as your configuration has them.

Usage:
  memcurator keys [--json]

Flags:
{flags}
`

// keysCommand prints the table of keys.
func keysCommand(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "keys", Short: "Print the keys of the screens", Long: keysHelp, Args: session.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, keys, err := run.LoadConfig()
			if err != nil {
				return err
			}
			if keys == nil {
				keys = tui.Keys()
			}
			if !asJSON {
				_, err := fmt.Fprint(run.Out, keys.Text())
				return err
			}
			e := json.NewEncoder(run.Out.JSONOut())
			e.SetEscapeHTML(false)
			for _, row := range keys.Rows() {
				if err := e.Encode(row); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines: scope, key, action, verb, help; "+
		"key is \":name\" for what only the prompt runs")
	return c
}
