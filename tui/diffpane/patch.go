package diffpane

import (
	"context"
	"errors"
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
)

// exactTimeFactor is how much longer than one for the screen the comparison for a patch may
// take, where the one on the screen ignores white space.
const exactTimeFactor = 5

// TextReader returns a function that writes the diff as `git apply` and `patch` take it; nil:
// there is none. White space always counts in it, whatever is shown. The function takes its
// time for a large diff and belongs into a job. Its error is a sentence; a diff longer than
// limit bytes is one too.
func (p *Pane) TextReader(limit int) func() (string, error) {
	of := p.result
	if of == nil || of.texts[0].Len()+of.texts[1].Len() == 0 {
		return nil
	}
	return func() (string, error) {
		r := of.exact()
		return of.patch(r, diff.Hunks(r, of.hunkOptions()), limit)
	}
}

const TextNoHunk = "No hunk under the cursor to copy"

// HunkReader is TextReader for the hunk under the cursor alone; nil: the cursor is on none.
func (p *Pane) HunkReader(limit int) func() (string, error) {
	of := p.result
	l, ok := p.current()
	if a, b := l.Numbers(); !ok || a == 0 && b == 0 {
		return nil
	}
	return func() (string, error) {
		r := of.exact()
		hunks := diff.Hunks(r, of.hunkOptions())
		at := covering(hunks, l)
		if at < 0 {
			return "", errors.New(TextNoHunk)
		}
		return of.patch(r, hunks[at:at+1], limit)
	}
}

// hunkOptions group the comparison into the hunks that are shown.
func (c *compared) hunkOptions() diff.Options {
	return diff.Options{Context: contextOption(c.context), Breaks: c.of.sections.breaks()}
}

// exact is the comparison with all white space.
func (c *compared) exact() *diff.Result {
	if c.result != nil && !c.result.SpaceIgnored {
		return c.result
	}
	return diff.Lines(context.Background(), c.raw[0], c.raw[1], diff.Options{Timeout: exactTimeFactor * diff.DefaultTimeout})
}

const textDiffTooLong = "Diff over 1 MiB: too long for the clipboard"

func (c *compared) patch(r *diff.Result, hunks []diff.Hunk, limit int) (string, error) {
	var head []byte
	before, after := "a"+c.of.Path, "b"+c.of.Path
	switch {
	case c.of.Subject != "":
		// Two files: the patch makes the first one equal to the second. Lines before
		// the header are for people.
		head = []byte(text.Clean(c.of.Title) + "\n")
	case c.of.OldPath != "" && c.raw[0] != nil && c.raw[1] != nil:
		before = "a" + c.of.OldPath
		head = diff.RenameHeader(strings.TrimPrefix(c.of.OldPath, "/"), strings.TrimPrefix(c.of.Path, "/"))
	}
	if c.raw[0] == nil {
		before = "/dev/null"
	}
	if c.raw[1] == nil {
		after = "/dev/null"
	}
	out := diff.FormatHunks(r, c.raw[0], c.raw[1], before, after, hunks)
	if len(out) == 0 {
		return "", nil
	}
	out = append(head, out...)
	if len(out) > limit {
		return "", errors.New(textDiffTooLong)
	}
	return string(out), nil
}
