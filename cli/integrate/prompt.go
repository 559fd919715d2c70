package integrate

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/mcpserver"
)

const promptHelp = `Print the system prompt for memory, word for word as the memory tool's documentation has it.

Usage:
  memcurator prompt [flags]

The API puts the first text into the system prompt by itself where the memory tool of type
memory_20250818 is enabled. It is for agent loops that offer the tool in another way.

Flags:
      --tidy                add the note about keeping the memory folder organised
      --topic TOPIC         add the sentence that limits the memory to a topic
      --pattern NAME        add the text of a pattern: multi-session (see memcurator help init)
Flags of every command: see memcurator help

Examples:
  memcurator prompt --tidy --topic "the booking service"
  memcurator prompt --pattern multi-session >> system-prompt.md
`

func PromptCommand(run *session.Session) *cobra.Command {
	var p mcpserver.Prompt
	c := &cobra.Command{
		Use:         "prompt",
		Short:       "Print the documentation's system prompt for memory",
		Long:        promptHelp,
		Annotations: session.HelpRow("prompt", "print the documented system prompt for memory"),
		Args:        session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("topic") && p.Topic == "" {
				return session.WrongUse("The topic is empty.")
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
	f.BoolVar(&p.Tidy, "tidy", false, "add the note on tidiness")
	f.StringVar(&p.Topic, "topic", "", "add the sentence on a topic")
	patternFlag(c, &p.Pattern)
	return c
}

// patternFlag adds --pattern.
func patternFlag(c *cobra.Command, pattern *string) {
	c.Flags().StringVar(pattern, "pattern", "", mcpserver.PatternMultiSession)
	session.Complete(c, "pattern", mcpserver.PatternMultiSession)
}

// promptError says what is wrong with a flag.
func promptError(err error) error {
	var bad *mcpserver.PromptError
	if errors.As(err, &bad) {
		return session.WrongUse("The value for --%s cannot be used. %s.", bad.Field, bad.Message)
	}
	return err
}
