package diffpane

import (
	"bytes"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Comparison is what to compare and how to name it.
type Comparison struct {
	Key      string      // the same key is not compared twice
	Title    string      // first row, where Heading has no path
	Heading  kit.Heading // the first row of a change: when, who, what, where
	Revision int64       // whose change it is; 0: of none
	Path     string      // agent path of the patch
	OldPath  string      // the path before, where the change renamed it
	Line     int         // of the text before, where the cursor begins; 0: at the first change
	// Read reads the two sides, in the job.
	Read func(context.Context) Sides
}

// Sides are the texts that are compared. Nil bytes: there was no file.
type Sides struct {
	Before, After []byte
	Why           string // there is nothing to compare
	RevertedBy    int64  // the revision that reverted the change since, itself if it was purged; 0: none
	RevertedHunks []int  // of a change that is still in force, as in [Hunk]
}

// Of describes texts in memory to a diff.
func Of(title, path string, before, after []byte) Comparison {
	return Comparison{
		Key: title, Title: title, Path: path,
		Read: func(context.Context) Sides { return Sides{Before: before, After: after} },
	}
}

// OfRevision describes a revision to a diff.
func OfRevision(t *journal.Journal, r past.Revision, h kit.Heading) Comparison {
	return Comparison{
		Key: fmt.Sprintf("revision %d", r.Rev), Revision: r.Rev, Heading: h, Path: r.Path, OldPath: r.OldPath,
		Read: func(ctx context.Context) Sides {
			switch r.Kind {
			case memstore.KindFile, memstore.KindLink:
			case memstore.KindDir:
				return Sides{Why: "A folder has no text to compare. Command: " + r.Command}
			default:
				return Sides{Why: "Not a regular file, no text to compare. Command: " + r.Command}
			}
			sides := readSides(ctx, t, r.Before, r.After)
			if now, err := t.Revision(ctx, r.Rev); err == nil {
				sides.RevertedBy = now.UndoneBy
			}
			_ = t.List(ctx, past.Filter{Path: r.Path, After: r.Rev, Actors: []memstore.Actor{memstore.Curator}}, func(later past.Revision) bool {
				if hunk, rev, ok := undo.RevertedHunk(later); ok && rev == r.Rev {
					sides.RevertedHunks = append(sides.RevertedHunks, hunk)
				}
				return true
			}) // its error would be that of the texts
			return sides
		},
	}
}

// readSides reads the two sides of a change, or one of each of two.
func readSides(ctx context.Context, t *journal.Journal, before, after past.Side) Sides {
	var data [2][]byte
	for i, side := range []past.Side{before, after} {
		switch {
		case !side.Exists:
			continue
		case !side.Kept:
			return Sides{Why: side.Why}
		}
		text, err := t.Bytes(ctx, side)
		if err != nil {
			return Sides{Why: err.Error()}
		}
		data[i] = append([]byte{}, text...) // not nil: there was a file
	}
	return Sides{Before: data[0], After: data[1]}
}

// compared is the outcome of the job.
type compared struct {
	of     Comparison
	sides  Sides
	notes  []string     // why there is nothing to lay out
	result *diff.Result // nil: not of texts that differ
	blocks []diff.Hunk  // of changed lines

	unified, split, shown *diff.View // shown is the one on the screen
}

// compare compares the target in a job. The diff on the screen stays until it is ready.
func (p *Pane) compare() tea.Cmd {
	if p.target.Key == "" {
		return nil
	}
	if p.result == nil {
		p.say("Comparing...")
	}
	out := &compared{of: p.target}
	return kit.Start(p.env.Jobs, kit.Job[*compared]{
		Owner: p.owner, Label: "comparing", Done: p.take,
		Work: func(ctx context.Context, _ *kit.Progress) (*compared, error) {
			out.compare(ctx)
			return out, ctx.Err()
		},
		Failed: func() { p.Clear(textDiffFailed) },
	})
}

func (c *compared) compare(ctx context.Context) {
	c.sides = c.of.Read(ctx)
	before, after := c.sides.Before, c.sides.After
	switch {
	case c.sides.Why != "":
		c.notes = []string{c.sides.Why}
		return
	case bytes.Equal(before, after):
		c.notes = []string{c.sameText()}
		return
	case text.Binary(before) || text.Binary(after):
		c.notes = []string{fmt.Sprintf("Binary: %s before, %s after", kit.Count(len(before), "byte"), kit.Count(len(after), "byte"))}
		return
	}
	c.result = diff.Lines(ctx, before, after, diff.Options{})
	c.blocks = diff.Hunks(c.result, 0)
	a, b := diff.NewText(before), diff.NewText(after)
	c.unified, c.split = diff.Unified(c.result, a, b, diff.DefaultContext), diff.Split(c.result, a, b, diff.DefaultContext)
}

const textNoDifference = "Both sides have the same text. < shows the change before"

// purged reports whether a purge left no change.
func (c *compared) purged() bool { return c.of.Revision != 0 && c.sides.RevertedBy == c.of.Revision }

// sameText says why sides without a difference are compared.
func (c *compared) sameText() string {
	before, after := c.sides.Before != nil, c.sides.After != nil // whether there was a file
	switch {
	case c.purged():
		return "Purged: the text of this change is gone"
	case c.of.OldPath != "":
		return "Renamed " + kit.PathText(c.of.OldPath) + " to " + kit.PathText(c.of.Path) + "; the text is the same"
	case before && !after:
		return "The file was empty"
	case after && !before:
		return "The new file is empty"
	}
	return textNoDifference
}

// take shows a new outcome. The same comparison again, or in another form, keeps the place.
func (p *Pane) take(c *compared) tea.Cmd {
	c.of = p.target // it may have got another title
	same := p.result != nil && p.result.of.Key == c.of.Key
	same = same && p.result.shown != nil
	p.result = c
	p.lay()
	switch {
	case same || c.shown == nil:
	case c.of.Line > 0:
		at := max(0, c.shown.Nearest(c.of.Line, 0))
		p.MoveTo(at-p.Height()/3, at)
	default:
		p.MoveTo(0, max(0, c.shown.NextChange(-1)))
		p.showWords()
	}
	return nil
}
