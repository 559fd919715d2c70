package diffpane

import (
	"bytes"
	"context"
	"fmt"
	"slices"
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
	unified  *diff.View
	hunks    []diff.Hunk // that the headers introduce
	reverted undo.Reverted
	split    *diff.Split // only when two sides are wanted
	notes    []string
	context  int
	ignore   bool
	timeout  time.Duration
	headings map[int]string // see heading; for the goroutine of the screen
	// followed maps the lines of the two sides to where they are since the subject was
	// compared before; nil: it was not, or nothing changed.
	followed *[2]*diff.Result
}

// compare loads, compares and lays out the two sides in a job, without doing again what
// the outcome on the screen has done already.
func (p *Pane) compare() tea.Cmd {
	known := p.result
	out := &compared{of: p.target, context: p.context, ignore: p.ignore, timeout: p.timeout}
	split := p.split
	return p.env.Jobs.Start(p.owner, "comparing", func(ctx context.Context, _ *kit.Progress) (any, error) {
		switch {
		case known == nil || known.of.Key != out.of.Key:
			if out.load() {
				out.compare(ctx)
			}
			out.follow(ctx, known)
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
			out.unified = diff.NewView(out.result, out.texts[0], out.texts[1], o)
			if split {
				out.split = diff.NewSplit(out.result, out.texts[0], out.texts[1], o)
			}
		}
		return out, ctx.Err()
	})
}

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

// followTime limits the time for following the lines.
const followTime = 100 * time.Millisecond

func (c *compared) follow(ctx context.Context, old *compared) {
	if old == nil || old.of.subject() != c.of.subject() || old.result == nil || c.result == nil {
		return
	}
	c.followed = &[2]*diff.Result{}
	for i := range c.raw {
		c.followed[i] = diff.Lines(ctx, old.raw[i], c.raw[i], diff.Options{Timeout: followTime})
	}
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
