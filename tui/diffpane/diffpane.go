// Package diffpane is the diff tab: two versions of one path as a unified diff with
// the changed words marked. It is given a [Comparison] by the root, compares in a
// job and draws only the rows on the screen.
package diffpane

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/pane"
)

// Comparison is what to compare and how to name it.
type Comparison struct {
	Key   string // the same key is not compared twice
	Title string // first row: when, who, what, where
	// Before and After load the two sides in the job; a sentence instead of
	// bytes says why a side is not there.
	Before, After func() (data []byte, why string)
	Path          string
}

// Pane is the diff tab. Make it with [New].
type Pane struct {
	env     *pane.Env
	owner   string
	w, h    int
	target  Comparison
	result  *compared
	context int
	wrap    bool
	top     int
	line    int
	col     int
}

// compared is the outcome of the job.
type compared struct {
	of      Comparison
	a, b    diff.Text
	raw     [2][]byte
	result  *diff.Result
	view    *diff.View
	notes   []string // why a side is missing
	context int
}

// New makes an empty diff tab; owner names its job.
func New(env *pane.Env, owner string) *Pane {
	return &Pane{env: env, owner: owner, wrap: true, context: diff.DefaultContext}
}

// Title implements [pane.Tab].
func (p *Pane) Title() string { return pane.TextDiff }

// Shown returns the key of the comparison on the screen or under way; empty: none.
func (p *Pane) Shown() string { return p.target.Key }

// Path returns the agent path whose versions are compared; empty: none.
func (p *Pane) Path() string { return p.target.Path }

// Show compares c and draws it; the diff shown before stays until it is ready.
func (p *Pane) Show(c Comparison) tea.Cmd {
	if c.Key == p.target.Key {
		return nil
	}
	p.target = c
	return p.compare()
}

// Clear forgets the comparison.
func (p *Pane) Clear() {
	p.env.Jobs.Cancel(p.owner)
	p.target, p.result = Comparison{}, nil
	p.top, p.line, p.col = 0, 0, 0
}

// compare loads and compares the two sides; where only the context changed the
// comparison that is there is laid out anew.
func (p *Pane) compare() tea.Cmd {
	c, lines, known := p.target, p.context, p.result
	return p.env.Jobs.Start(p.owner, pane.LabelDiff, func(ctx context.Context, _ *pane.Progress) (any, error) {
		out := &compared{of: c, context: lines}
		if known != nil && known.of.Key == c.Key && known.result != nil {
			out.raw, out.a, out.b, out.result = known.raw, known.a, known.b, known.result
		} else if out.load(ctx); len(out.notes) > 0 {
			return out, ctx.Err()
		}
		out.view = diff.NewView(out.result, out.a, out.b, diff.Options{Context: contextOption(lines)})
		return out, ctx.Err()
	})
}

// load reads and compares the two sides, or notes why there is nothing to show.
func (c *compared) load(ctx context.Context) {
	for i, load := range []func() ([]byte, string){c.of.Before, c.of.After} {
		data, why := load()
		if why != "" {
			c.notes = append(c.notes, why)
		}
		c.raw[i] = data
	}
	if len(c.notes) > 0 {
		return
	}
	result := diff.Lines(ctx, c.raw[0], c.raw[1], diff.Options{})
	if result.Same() {
		c.notes = append(c.notes, pane.TextNoDifference)
		return
	}
	c.result, c.a, c.b = result, diff.NewText(c.raw[0]), diff.NewText(c.raw[1])
}

// contextOption turns a number of lines into the diff package's option, where 0 means the default.
func contextOption(lines int) int {
	if lines <= 0 {
		return -1
	}
	return lines
}

// Receive implements [pane.Pane].
func (p *Pane) Receive(done pane.Done) tea.Cmd {
	v, ok := done.Value.(*compared)
	if !ok || v.of.Key != p.target.Key {
		return nil
	}
	old := p.result
	p.result = v
	if old == nil || old.of.Key != v.of.Key {
		p.top, p.col = 0, 0
		p.moveTo(p.firstChange())
		return nil
	}
	// The same comparison with another context: the cursor stays on its line, and
	// the line where it is on the screen.
	y := p.line - p.top
	p.line = p.sameLine(old, p.line)
	p.top = max(0, min(p.line-y, p.total()-p.h))
	p.moveTo(p.line)
	return nil
}

// sameLine finds the row of the new layout that shows what a row of the old one shows.
func (p *Pane) sameLine(old *compared, line int) int {
	if old.view == nil || p.result.view == nil || line < titleRows {
		return line
	}
	// Rows that show no line, such as headers, stand in front of one that does.
	for _, row := range old.view.Rows(line-titleRows, 4) {
		if row.ANumber > 0 || row.BNumber > 0 {
			if at := p.result.view.Find(row.ANumber, row.BNumber); at >= 0 {
				return at + titleRows
			}
			break
		}
	}
	return line
}

func (p *Pane) firstChange() int {
	if p.result.view == nil {
		return 0
	}
	return max(0, p.result.view.NextChange(-1)) + titleRows
}

// titleRows is the number of rows above the diff.
const titleRows = 1

func (p *Pane) total() int {
	if p.result == nil {
		return 0
	}
	if p.result.view == nil {
		return titleRows + len(p.result.notes)
	}
	return titleRows + p.result.view.Len()
}

// Handle implements [pane.Pane].
func (p *Pane) Handle(id keymap.ID) (tea.Cmd, bool) {
	if p.motion(id) {
		return nil, true
	}
	switch id {
	case keymap.HunkNext:
		p.hunk(true)
	case keymap.HunkPrev:
		p.hunk(false)
	case keymap.ContextMore:
		return p.setContext(p.context + 3), true
	case keymap.ContextLess:
		return p.setContext(max(1, p.context-3)), true
	default:
		return nil, false
	}
	return nil, true
}

