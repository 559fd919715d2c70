package diffpane

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// compared is the outcome of the job.
type compared struct {
	of       Comparison
	raw      [2][]byte
	texts    [2]diff.Text
	result   *diff.Result // nil: nothing to lay out, notes explain why
	notes    []string
	hunks    []diff.Hunk // that the headers introduce
	blocks   []diff.Hunk // blocks of changed lines, however many of them a header introduces; none of several files
	reverted undo.Reverted
	context  int
	ignore   bool
	timeout  time.Duration

	unified, split, shown *diff.View // shown is the one on the screen
	mu                    sync.Mutex // for their rows
}

// compare loads, compares and lays out the two sides in a job, without doing again what the outcome on the screen has done already.
func (p *Pane) compare() tea.Cmd {
	if p.target.Key == "" {
		return nil
	}
	if p.failed = false; p.result == nil {
		p.say("Comparing...")
	}
	known := p.result
	out := &compared{of: p.target, context: p.context, ignore: p.ignore, timeout: p.timeout}
	return kit.Start(p.env.Jobs, kit.Job[*compared]{
		Owner: p.owner, Label: "comparing", Done: p.take,
		Work: func(ctx context.Context, _ *kit.Progress) (*compared, error) {
			switch {
			case known == nil || known.of.Key != out.of.Key:
				if out.load() {
					out.compare(ctx)
				}
			case known.ignore != out.ignore && known.texts[0].Len()+known.texts[1].Len() > 0:
				out.raw, out.texts = known.raw, known.texts
				out.compare(ctx)
			default:
				out.raw, out.texts, out.result, out.notes = known.raw, known.texts, known.result, known.notes
			}
			if out.of.Reverted != nil {
				out.reverted, _ = out.of.Reverted(ctx) // without it the diff is of use too
			}
			if out.result != nil {
				o := out.hunkOptions()
				out.hunks = diff.Hunks(out.result, o)
				out.unified = diff.Unified(out.result, out.texts[0], out.texts[1], o)
				out.split = diff.Split(out.result, out.texts[0], out.texts[1], o)
				if out.of.sections == nil {
					out.blocks = diff.Blocks(out.result)
				}
			}
			return out, ctx.Err()
		},
		Failed: func() {
			p.failed = true
			p.say(textDiffFailed)
		},
	})
}

// take shows a new outcome. The same comparison in another form, and the same subject compared again, keep the place.
func (p *Pane) take(c *compared) tea.Cmd {
	same := p.result != nil && p.result.shown != nil && p.result.of.subject() == c.of.subject()
	p.result = c
	clear(p.selected)
	p.lay()
	if same || c.shown == nil {
		return nil
	}
	if at := c.shown.Find(c.of.Line, 0); c.of.Line > 0 && at >= 0 {
		p.MoveTo(at-p.Height()/3, at)
		return nil
	}
	p.MoveTo(0, max(0, c.shown.NextChange(-1)))
	p.showWords()
	return nil
}

func (c Comparison) subject() string { return cmp.Or(c.Subject, c.Key) }

const textNoDifference = "Both sides have the same text. < shows the change before"

// sameText says why sides without a difference are compared.
func (c *compared) sameText() string {
	before, after := c.raw[0] != nil, c.raw[1] != nil // whether there was a file
	switch {
	case c.of.OldPath != "":
		return renamedText(c.of.OldPath, c.of.Path)
	case before && !after:
		return "The file was empty"
	case after && !before:
		return "The new file is empty"
	}
	return textNoDifference
}

// renamedText says that a file only got another name.
func renamedText(from, to string) string {
	return "Renamed " + kit.PathText(from) + " to " + kit.PathText(to) + "; the text is the same"
}

// load reads the two sides; false: notes explain why they can't be compared.
func (c *compared) load() bool {
	for i, load := range []func() ([]byte, string){c.of.Before, c.of.After} {
		data, why := load()
		if why != "" && !slices.Contains(c.notes, why) { // it may be about both
			c.notes = append(c.notes, why)
		}
		c.raw[i] = data
	}
	switch {
	case len(c.notes) > 0:
		return false
	case bytes.Equal(c.raw[0], c.raw[1]):
		c.notes = []string{c.sameText()}
		return false
	case text.Binary(c.raw[0]) || text.Binary(c.raw[1]):
		c.notes = binaryText(len(c.raw[0]), len(c.raw[1]), firstDifference(c.raw[0], c.raw[1]))
		return false
	}
	c.texts = [2]diff.Text{diff.NewText(c.raw[0]), diff.NewText(c.raw[1])}
	return true
}

// binaryText describes two sides that are not text.
func binaryText(before, after, offset int) []string {
	return []string{
		fmt.Sprintf("Binary: %s before, %s after", kit.Count(before, "byte"), kit.Count(after, "byte")),
		fmt.Sprintf("First difference at offset %d (0x%x)", offset, offset),
	}
}

const textOnlySpace = "Only whitespace differs, which is ignored now"

// compare fills in the result, or notes that the sides are equal.
func (c *compared) compare(ctx context.Context) {
	result := diff.Lines(ctx, c.raw[0], c.raw[1], diff.Options{IgnoreSpace: c.ignore, Timeout: c.timeout})
	if result.Same() {
		c.notes = []string{textOnlySpace}
		return
	}
	c.result = result
}

// firstDifference is the offset of the first byte that differs.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// contextOption turns a number of lines into the diff package's option, where 0 means the default.
func contextOption(lines int) int {
	if lines <= 0 {
		return -1
	}
	return lines
}
