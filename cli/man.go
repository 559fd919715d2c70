package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
)

const manHelp = `Print the manual page memcurator(1), or write the pages of all commands.

Usage:
  memcurator man [DIR]

With DIR, writes memcurator.1 and a page for each command there, and creates DIR.

Examples:
  memcurator man | man -l -
  memcurator man ~/.local/share/man/man1
`

func manCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Print the manual page, or write all pages to DIR",
		Long:  manHelp,
		RunE: func(c *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				_, err := io.WriteString(run.Out, manPage(c.Root()))
				return err
			case 1:
				if cmd, _, err := c.Root().Find(args); err == nil && cmd.HasParent() {
					return session.WrongUse("%s is a command: see %s help %[1]s. For a directory of this name, write ./%[1]s", args[0],
						session.Program)
				}
				n, err := writeManPages(c.Root(), args[0])
				if err == nil {
					run.Say("Wrote " + output.Counted(n, "page") + " to " + args[0])
				}
				return err
			}
			return session.WrongUse("Too many arguments. Usage: %s man [DIR]", session.Program)
		},
		ValidArgsFunction: session.CompleteDirs,
	}
}

// writeManPages writes a page for the program and one for each command, and returns how many.
func writeManPages(root *cobra.Command, dir string) (pages int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, session.Failed(err, "Can't create %s: %s", dir, session.Reason(err))
	}
	var errs []error
	all := append(root.Commands(), root)
	for _, c := range all {
		file := filepath.Join(dir, manName(c)+".1")
		if err := os.WriteFile(file, []byte(manPage(c)), 0o644); err != nil {
			errs = append(errs, session.Failed(err, "Can't write %s: %s", file, session.Reason(err)))
		}
	}
	return len(all), errors.Join(errs...)
}

func manName(c *cobra.Command) string {
	if c.HasParent() {
		return session.Program + "-" + c.Name()
	}
	return session.Program
}

// manPage is the help of a command as a manual page. That of the program also has the global flags.
func manPage(c *cobra.Command) string {
	help := helpText(c)
	if !c.HasParent() {
		help += "\n" + globalHelp(c)
	}
	summary, rest, _ := strings.Cut(help, "\n\n")
	var b strings.Builder
	b.WriteString(".TH " + strings.ToUpper(manName(c)) + " 1 \"\" \"" + session.Program + " " + session.BuildVersion().Version + "\"\n")
	b.WriteString(".SH NAME\n" + roff(manName(c)) + " \\- " + roff(strings.TrimSuffix(c.Short, ".")) + "\n")
	var synopsis, description, others strings.Builder
	if c.Short != summary && c.HasParent() {
		description.WriteString(prose(summary))
	}
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
	b.WriteString(synopsis.String() + ".SH DESCRIPTION\n" + description.String() + others.String())
	if c.HasParent() {
		b.WriteString(".SH SEE ALSO\n.BR " + session.Program + " (1)\n")
	}
	return b.String()
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
