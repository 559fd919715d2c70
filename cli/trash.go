package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

const trashHelp = `List deleted files, newest first.

Usage:
  memcurator trash [DIR]

restore PATH brings a file back; undo REV reverts the deletion, and undo --group N all that were
deleted with it. A row says why if the text was not kept.

Flags:
{flags}
`

func trashCommand(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "trash [DIR]", Short: "List deleted files", Long: trashHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := run.Past(c, args, false, nil)
			if err != nil {
				return err
			}
			return run.List(p, func() error { return printTrash(run, c, p, asJSON) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines: path, rev, time, actor, kind, bytes, hash, group, kept")
	return c
}

// trashLine is a line of trash --json.
type trashLine struct {
	Path  string  `json:"path"`
	Rev   int64   `json:"rev"`
	Time  string  `json:"time"`
	Actor string  `json:"actor"`
	Kind  string  `json:"kind"`
	Bytes int64   `json:"bytes"`
	Hash  *string `json:"hash"`
	Group *int64  `json:"group"`
	Kept  bool    `json:"kept"`
}

func printTrash(run *session.Session, c *cobra.Command, p *session.Recorded, asJSON bool) (err error) {
	rows := run.Out.Rows(p.Settings, asJSON)
	listErr := p.Journal.List(c.Context(), past.Filter{Removed: true, Newest: true}, func(r past.Revision) bool {
		if r.UndidFolder() {
			return true
		}
		kept := r.Before.Kept || r.Kind == memstore.KindDir
		line := trashLine{
			Path: r.Path, Rev: r.Rev, Time: r.Time.UTC().Format(output.JSONTime), Actor: string(r.Actor),
			Kind: past.KindName(r.Kind), Bytes: r.Before.Size, Kept: kept, Hash: session.HashOrNull(r.Before.Digest), Group: output.OrNull(r.Group),
		}
		size := memstore.FormatSize(p.Dialect, r.Before.Size)
		if r.Kind != memstore.KindFile {
			size = line.Kind
		}
		row := fmt.Sprintf("%6d  %s  %-8s  %10s  %s", r.Rev, output.Clock(r.Time), text.Clean(string(r.Actor)), size, text.Clean(r.Path))
		if !kept {
			row += "  (" + r.Before.Why + ")"
		}
		err = rows.Print(line, "%s", row)
		return err == nil
	})
	return errors.Join(err, listErr)
}
