package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

const completionHelp = `Print a script that lets the shell complete commands, flags and directories.

Usage:
  memcurator completion bash|zsh|fish|powershell

Examples:
  source <(memcurator completion bash)               this bash session
  memcurator completion bash > ~/.local/share/bash-completion/completions/memcurator
  memcurator completion zsh > "${fpath[1]}/_memcurator"
  memcurator completion fish > ~/.config/fish/completions/memcurator.fish
  memcurator completion powershell | Out-String | Invoke-Expression
`

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a completion script",
		Long:      completionHelp,
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return wrongUse("%s takes the name of one shell: %s.", c.Name(), strings.Join(shells, ", "))
			}
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(a.out, true)
			case "zsh":
				return c.Root().GenZshCompletion(a.out)
			case "fish":
				return c.Root().GenFishCompletion(a.out, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(a.out)
			}
			return wrongUse("There is no completion for the shell %q; the shells are %s.", args[0], strings.Join(shells, ", "))
		},
	}
}
