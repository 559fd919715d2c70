package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/render/text"
)

const rootHelp = `See what your AI agent remembers, watch every edit live, undo the bad ones.

Usage:
  memcurator [DIR]        open a memory directory or a CLAUDE.md, or choose one of this machine's
  memcurator COMMAND ...  run a command

{commands}Flags:
{flags}
DIR is what your agent sees as /memories; without it, $MEMCURATOR_DIR, ./memories or
./memory/memories. Write ./log for a directory named like a command.
PATH is a file: /memories/todo.md, or todo.md for short. REV is a revision number from log.
Help on a command: memcurator help COMMAND. Global flags, exit status: memcurator help flags
`

// commandGroup is a section of the program's help.
type commandGroup struct {
	title    string
	commands []func(*session.Session) *cobra.Command
}

// allCommands makes each command, in the order of the help. To add one, add a line here.
var allCommands = []commandGroup{
	{"Browse, review, undo", []func(*session.Session) *cobra.Command{
		demoCommand,
		lsCommand,
		catCommand,
		logCommand,
		showCommand,
		diffCommand,
		blameCommand,
		searchCommand,
		trashCommand,
		undoCommand,
		restoreCommand,
	}},
	{"Curate, redact, move", []func(*session.Session) *cobra.Command{
		planCommand,
		applyCommand,
		statsCommand,
		copyCommand,
		moveCommand,
		exportCommand,
		importCommand,
		scanCommand,
		scrubCommand,
		allowCommand,
	}},
	{"Agents", []func(*session.Session) *cobra.Command{
		replayCommand,
		execCommand,
		mcpCommand,
		promptCommand,
		initCommand,
		conformanceCommand,
	}},
	{"Setup", []func(*session.Session) *cobra.Command{
		storesCommand,
		configCommand,
		keysCommand,
		doctorCommand,
		completionCommand,
		manCommand,
		versionCommand,
		helpCommand,
	}},
}

// rootCommand builds the command tree for one run.
func rootCommand(run *session.Session) *cobra.Command {
	root := &cobra.Command{
		Use:           session.Program + " [DIR]",
		Short:         "See what your AI agent remembers, watch every edit live, undo the bad ones",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if asked, _ := c.Flags().GetBool("version"); asked {
				return printVersion(run)
			}
			return browse(run, c, args)
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(run.Env.Stdin)
	root.SetOut(run.Out)
	root.SetErr(run.Env.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		_, _ = io.WriteString(run.Out, helpText(c))
	})
	run.Flags.Add(root)
	browseFlags(root)
	// Cobra's own version flag prints with text/template, for which the linker would keep every exported method: megabytes.
	root.Flags().BoolP("version", "v", false, "print the version")
	var sections strings.Builder
	for _, group := range allCommands {
		fmt.Fprintf(&sections, "%s:\n", group.title)
		for _, command := range group.commands {
			c := command(run)
			fmt.Fprintf(&sections, "  %-12s  %s\n", c.Name(), c.Short)
			if c.Name() == "help" {
				root.SetHelpCommand(c)
			} else {
				root.AddCommand(c)
			}
		}
		sections.WriteByte('\n')
	}
	root.Long = strings.Replace(rootHelp, "{commands}", sections.String(), 1)
	return root
}

// unknownCommand is the error for an unknown command; format has one place for the word.
func unknownCommand(root *cobra.Command, word, format string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	hint := "See " + session.Program + " help"
	if near := text.Nearest(word, names); near != "" {
		hint = "Did you mean " + near + "?"
	}
	return session.WrongUse(format+". %s", word, hint)
}

// notACommand refuses a bare word that is neither a command nor DIR.
func notACommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if word == "" || strings.ContainsAny(word, `/\`) || strings.Trim(word, ".") == "" {
		return nil
	}
	if _, err := os.Stat(word); err == nil {
		return nil
	}
	return unknownCommand(root, word, "No command or directory %q")
}

// flagError is a sentence for an error of the flag parser.
func flagError(c *cobra.Command, err error) error {
	about := "flags"
	if c.HasParent() {
		about = c.Name()
	} else if bad := notACommand(c, c.Flags().Args()); bad != nil {
		return bad // the flags of an unknown command are unknown too, but the command is the actual mistake
	}
	return session.WrongUse("%s. See %s help %s", output.Capital(err.Error()), session.Program, about)
}
