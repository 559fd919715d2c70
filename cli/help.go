package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
			about, unknown, err := c.Root().Find(args)
			if err == nil && len(unknown) > 0 {
				err = unknownCommand(c.Root(), unknown[0], "Unknown command %q")
			}
			if err != nil {
				return err
			}
			return about.Help()
		},
	}
}

// globalHelp is the page about the flags of every command.
func globalHelp(root *cobra.Command) string {
	return withFlags(flagsHelp, root.PersistentFlags(), "")
}

// flagsPlace is replaced, in a help text, by the rows of the command's flags.
const flagsPlace = "{flags}\n"

// globalFlagsHint ends the list of a command's flags.
const globalFlagsHint = "Global flags: " + session.Program + " help flags\n"

// helpWidth is the maximum width of help lines.
const helpWidth = 92

// helpText is the help of a command, with the rows of its flags. It is made only where it is shown: to make that of every command took a
// fifth of each start.
func helpText(c *cobra.Command) string {
	hint := ""
	if c.HasParent() {
		hint = globalFlagsHint
	}
	c.Flags().SortFlags = false
	return withFlags(c.Long, c.LocalNonPersistentFlags(), hint)
}

// withFlags inserts the rows of flags, and a line after them, into a help text.
func withFlags(help string, flags *pflag.FlagSet, hint string) string {
	before, after, found := strings.Cut(help, flagsPlace)
	if !found {
		return help
	}
	if after != "" {
		after = "\n" + after
	}
	return before + flagRows(flags) + hint + after
}

// flagRows describes each flag: its form, and beside it what it does, in lines between words.
func flagRows(flags *pflag.FlagSet) string {
	var forms, usages []string
	wide := 0
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		form := "    --" + f.Name
		if f.Shorthand != "" {
			form = "-" + f.Shorthand + ", --" + f.Name
		}
		if f.Value.Type() != "bool" {
			form += " " + value
		}
		forms, usages, wide = append(forms, form), append(usages, usage), max(wide, len(form))
	})
	var b strings.Builder
	for i, form := range forms {
		lines := ansi.Wordwrap(usages[i], helpWidth-wide-4, "")
		fmt.Fprintf(&b, "  %-*s  %s\n", wide, form, strings.ReplaceAll(lines, "\n", "\n"+strings.Repeat(" ", wide+4)))
	}
	return b.String()
}
