package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/mcpserver"
)

const promptHelp = `Print the recommended system prompt for memory, word for word from the tool's documentation.

Usage:
  memcurator prompt

The API adds this text by itself if the memory tool (memory_20250818) is enabled. Use it for agent
loops that offer the tool another way.
`

func promptCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "prompt", Short: "Print the recommended system prompt for memory", Long: promptHelp, Args: session.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(run.Out, mcpserver.Protocol)
			return err
		},
	}
}
