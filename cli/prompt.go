package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/mcpserver"
)

const promptHelp = `Print the recommended system prompt for memory, word for word from the tool's documentation.

Usage:
  memcurator prompt [flags]

The API adds the first text by itself if the memory tool (memory_20250818) is enabled. Use this for
agent loops that offer the tool another way.

Flags:
{flags}
Examples:
  memcurator prompt --tidy --topic "the booking service"
  memcurator prompt --pattern multi-session >> system-prompt.md
`

func promptCommand(run *session.Session) *cobra.Command {
	var p mcpserver.Prompt
	c := &cobra.Command{
		Use:   "prompt",
		Short: "Print the recommended system prompt for memory",
		Long:  promptHelp,
		Args:  session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("topic") && p.Topic == "" {
				return session.WrongUse("--topic is empty")
			}
			text, err := p.Text()
			if err != nil {
				return promptError(err)
			}
			_, err = io.WriteString(run.Out, text+"\n")
			return err
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.BoolVar(&p.Tidy, "tidy", false, "ask the agent to keep its memory organized")
	f.StringVar(&p.Topic, "topic", "", "limit the memory to `TOPIC`")
	f.StringVar(&p.Pattern, "pattern", "", "the pattern `NAME`: "+mcpserver.PatternMultiSession)
	session.Complete(c, "pattern", mcpserver.PatternMultiSession)
	return c
}

// promptError says what is wrong with a flag.
func promptError(err error) error {
	var bad *mcpserver.PromptError
	if errors.As(err, &bad) {
		return session.WrongUse("Invalid --%s: %s", bad.Field, output.Uncapital(bad.Message))
	}
	return err
}