func (p *Pane) setContext(lines int) tea.Cmd {
	p.context = lines
	if p.target.Key == "" {
		return nil
	}
	return p.compare()
}

func (p *Pane) hunk(forward bool) {
	if p.result == nil || p.result.view == nil {
		return
	}
	at := p.result.view.PrevChange(p.line - titleRows)
	if forward {
		at = p.result.view.NextChange(p.line - titleRows)
	}
	if at < 0 {
		p.env.Emit(pane.Say{Text: pane.TextNoMoreHunks})
		return
	}
	p.moveTo(at + titleRows)
}

func (p *Pane) motion(id keymap.ID) bool {
	half, page := max(1, p.h/2), max(1, p.h-1)
	switch id {
	case keymap.Down:
		p.moveTo(p.line + 1)
	case keymap.Up:
		p.moveTo(p.line - 1)
	case keymap.HalfDown:
		p.scroll(half)
	case keymap.HalfUp:
		p.scroll(-half)
	case keymap.PageDown:
		p.scroll(page)
	case keymap.PageUp:
		p.scroll(-page)
	case keymap.Top:
		p.moveTo(0)
	case keymap.Bottom:
		p.moveTo(p.total() - 1)
	case keymap.Left:
		p.col = max(0, p.col-sideways)
	case keymap.Right:
		p.right()
	case keymap.LineStart:
		p.col = 0
	case keymap.Wrap:
		p.wrap, p.col = !p.wrap, 0
		p.moveTo(p.line)
		p.env.Emit(pane.Say{Text: pane.WrapText(p.wrap)})
	default:
		return false
	}
	return true
}

// sideways is how many cells one step left or right scrolls.
const sideways = 8

// right scrolls sideways as far as a line on the screen goes.
func (p *Pane) right() {
	if p.result == nil || p.result.view == nil {
		return
	}
	if p.wrap {
		p.env.Emit(pane.Say{Text: pane.WrapText(true)})
		return
	}
	next := p.col + sideways
	room := p.contentWidth()
	for _, row := range p.result.view.Rows(max(0, p.top-titleRows), p.h) {
		// Only whether the line reaches that far is asked for: it may be very long.
		if text.ByteAt(row.Text, p.col+room, p.env.Text(0)) < len(row.Text) {
			p.col = next
			return
		}
	}
}

func (p *Pane) scroll(by int) {
	p.top = max(0, min(p.top+by, p.total()-p.h))
	p.moveTo(p.line + by)
}

// Click moves the cursor to a row of the screen; it tells whether the cursor was there.
func (p *Pane) Click(y int) bool {
	line := p.top + y
	if y < 0 || y >= p.h || line >= p.total() {
		return false
	}
	again := line == p.line
	p.moveTo(line)
	return again
}

func (p *Pane) moveTo(line int) {
	p.line = max(0, min(line, p.total()-1))
	p.top = min(p.top, p.line)
	if p.h <= 0 {
		return
	}
	p.top = max(p.top, p.line-p.h+1)
	if p.wrap {
		p.revealWrapped()
	}
}

// revealWrapped scrolls on until the wrapped rows from the top to the cursor fit the screen.
func (p *Pane) revealWrapped() {
	if p.result == nil || p.result.view == nil || p.line < titleRows {
		return
	}
	first := max(0, p.top-titleRows)
	var heights []int
	total := 0
	for _, row := range p.result.view.Rows(first, p.line-titleRows-first+1) {
		heights = append(heights, max(1, len(p.wrapRow(row))))
		total += heights[len(heights)-1]
	}
	if p.top < titleRows {
		total += titleRows - p.top
	}
	for p.top < p.line && total > p.h {
		if p.top >= titleRows {
			total -= heights[p.top-titleRows-first]
		} else {
			total--
		}
		p.top++
	}
}

// LineReader returns a function that gives the text of the line under the cursor, without
// its sign; nil: the cursor is on no line. A line longer than limit bytes is an error.
func (p *Pane) LineReader(limit int) func() (string, error) {
	if p.result == nil || p.result.view == nil || p.line < titleRows {
		return nil
	}
	rows := p.result.view.Rows(p.line-titleRows, 1)
	if len(rows) == 0 {
		return nil
	}
	line := string(rows[0].Text)
	return func() (string, error) {
		if len(line) > limit {
			return "", errors.New(pane.TextLineTooLong)
		}
		return line, nil
	}
}

// Resize implements [pane.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.moveTo(p.line) }

// Scopes implements [pane.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Diff} }

// Cursor implements [pane.Pane].
func (p *Pane) Cursor() (pane.Point, bool) {
	return pane.Point{Y: max(0, p.line-p.top)}, p.result != nil
}

// Place describes the position for the status line.
func (p *Pane) Place() string {
	if p.total() == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.line+1, p.total())
}

// TextReader returns a function that writes the diff as `patch` takes it; nil: there is
// none. The function takes its time for a large diff and belongs into a job. Its error is
// a sentence; a diff longer than limit bytes is one too.
func (p *Pane) TextReader(limit int) func() (string, error) {
	if p.result == nil || p.result.result == nil {
		return nil
	}
	of := p.result
	return func() (string, error) {
		path := of.of.Path
		out := diff.Format(of.result, of.raw[0], of.raw[1], "a"+path, "b"+path, diff.Options{Context: contextOption(of.context)})
		if len(out) > limit {
			return "", errors.New(pane.TextDiffTooLong)
		}
		return string(out), nil
	}
}
