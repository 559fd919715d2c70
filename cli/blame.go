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
			if p != nil && p.Dir != "" && p.AgentPath == "" {
				return missingPath(c)
			}
			return session.Need(p, err, func() error { return printBlame(run, c, p, at, asJSON) })
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
	out, lines := run.Out.JSONLines(), run.Out.Lines(p.Settings)
	for i, l := range b.Lines {
		r, known := b.Revisions[l.Rev]
		row := bytes.TrimSuffix(l.Text, []byte{'\n'})
		if asJSON {
			line := blamedLine{Line: i + 1, Text: string(row)}
			if known {
				actor, when := string(r.Actor), r.Time.UTC().Format(output.JSONTime)
				line.Rev, line.Time, line.Actor, line.Command = &r.Rev, &when, &actor, &r.Command
			}
			err = out.Encode(line)
		} else if known {
			_, err = fmt.Fprintf(lines, "%6d  %-8s  %s  %s\n", r.Rev, text.Clean(string(r.Actor)), output.Clock(r.Time), row)
		} else {
			_, err = fmt.Fprintf(lines, "%6s  %-8s  %19s  %s\n", "", "", "", row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
