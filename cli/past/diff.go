package past

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

const diffHelp = `Print the difference between two states of a store.

Usage:
  memcurator diff [DIR] [FROM[..TO]] [AGENT-PATH]

12..20 is from the state after revision 12 to that after 20, 12 or 12.. to the newest state, and
nothing at all is what the newest revision did. 0 is what was there when the journal began.
A side may be a time too: 2d..now, 2026-01-31..2026-02-07, "2026-01-31 15:04..1h".
What show REV prints is REV-1..REV. With AGENT-PATH, what is at it and below it only.

Flags:
      --dir DIR       the memory directory, instead of the argument
      --stat          the paths with their counts of lines, no text
      --json          one JSON object a path: path, before, after (SHA-256 or null), added, removed
Flags of every command: see memcurator help

Examples:
  memcurator diff 12..20
  memcurator diff 0 /memories/projects --stat
`

func DiffCommand(run *session.Session) *cobra.Command {
	var stat, asJSON bool
	c := &cobra.Command{
		Use: "diff [DIR] [FROM[..TO]] [AGENT-PATH]", Short: "Print the difference between two states", Long: diffHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := run.Past(c, args, true, revisionRange.MatchString)
			if p != nil && len(p.Words) > 1 {
				return session.WrongUse("Name one range of revisions, as in: %s diff 12..20", session.Program)
			}
			return run.List(p, err, func() error {
				from, to, err := parseRange(p, c.Context())
				if err != nil {
					return err
				}
				if p.AgentPath != "" && !session.IsAgentPath(p.AgentPath) {
					p.AgentPath = memstore.AgentPath(p.AgentPath)
				}
				if err := knows(p, c.Context(), p.AgentPath); err != nil {
					return err
				}
				return printDiff(run, c.Context(), p, from, to, stat, asJSON)
			})
		},
		ValidArgsFunction: run.CompletePaths,
	}
	session.DirFlag(c)
	c.Flags().BoolVar(&stat, "stat", false, "counts only")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a path")
	return c
}

// knows refuses a path that the journal has never recorded: it is a mistyped revision, time or path.
func knows(p *session.Recorded, ctx context.Context, agentPath string) error {
	if agentPath == "" || agentPath == memstore.Root {
		return nil
	}
	tree, err := p.Journal.Tree(ctx, 0)
	if err != nil {
		return err
	}
	if _, ok := tree.Find(agentPath); ok {
		return nil
	}
	list, err := past.Revisions(ctx, p.Journal, past.Filter{Path: agentPath, Limit: 1})
	if err == nil && len(list) == 0 {
		err = session.WrongUse("%q is not a revision, a time or a recorded path. To list what was recorded, run: %s log", agentPath,
			session.Program)
	}
	return err
}

// parseRange reads REV..REV.
func parseRange(p *session.Recorded, ctx context.Context) (from, to int64, err error) {
	if to, err = p.Journal.Last(ctx); err != nil {
		return 0, 0, err
	}
	if len(p.Words) == 0 {
		return max(to-1, 0), to, nil
	}
	first, second, _ := strings.Cut(p.Words[0], "..")
	if from, err = parsePoint(p, ctx, first); err == nil && second != "" {
		to, err = parsePoint(p, ctx, second)
	}
	return from, to, err
}

// pathDiff is what differs at one path.
type pathDiff struct {
	Path    string  `json:"path"`
	Before  *string `json:"before"`
	After   *string `json:"after"`
	Added   int     `json:"added"`
	Removed int     `json:"removed"`
}

func printDiff(run *session.Session, ctx context.Context, p *session.Recorded, from, to int64, stat, asJSON bool) error {
	old, err := p.Journal.Tree(ctx, from)
	if err != nil {
		return err
	}
	now, err := p.Journal.Tree(ctx, to)
	if err != nil {
		return err
	}
	out, lines := run.JSONLines(), run.Lines(p.Settings)
	return past.Compare(old, now, func(before, after *past.Entry) error {
		var d pathDiff
		d.Path = cmpEntry(before, after).Path
		if p.AgentPath != "" && d.Path != p.AgentPath && !strings.HasPrefix(d.Path, p.AgentPath+"/") {
			return nil
		}
		texts, note, err := texts(p, ctx, before, after, &d)
		if err != nil {
			return err
		}
		if stat || asJSON {
			d.Added, d.Removed, _ = diff.Counts(texts[0], texts[1])
		}
		switch {
		case asJSON:
			return out.Encode(d)
		case stat:
			_, err = fmt.Fprintf(lines, "%8s  %s\n", fmt.Sprintf("+%d -%d", d.Added, d.Removed), d.Path)
		case note != "":
			_, err = fmt.Fprintf(lines, "%s: %s\n", d.Path, note)
		default:
			_, err = lines.Write(unified(ctx, texts[0], texts[1], d.Path, before == nil, after == nil))
		}
		return err
	})
}

// cmpEntry is the one that there is.
func cmpEntry(before, after *past.Entry) *past.Entry {
	if after != nil {
		return after
	}
	return before
}

// texts reads both sides of a path.
func texts(p *session.Recorded, ctx context.Context, before, after *past.Entry, d *pathDiff) (texts [2][]byte, note string, err error) {
	for i, side := range []struct {
		entry *past.Entry
		hash  **string
	}{{before, &d.Before}, {after, &d.After}} {
		if side.entry == nil || side.entry.Kind == memstore.KindDir {
			continue
		}
		s, err := p.Journal.SideOf(ctx, *side.entry)
		if err != nil {
			return texts, "", err
		}
		if s.Digest != (memstore.Digest{}) {
			h := s.Digest.String()
			*side.hash = &h
		}
		var why string
		if texts[i], why = textOf(p, ctx, s); why != "" {
			note = why
		}
	}
	return texts, note, nil
}
