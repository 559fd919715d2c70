package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const versionHelp = `Print version and platform.

Usage:
  memcurator version
`

func versionCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version and platform",
		Long:  versionHelp,
		Args:  session.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(run.Out, session.BuildVersion())
			return err
		},
	}
}

// versionFlag adds --version to the program. Cobra's own version flag prints with text/template, which finds methods by name at run time:
// the linker would then keep every exported method of every type, some megabytes of the binary.
func versionFlag(root *cobra.Command) {
	root.Flags().BoolP("version", "v", false, "print the version")
}

// versionOr runs next unless --version was given.
func versionOr(run *session.Session, next func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if asked, _ := c.Flags().GetBool("version"); !asked {
			return next(c, args)
		}
		_, err := fmt.Fprintln(run.Out, session.BuildVersion())
		return err
	}
}
