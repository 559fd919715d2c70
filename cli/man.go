package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const manHelp = `Print the manual page memcurator(1). The page of a command is its help: memcurator help COMMAND.

Usage:
  memcurator man

Example:
  memcurator man > ~/.local/share/man/man1/memcurator.1
`

// controls match lines that roff would interpret.
var controls = regexp.MustCompile(`(?m)^([.'])`)

func manCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Long: manHelp, Args: session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			text := strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(helpText(c.Root()) + "\n" + globalHelp(c.Root()))
			_, err := fmt.Fprintf(run.Out, ".TH MEMCURATOR 1\n.SH NAME\nmemcurator \\- %s\n.SH DESCRIPTION\n.nf\n%s.fi\n", c.Root().Short,
				controls.ReplaceAllString(text, `\&$1`))
			return err
		},
	}
}
