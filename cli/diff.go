package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

const diffHelp = `Compare two points in time.

Usage:
  memcurator diff [DIR] [FROM[..TO]] [PATH]

FROM and TO are revisions or times. 12..20 compares the store after revision 12 with the store
after 20; 12 compares with the present; without a range you get the newest change. Revision 0 is the
store as it was when the journal began. With PATH, only changes at or below it. Long lines are cut
around their first change.

Flags:
{flags}
Examples:
  memcurator diff 12..20
  memcurator diff yesterday..now
  memcurator diff 0 projects
`

func diffCommand(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "diff [DIR] [FROM[..TO]] [PATH]", Short: "Compare two points in time", Long: diffHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := run.Past(c, args, true, isRange)
			if err != nil {
				return err
			}
			if len(p.Words) == 2 && !strings.Contains(p.Words[0]+p.Words[1], "..") {
				p.Words = []string{p.Words[0] + ".." + p.Words[1]}
			}
			if len(p.Words) > 1 {
				return session.WrongUse("Too many ranges. Example: %s diff 12..20", session.Program)
			}
			return run.List(p, func() error {
				from, to, err := parseRevisionRange(p, c.Context())
				if err != nil {
					return err
				}
				return printDiff(run, c.Context(), p, from, to, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines: path, old_path (of a rename, or null), before, after "+
		"(hashes or null), added, removed")
	return c
}

// parseRevisionRange reads REV..REV.
func parseRevisionRange(p *session.Recorded, ctx context.Context) (from, to int64, err error) {
	if to, err = p.Journal.Last(ctx); err != nil {
		return 0, 0, err
	}
	if len(p.Words) == 0 {
		if p.AgentPath != "" {
			newest := past.Filter{Path: p.AgentPath, Newest: true, Limit: 1}
			if err = p.Journal.List(ctx, newest, func(r past.Revision) bool { to = r.Rev; return false }); err != nil {
				return 0, 0, err
			}
		}
		return max(to-1, 0), to, nil
	}
	first, second, _ := strings.Cut(p.Words[0], "..")
	if from, err = parsePoint(p, ctx, first); err == nil && second != "" {
		to, err = parsePoint(p, ctx, second)
	}
	return from, to, err
}

// pathDiff is the difference at one path.
type pathDiff struct {
	Path    string  `json:"path"`
	OldPath *string `json:"old_path"`
	Before  *string `json:"before"`
	After   *string `json:"after"`
	Added   int     `json:"added"`
	Removed int     `json:"removed"`
}

func printDiff(run *session.Session, ctx context.Context, p *session.Recorded, from, to int64, asJSON bool) error {
	old, err := p.Journal.Tree(ctx, from)
	if err != nil {
		return err
	}
	now, err := p.Journal.Tree(ctx, to)
	if err != nil {
		return err
	}
	out, lines := run.Out.JSONLines(), run.Out.Painted(p.Settings, output.PaintDiff)
	differ := false
	wanted := func(path string) bool {
		return p.AgentPath == "" || path == p.AgentPath || strings.HasPrefix(path, p.AgentPath+"/")
	}
	moved, err := movesBetween(ctx, p, from, to)
	if err != nil {
		return err
	}
	err = past.Compare(old, now, moved, func(before, after *past.Entry) error {
		var was, is string
		if before != nil {
			was = before.Path
		}
		if after != nil {
			is = after.Path
		}
		d := pathDiff{Path: cmp.Or(is, was)}
		name := d.Path
		if before != nil && was != d.Path {
			d.OldPath = &was
			name = was + " -> " + is
		}
		if !wanted(d.Path) && (d.OldPath == nil || !wanted(*d.OldPath)) {
			return nil
		}
		differ = true
		texts, note := texts(p, ctx, before, after, &d)
		var err error
		switch {
		case asJSON:
			d.Added, d.Removed, _ = diff.Counts(texts[0], texts[1])
			return out.Encode(d)
		case note != "":
			_, err = fmt.Fprintf(lines, "%s: %s\n", name, note)
		default:
			_, err = lines.Write(unified(ctx, texts, was, is, diffLineMost))
		}
		return err
	})
	if err != nil || differ {
		return err
	}
	_, was := old.Find(p.AgentPath)
	if _, is := now.Find(p.AgentPath); p.AgentPath != "" && p.AgentPath != memstore.Root && !was && !is {
		return session.Failed(nil, "No file %s at those points", p.AgentPath)
	}
	run.Say(fmt.Sprintf("No differences between #%d and #%d", from, to))
	return nil
}

// movesBetween returns where a path of one revision is in another, which may be older.
func movesBetween(ctx context.Context, p *session.Recorded, from, to int64) (moved func(path string) string, err error) {
	var moves []past.Revision
	between := past.Filter{After: min(from, to), Before: max(from, to) + 1, Newest: from > to}
	err = p.Journal.List(ctx, between, func(r past.Revision) bool {
		if from > to {
			r.Path, r.OldPath = r.OldPath, r.Path
		}
		if r.Shape == past.Renamed {
			moves = append(moves, r)
		}
		return true
	})
	return func(path string) string {
		for _, r := range moves {
			if at, ok := r.MovedTo(path); ok {
				path = at
			}
		}
		return path
	}, err
}

// texts reads both sides of a path.
func texts(p *session.Recorded, ctx context.Context, before, after *past.Entry, d *pathDiff) (texts [2][]byte, note string) {
	for i, side := range []struct {
		entry *past.Entry
		hash  **string
	}{{before, &d.Before}, {after, &d.After}} {
		if side.entry == nil || side.entry.Kind == memstore.KindDir {
			continue
		}
		s := side.entry.Side()
		*side.hash = session.HashOrNull(s.Digest)
		var why string
		if texts[i], why = textOf(p, ctx, s); why != "" {
			note = why
		}
	}
	return texts, note
}
