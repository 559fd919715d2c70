package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memcurator/cli/agent"
	"memcurator/cli/curate"
	"memcurator/cli/integrate"
	"memcurator/cli/past"
	"memcurator/cli/replay"
	"memcurator/cli/session"
	"memcurator/cli/stores"
	"memcurator/memstore/config"
)

const rootHelp = `memcurator shows what an AI agent remembered, and every edit as the agent makes it.

Usage:
  memcurator [DIR]            open the user interface on a memory directory
  memcurator COMMAND ...

Commands:
{commands}
DIR is the directory that the agent sees as /memories. Left out: $MEMCURATOR_DIR, ./memories,
./memory/memories, then a list to choose from. Write ./demo for a directory named like a command.

Flags:
      --dir DIR               the memory directory, instead of the argument
      --identity FILE         age identity file of an encrypted store (may be repeated)
      --read-only             look only: the interface changes nothing
      --follow                show the diff of each change as it is made
  -h, --help                  this text, or that of a command
  -v, --version               the version in one line

Flags of every command:
      --dialect NAME          {dialects}: whose wording   ($MEMCURATOR_DIALECT)
      --theme NAME            auto, dark, light, contrast or mono; --ascii: signs in ASCII
      --plain                 no full screen: print lines of text
      --config FILE           the configuration   ($MEMCURATOR_CONFIG)
      --state DIR             folder for the state of stores   ($MEMCURATOR_STATE)
      --log FILE              write errors to FILE

Exit status: 0 done, 1 failed, 2 wrong use, 3 pending (--check). NO_COLOR turns colours off.

Example: memcurator ~/agent/memories
`

// allCommands makes each command, in the order of their rows in the help. A new one is a line here.
var allCommands = []func(*session.Session) *cobra.Command{
	demoCommand,
	agent.ExecCommand,
	agent.MCPCommand,
	agent.LsCommand,
	agent.CatCommand,
	past.LogCommand,
	past.ShowCommand,
	past.DiffCommand,
	past.BlameCommand,
	past.SearchCommand,
	past.UndoCommand,
	past.RestoreCommand,
	past.TrashCommand,
	curate.PlanCommand,
	curate.ApplyCommand,
	curate.StatsCommand,
	curate.ScanCommand,
	curate.ScrubCommand,
	curate.AllowCommand,
	curate.DoctorCommand,
	replay.Command,
	integrate.PromptCommand,
	integrate.InitCommand,
	integrate.ConformanceCommand,
	configCommand,
	stores.Command,
	versionCommand,
	completionCommand,
}

// rootCommand builds the tree of commands for one run.
func rootCommand(run *session.Session) *cobra.Command {
	root := &cobra.Command{
		Use:           session.Program + " [DIR]",
		Short:         "Shows what an AI agent remembers, and each of its edits",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          versionOr(run, func(c *cobra.Command, args []string) error { return browse(run, c, args) }),

		ValidArgsFunction: session.CompleteDirs,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(run.Env.Stdin)
	root.SetOut(run.Out)
	root.SetErr(run.Env.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { _, _ = io.WriteString(run.Out, c.Long) })
	root.SetHelpCommand(helpCommand(run))
	run.Flags.Add(root)
	browseFlags(root)
	versionFlag(root)
	var commands []*cobra.Command
	for _, command := range allCommands {
		commands = append(commands, command(run))
	}
	root.AddCommand(commands...)
	root.Long = strings.Replace(session.WithDialects(rootHelp), "{commands}", session.HelpRows(commands), 1)
	return root
}

const helpHelp = `Print the help of a command.

Usage:
  memcurator help [COMMAND]
`

func helpCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		Long:  helpHelp,
		RunE: func(c *cobra.Command, args []string) error {
			about := c.Root()
			for _, name := range args {
				next := childNamed(about, name)
				if next == nil {
					return unknownCommand(c.Root(), name, "There is no command %q.")
				}
				about = next
			}
			return about.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func childNamed(c *cobra.Command, name string) *cobra.Command {
	for _, child := range c.Commands() {
		if child.Name() == name {
			return child
		}
	}
	return nil
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// unknownCommand is the answer to a word that is not a command; format has one place for the word.
func unknownCommand(root *cobra.Command, word, format string) error {
	hint := ""
	if near := config.Nearest(word, commandNames(root)); near != "" {
		hint = " Did you mean " + near + "?"
	}
	return session.WrongUse("%s%s", fmt.Sprintf(format, word), hint)
}

// plannedCommands are words that are commands in the manual and not in this
// version: no directory is meant by them.
var plannedCommands = []string{
	"hook", "man",
}

// notACommand judges what stands where a command or DIR may stand: an error for a bare word that
// is not a directory and that a user who meant a command would write.
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
	if len(args) > 1 || config.Nearest(word, append(commandNames(root), plannedCommands...)) != "" {
		return unknownCommand(root, word, "There is no command or directory %q.")
	}
	return nil
}

// flagError turns what the flag parser says into a sentence.
func flagError(c *cobra.Command, err error) error {
	// After a word that is not a command, its flags are unknown too: the word is the news.
	if c.Root() == c {
		if bad := notACommand(c, c.Flags().Args()); bad != nil {
			return bad
		}
	}
	var unknown *pflag.NotExistError
	var noValue *pflag.ValueRequiredError
	var badValue *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &noValue):
		return session.WrongUse("The flag %s needs a value.", dashed(noValue.GetSpecifiedName()))
	case errors.As(err, &badValue):
		return session.WrongUse("%q is no value for the flag --%s.", badValue.GetValue(), badValue.GetFlag().Name)
	}
	return session.WrongUse("The flags cannot be read: %s.", err)
}

func unknownFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	name := unknown.GetSpecifiedName()
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	hint := ""
	if near := config.Nearest(name, known); near != "" {
		hint = " Did you mean --" + near + "?"
	}
	if c.HasParent() {
		return session.WrongUse("The command %s has no flag %s.%s", c.Name(), dashed(name), hint)
	}
	return session.WrongUse("There is no flag %s.%s", dashed(name), hint)
}

func dashed(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}
