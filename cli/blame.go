package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

const blameHelp = `Show which change wrote each line of a file.

Usage:
  memcurator blame [DIR] PATH

A line without a revision is older than the journal. Renames are followed.

Flags:
{flags}
Example:
  memcurator blame progress.md --at yesterday
`

func blameCommand(run *session.Session) *cobra.Command {
	var at string
	var asJSON bool
	c := &cobra.Command{
		Use: "blame [DIR] PATH", Short: "Show which change wrote each line of a file", Long: blameHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return missingPath(c)
			}
			p, err := run.Past(c, args, true, nil)
			if err != nil {
				return err
			}
			if p.AgentPath == "" {
				return missingPath(c)
			}
			return run.Need(p, func() error { return printBlame(run, c, p, at, asJSON) })
		},
	}
	c.Flags().StringVar(&at, "at", "", "blame the file as of `REV`, or a time")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines: line, rev, time, actor, command, text")
	return c
}

func missingPath(c *cobra.Command) error {
	return session.WrongUse("Missing PATH. Example: %s %s notes.md", session.Program, c.Name())
}

// blamedLine is a line of blame --json; rev is null for lines older than the journal.
type blamedLine struct {
	Line    int     `json:"line"`
	Rev     *int64  `json:"rev"`
	Time    *string `json:"time"`
	Actor   *string `json:"actor"`
	Command *string `json:"command"`
	Text    string  `json:"text"`
}

func printBlame(run *session.Session, c *cobra.Command, p *session.Recorded, at string, asJSON bool) error {
	var rev int64
	var err error
	if at != "" {
		if rev, err = parsePoint(p, c.Context(), at); err != nil {
			return err
		}
	}
	b, err := p.Journal.Blame(c.Context(), p.AgentPath, rev)
	switch {
	case errors.Is(err, past.ErrNotThere):
		return session.Failed(err, "No file %s at that point", p.AgentPath)
	case errors.Is(err, past.ErrNotKept):
		return session.Failed(err, "Can't blame %s: the journal did not keep its text", p.AgentPath)
	case err != nil:
		return err
	}
	rows := run.Out.Rows(p.Settings, asJSON)
	for i, l := range b.Lines {
		line := blamedLine{Line: i + 1, Text: string(bytes.TrimSuffix(l.Text, []byte{'\n'}))}
		by := ""
		if r, known := b.Revisions[l.Rev]; known {
			actor, when := string(r.Actor), r.Time.UTC().Format(output.JSONTime)
			line.Rev, line.Time, line.Actor, line.Command = &r.Rev, &when, &actor, &r.Command
			by = fmt.Sprintf("%6d  %-8s  %s", r.Rev, text.Clean(actor), output.Clock(r.Time))
		}
		if err := rows.Print(line, "%-37s  %s", by, line.Text); err != nil {
			return err
		}
	}
	return nil
}
