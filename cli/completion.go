package cli

import (
	"path"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/render/text"
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

// completeDirs lets the shell offer directories for DIR.
func completeDirs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// mostOffered bounds what is offered of one folder.
const mostOffered = 1000

// completePaths offers directories for DIR and agent paths for AGENT-PATH, in the store that is
// named or meant. Nothing is asked: an encrypted store offers none.
func (a *app) completePaths(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	dir := ""
	switch flag := c.Flags().Lookup("dir"); {
	case flag != nil && flag.Changed && len(args) == 0:
		dir = flag.Value.String()
	case len(args) == 1 && !isAgentPath(args[0]):
		dir = args[0]
	case len(args) > 0:
		return nil, none
	case typed == "" || !strings.HasPrefix(typed, memstore.Root) && !strings.HasPrefix(memstore.Root, typed):
		return nil, cobra.ShellCompDirectiveFilterDirs
	default:
		var err error
		if dir, err = a.usualDir(); err != nil {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	}
	if sealed, err := age.Found(dir); err != nil || sealed {
		return nil, none
	}
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		return nil, none
	}
	defer b.Close()
	return agentPaths(b, typed)
}

// agentPaths lists what may follow what was typed of an agent path. A folder ends with a slash
// and no space, so that the next tab goes on in it.
func agentPaths(b memstore.Backend, typed string) ([]string, cobra.ShellCompDirective) {
	const more = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if !strings.HasPrefix(typed, memstore.Root+"/") {
		return []string{memstore.Root + "/"}, more
	}
	folder := path.Dir(strings.TrimPrefix(typed, memstore.Root+"/") + "x")
	entries, err := b.ReadDir(folder)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	var out []string
	for _, e := range entries {
		offer := memstore.Root + "/" + path.Join(folder, e.Name)
		if e.Kind == memstore.KindDir {
			offer += "/"
		}
		// The shells take lines, with a description behind a tab.
		if !strings.HasPrefix(offer, typed) || text.Clean(offer) != offer || len(out) == mostOffered {
			continue
		}
		if e.Kind == memstore.KindDir {
			directive = more
		}
		out = append(out, offer)
	}
	return out, directive
}
