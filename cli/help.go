package cli

import (
	"io"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const helpHelp = `Show help for a command.

Usage:
  memcurator help [COMMAND]
  memcurator help flags       global flags, environment and exit status
`

// flagsTopic is the help page about the global flags.
const flagsTopic = "flags"

const flagsHelp = `Flags that every command takes.

Global flags:
{flags}
Environment:
  MEMCURATOR_DIR      the store, if neither DIR nor --dir names one
  MEMCURATOR_CONFIG   as --config
  MEMCURATOR_STATE    as --state
  MEMCURATOR_DIALECT  as --dialect
  NO_COLOR            no colors

A flag wins over its variable, a variable over the configuration.

Exit status:
  0  done, even if a list is empty
  1  failed: not found, not allowed, or not everything could be read or done
  2  wrong usage: unknown flags or values, missing arguments, or no terminal and no --yes
  3  something is pending (--check)
`

func helpCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show help for a command, or for global flags: help flags",
		Long:  helpHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == flagsTopic {
				_, err := io.WriteString(run.Out, globalHelp(c.Root()))
				return err
			}
			about := c.Root()
			for _, name := range args {
				next := childNamed(about, name)
				if next == nil {
					return unknownCommand(c.Root(), name, "Unknown command %q")
				}
				about = next
			}
			return about.Help()
		},
	}
}

// globalHelp is the page about the flags of every command.
func globalHelp(root *cobra.Command) string {
	return withFlags(flagsHelp, root.PersistentFlags(), "")
}
