package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const helpHelp = `Show help for a command.

Usage:
  memcurator help [COMMAND]
  memcurator help flags       global flags, environment and exit status
  memcurator help TOPIC       the command for it: add-folder, bundle, encrypt, index
`

// topics are words that users look for and no command has, in lower case, with a sentence that names the command.
var topics = map[string]string{
	"add-folder": "List a folder of your own: :add-folder DIR on the Stores screen. See docs/stores.md",
	"agents.md":  aboutInstructions,
	"bundle":     "Pack a store: memcurator export STORE --bundle FILE. Unpack it: memcurator import FILE STORE. See docs/bundles.md",
	"claude.md":  aboutInstructions,
	"encrypt":    "Create an encrypted store: memcurator exec --create --identity KEYFILE DIR. See docs/stores.md",
	"gemini.md":  aboutInstructions,
	"index":      aboutIndexes,
	"fix":        aboutIndexes,
}

const (
	aboutInstructions = "Open the instruction files of a folder: memcurator ~/src/app/CLAUDE.md. See docs/stores.md"
	aboutIndexes      = "List what is wrong with an index: memcurator plan --suggest. Fix it on the Curate screen. See docs/curating.md"
)

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
  PAGER               pager of log, diff and show on a terminal (default less; cat: none)

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
				if next == nil && len(args) > 1 && !about.HasAvailableSubCommands() {
					break // "move between stores" is about move
				}
				if next == nil {
					if said := topicOf(args); said != "" {
						_, err := fmt.Fprintln(run.Out, said)
						return err
					}
					return unknownCommand(c.Root(), name, "Unknown command %q")
				}
				about = next
			}
			return about.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return append(commandNames(c.Root()), flagsTopic), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// topicOf is the sentence about words that are no command: of all of them, else of the first that is a topic; "": none is.
func topicOf(words []string) string {
	if said := topics[strings.ToLower(strings.Join(words, " "))]; said != "" {
		return said
	}
	for _, word := range words {
		if said := topics[strings.ToLower(word)]; said != "" {
			return said
		}
	}
	return ""
}

// globalHelp is the page about the flags of every command.
func globalHelp(root *cobra.Command) string {
	return withFlags(flagsHelp, root.PersistentFlags(), "")
}
