// Package diffpane is the diff tab: two versions of one path as a unified diff with
// the changed words marked. It is given a [Comparison] by the root, compares in a
// job and draws only the rows on the screen.
package diffpane

import (
	"bytes"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/diff"
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
	return &Pane{env: env, owner: owner, context: diff.DefaultContext}
}

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

func (p *Pane) compare() tea.Cmd {
	c, lines := p.target, p.context
	return p.env.Jobs.Start(p.owner, pane.LabelDiff, func(ctx context.Context, _ *pane.Progress) (any, error) {
		out := &compared{of: c, context: lines}
		for i, load := range []func() ([]byte, string){c.Before, c.After} {
			data, why := load()
			if why != "" {
				out.notes = append(out.notes, why)
			}
			out.raw[i] = data
		}
		if len(out.notes) > 0 {
			return out, nil
		}
		o := diff.Options{Context: contextOption(lines)}
		out.result = diff.Lines(ctx, out.raw[0], out.raw[1], o)
		out.a, out.b = diff.NewText(out.raw[0]), diff.NewText(out.raw[1])
		out.view = diff.NewView(out.result, out.a, out.b, o)
		return out, nil
	})
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
	fresh := p.result == nil || p.result.of.Key != v.of.Key
	p.result = v
	if fresh {
		p.top, p.col = 0, 0
		p.line = p.firstChange()
	}
	p.moveTo(p.line)
	return nil
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
		p.col += sideways
	default:
		return false
	}
	return true
}

// sideways is how many cells one step left or right scrolls.
const sideways = 8

func (p *Pane) scroll(by int) {
	p.top = max(0, min(p.top+by, p.total()-p.h))
	p.moveTo(p.line + by)
}

func (p *Pane) moveTo(line int) {
	p.line = max(0, min(line, p.total()-1))
	p.top = min(p.top, p.line)
	if p.h > 0 {
		p.top = max(p.top, p.line-p.h+1)
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

// Text returns the diff as `patch` takes it, for the clipboard; nil: nothing to copy.
func (p *Pane) Text() []byte {
	if p.result == nil || p.result.result == nil {
		return nil
	}
	var b bytes.Buffer
	path := p.result.of.Path
	b.Write(diff.Format(p.result.result, p.result.raw[0], p.result.raw[1], "a"+path, "b"+path, diff.Options{Context: contextOption(p.result.context)}))
	return b.Bytes()
}
