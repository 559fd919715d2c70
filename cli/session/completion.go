package session

import (
	"path"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/render/text"
)

// CompleteDirs completes directories for DIR.
func CompleteDirs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// mostOffered limits the completions from one folder.
const mostOffered = 1000

// CompletePaths completes directories for DIR, and agent paths for AGENT-PATH in the named or usual store. It asks nothing, so an
// encrypted store has no completions.
func (run *Session) CompletePaths(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	dir := ""
	switch flag := c.Flags().Lookup("dir"); {
	case flag != nil && flag.Changed && len(args) == 0:
		dir = flag.Value.String()
	case len(args) == 1 && !IsAgentPath(args[0]):
		dir = args[0]
	case len(args) > 0:
		return nil, none
	case typed == "" || !strings.HasPrefix(typed, memstore.Root) && !strings.HasPrefix(memstore.Root, typed):
		return nil, cobra.ShellCompDirectiveFilterDirs
	default:
		var err error
		if dir, err = run.Locator().UsualDir(); err != nil {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	}
	if sealed, err := run.Locator().Sealed(dir); err != nil || sealed {
		return nil, none
	}
	b, err := run.Locator().OpenPlain(dir, false)
	if err != nil {
		return nil, none
	}
	defer b.Close()
	return agentPaths(b, typed)
}

// agentPaths completes an agent path. A folder ends with a slash and no space, so that the next tab continues in it.
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
		// Shells read lines, with a description after a tab.
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
