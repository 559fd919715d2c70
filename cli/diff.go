package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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

func (a *app) diffCommand() *cobra.Command {
	var stat, asJSON bool
	c := &cobra.Command{
		Use: "diff [DIR] [FROM[..TO]] [AGENT-PATH]", Short: "Print the difference between two states", Long: diffHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.past(c, args, true, revisionRange.MatchString)
			if p != nil && len(p.words) > 1 {
				return wrongUse("Name one range of revisions, as in: %s diff 12..20", program)
			}
			return a.list(p, err, func() error {
				from, to, err := p.parseRange(c.Context())
				if err != nil {
					return err
				}
				if p.agentPath != "" && !isAgentPath(p.agentPath) {
					p.agentPath = memstore.AgentPath(p.agentPath)
				}
				if err := p.knows(c.Context(), p.agentPath); err != nil {
					return err
				}
				return a.printDiff(c.Context(), p, from, to, stat, asJSON)
			})
		},
		ValidArgsFunction: a.completePaths,
	}
	dirFlag(c)
	c.Flags().BoolVar(&stat, "stat", false, "counts only")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a path")
	return c
}

// knows refuses a path that the journal has never recorded: it is a mistyped revision, time or path.
func (p *journaledStore) knows(ctx context.Context, agentPath string) error {
	if agentPath == "" || agentPath == memstore.Root {
		return nil
	}
	tree, err := p.journal.Tree(ctx, 0)
	if err != nil {
		return err
	}
	if _, ok := tree.Find(agentPath); ok {
		return nil
	}
	list, err := p.journal.Revisions(ctx, past.Filter{Path: agentPath, Limit: 1})
	if err == nil && len(list) == 0 {
		err = wrongUse("%q is not a revision, a time or a recorded path. To list what was recorded, run: %s log", agentPath, program)
	}
	return err
}

// parseRange reads REV..REV.
func (p *journaledStore) parseRange(ctx context.Context) (from, to int64, err error) {
	if to, err = p.journal.Last(ctx); err != nil {
		return 0, 0, err
	}
	if len(p.words) == 0 {
		return max(to-1, 0), to, nil
	}
	first, second, _ := strings.Cut(p.words[0], "..")
	if from, err = p.parsePoint(ctx, first); err == nil && second != "" {
		to, err = p.parsePoint(ctx, second)
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

func (a *app) printDiff(ctx context.Context, p *journaledStore, from, to int64, stat, asJSON bool) error {
	old, err := p.journal.Tree(ctx, from)
	if err != nil {
		return err
	}
	now, err := p.journal.Tree(ctx, to)
	if err != nil {
		return err
	}
	out, lines := a.jsonLines(), a.lines(p.settings)
	return past.Compare(old, now, func(before, after *past.Entry) error {
		var d pathDiff
		d.Path = cmpEntry(before, after).Path
		if p.agentPath != "" && d.Path != p.agentPath && !strings.HasPrefix(d.Path, p.agentPath+"/") {
			return nil
		}
		texts, note, err := p.texts(ctx, before, after, &d)
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
func (p *journaledStore) texts(ctx context.Context, before, after *past.Entry, d *pathDiff) (texts [2][]byte, note string, err error) {
	for i, side := range []struct {
		entry *past.Entry
		hash  **string
	}{{before, &d.Before}, {after, &d.After}} {
		if side.entry == nil || side.entry.Kind == memstore.KindDir {
			continue
		}
		s, err := p.journal.SideOf(ctx, *side.entry)
		if err != nil {
			return texts, "", err
		}
		if s.Digest != (memstore.Digest{}) {
			h := s.Digest.String()
			*side.hash = &h
		}
		var why string
		if texts[i], why = p.text(ctx, s); why != "" {
			note = why
		}
	}
	return texts, note, nil
}
