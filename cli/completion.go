package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const completionHelp = `Print a shell completion script for commands, flags, directories and files.

Usage:
  memcurator completion bash|zsh|fish

Examples:
  memcurator completion bash > ~/.local/share/bash-completion/completions/memcurator
  memcurator completion zsh > "${fpath[1]}/_memcurator"
  memcurator completion fish > ~/.config/fish/completions/memcurator.fish
`

var shells = []string{"bash", "zsh", "fish"}

func completionCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish",
		Short:     "Print a shell completion script",
		Long:      completionHelp,
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return session.WrongUse("Missing shell: %s", strings.Join(shells, ", "))
			}
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(run.Out, true)
			case "zsh":
				return c.Root().GenZshCompletion(run.Out)
			case "fish":
				return c.Root().GenFishCompletion(run.Out, true)
			}
			return session.WrongUse("Unknown shell %q; choose %s", args[0], strings.Join(shells, ", "))
		},
	}
}
