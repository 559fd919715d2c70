package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
	"memcurator/render/text"
)

const showHelp = `Print one change and its diff.

Usage:
  memcurator show [DIR] REV

Flags:
{flags}
Example:
  memcurator show 12 --before > before.md
`

func showCommand(run *session.Session) *cobra.Command {
	var before, after, asJSON bool
	c := &cobra.Command{
		Use: "show [DIR] REV", Short: "Print one change and its diff", Long: showHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return missingREV()
			}
			p, err := run.Past(c, args, false, isRevision)
			if err != nil {
				return err
			}
			if len(p.Words) == 0 {
				return missingREV()
			}
			if len(p.Words) > 1 {
				return session.WrongUse("show takes one REV. To compare two: %s diff %s..%s", session.Program, p.Words[0], p.Words[1])
			}
			return run.Need(p, func() error {
				r, err := revisionOf(p, c.Context(), p.Words[0])
				switch {
				case err != nil:
					return err
				case before:
					return printSide(run, c.Context(), p, r.Rev, r.Before)
				case after:
					return printSide(run, c.Context(), p, r.Rev, r.After)
				}
				return printRevision(run, c.Context(), p, r, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&before, "before", false, "print the whole text before the change, byte for byte")
	c.Flags().BoolVar(&after, "after", false, "print the whole text after the change")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: the keys of log --json, and diff")
	c.MarkFlagsMutuallyExclusive("before", "after", "json")
	return c
}

func missingREV() error { return session.WrongUse("Missing REV. Example: %s show 12", session.Program) }

// printSide prints the bytes of one side.
func printSide(run *session.Session, ctx context.Context, p *session.Recorded, rev int64, s past.Side) error {
	data, err := p.Journal.Bytes(ctx, s)
	switch {
	case errors.Is(err, past.ErrNotThere):
		return session.Failed(err, "Revision #%d has no text on that side", rev)
	case errors.Is(err, past.ErrNotKept):
		return session.Failed(err, "Can't show the text: %s", s.Why)
	case err != nil:
		return err
	}
	_, err = run.Out.Lines(p.Settings).Write(data)
	return err
}

func printRevision(run *session.Session, ctx context.Context, p *session.Recorded, r past.Revision, asJSON bool) error {
	lineMost := diffLineMost
	if asJSON {
		lineMost = 0
	}
	patch, note := patchOf(p, ctx, r, lineMost)
	if asJSON {
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		var fields map[string]any
		if err := json.Unmarshal(data, &fields); err != nil {
			return err
		}
		fields["rev"], fields["diff"] = r.Rev, string(patch)
		return run.Out.JSONLines().Encode(fields)
	}
	out := run.Out.Painted(p.Settings, output.PaintDiff)
	fmt.Fprintf(out, "revision %d\n", r.Rev)
	for _, row := range [][2]string{
		{"time", output.Clock(r.Time)}, {"actor", string(r.Actor)}, {"command", r.Command}, {"path", r.Path}, {"was", r.OldPath},
		{"session", r.Session}, {"model", r.Model}, {"call", r.ToolUseID}, {"turn", turnText(r.Turn)}, {"process", r.Process},
		{"note", string(r.Note)},
	} {
		if row[1] != "" {
			fmt.Fprintf(out, "%-8s %s\n", row[0], text.Clean(row[1]))
		}
	}
	if r.UndoneBy == r.Rev { // the journal's mark for a revision whose change was purged
		r.UndoneBy = 0
		note = cmp.Or(note, textPurged)
	}
	for _, row := range []struct {
		name string
		rev  int64
	}{{"group", r.Group}, {"undoes", r.Undoes}, {"undone by", r.UndoneBy}} {
		if row.rev != 0 {
			fmt.Fprintf(out, "%-8s %d\n", row.name, row.rev)
		}
	}
	if note != "" {
		fmt.Fprintf(out, "\n%s\n", note)
	}
	if len(patch) > 0 {
		fmt.Fprintln(out)
		_, err := out.Write(patch)
		return err
	}
	return nil
}

// textPurged describes a revision whose change was purged.
const textPurged = "Purged: no revision holds the values any more, so this one can't be undone"

// diffTimeout limits the comparison of one file on the command line.
const diffTimeout = time.Second

// diffLineMost is how many bytes of a line are printed to people, who would not find a changed word in more.
const diffLineMost = 2000

// patchOf returns the diff of a revision, with lines of at most so many bytes (0: whole ones), or a sentence saying why there is none.
func patchOf(p *session.Recorded, ctx context.Context, r past.Revision, lineMost int) (patch []byte, note string) {
	if r.Kind == memstore.KindDir || r.Shape == past.Renamed {
		return nil, ""
	}
	var texts [2][]byte
	var paths [2]string
	for i, side := range []past.Side{r.Before, r.After} {
		if texts[i], note = textOf(p, ctx, side); note != "" {
			return nil, note
		}
		if side.Exists {
			paths[i] = r.Path
		}
	}
	return unified(ctx, texts, paths[0], paths[1], lineMost), ""
}

// textOf reads one side for display.
func textOf(p *session.Recorded, ctx context.Context, s past.Side) (data []byte, note string) {
	data, err := p.Journal.Bytes(ctx, s)
	var failure *past.Error
	switch {
	case errors.As(err, &failure) && failure.Err == past.ErrNotKept && failure.Cause != nil:
		return nil, "Can't show the diff: " + failure.Cause.Error()
	case err != nil && !errors.Is(err, past.ErrNotThere):
		return nil, "Can't show the diff: " + session.JournalReason(err)
	}
	return data, ""
}

// noFile is the name of a missing side, as in patches.
const noFile = "/dev/null"

// unified is the diff of a file that may have been renamed; before or after is "" where there is none.
func unified(ctx context.Context, texts [2][]byte, before, after string, lineMost int) []byte {
	options := diff.Options{Timeout: diffTimeout, LineMost: lineMost}
	var head []byte
	if before != "" && after != "" && before != after {
		head = diff.RenameHeader(strings.TrimPrefix(before, "/"), strings.TrimPrefix(after, "/"))
	}
	edits := diff.Lines(ctx, texts[0], texts[1], options)
	return append(head, diff.Format(edits, texts[0], texts[1], cmp.Or(before, noFile), cmp.Or(after, noFile), options)...)
}

// turnText is the number of a turn; "" if unknown.
func turnText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
