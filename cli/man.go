package cli

import (
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const manHelp = `Print the manual page memcurator(1). The page of a command is its help: memcurator help COMMAND.

Usage:
  memcurator man

Examples:
  memcurator man | man -l -
  memcurator man > ~/.local/share/man/man1/memcurator.1
`

func manCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Long:  manHelp,
		Args:  session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(run.Out, manPage(c.Root()))
			return err
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
}

// manPage is the help of the program, with the global flags, as a manual page.
func manPage(root *cobra.Command) string {
	_, rest, _ := strings.Cut(helpText(root)+"\n"+globalHelp(root), "\n\n")
	var b, synopsis, description, others strings.Builder
	b.WriteString(".TH " + strings.ToUpper(session.Program) + " 1 \"\" \"" + session.Program + " " + session.BuildVersion().Version + "\"\n")
	b.WriteString(".SH NAME\n" + roff(session.Program) + " \\- " + roff(strings.TrimSuffix(root.Short, ".")) + "\n")
	for _, block := range strings.Split(strings.Trim(rest, "\n"), "\n\n") {
		title, rows, titled := strings.Cut(block, ":\n")
		section := manSections[title]
		switch {
		case titled && title == "Usage":
			synopsis.WriteString(".SH SYNOPSIS\n" + literal(rows))
		case titled && section != "":
			others.WriteString(".SH " + section + "\n" + literal(rows))
		case titled && strings.HasPrefix(rows, "  ") && !strings.Contains(title, "\n"):
			description.WriteString(".SS " + roff(title) + "\n" + literal(rows))
		default:
			description.WriteString(prose(block))
		}
	}
	return b.String() + synopsis.String() + ".SH DESCRIPTION\n" + description.String() + others.String()
}

// manSections maps sections of a help to those with another name in a manual page.
var manSections = map[string]string{
	"Flags": "OPTIONS", "Global flags": "GLOBAL OPTIONS", "Environment": "ENVIRONMENT", "Exit status": "EXIT STATUS", "Examples": "EXAMPLES",
}

// literal shows lines literally.
func literal(lines string) string { return ".nf\n" + roff(strings.TrimRight(lines, "\n")) + "\n.fi\n" }

// prose fills paragraphs, except indented ones.
func prose(block string) string {
	if strings.HasPrefix(block, " ") {
		return literal(block)
	}
	return ".PP\n" + roff(block) + "\n"
}

// controls match lines that roff would interpret.
var controls = regexp.MustCompile(`(?m)^([.'])`)

// roff escapes a text so that roff interprets nothing in it.
func roff(text string) string {
	text = strings.ReplaceAll(text, `\`, `\e`)
	text = strings.ReplaceAll(text, "-", `\-`)
	return controls.ReplaceAllString(text, `\&$1`)
}
