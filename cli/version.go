package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const versionHelp = `Print version and platform.

Usage:
  memcurator version
`

func versionCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version and platform", Long: versionHelp, Args: session.NoArguments,
		RunE: func(*cobra.Command, []string) error { return printVersion(run) },
	}
}

// moduleVersion is that of the build: a tag, or the commit of a clone.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "devel"
}

func printVersion(run *session.Session) error {
	_, err := fmt.Fprintf(run.Out, "%s %s %s %s/%s\n", session.Program, moduleVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
