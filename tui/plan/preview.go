package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// previewBytes is how much of a file the preview reads, around the place that it is about.
const previewBytes = 128 << 10

// Preview shows why an action is proposed, and the text of its file. Make it with [NewPreview].
type Preview struct {
	env     *ui.Env
	actions *ui.Actions
	owner   string
	store   *memstore.Store
	w, h    int
	action  policy.Action
	facts   []string // what is known of the action, a line each
	excerpt *excerpt // nil while it is read
	rows    []previewRow
	width   int // that rows were made for
	view    ui.TextView
	measure text.Measure
	styles  *theme.Styles
}

// previewRow is a row ready to be painted.
type previewRow struct {
	text  string // of a row of the file, what is before it
	paint func(*theme.Styles) theme.Paint
	line  []byte   // of the file; nil: the text is all
	part  text.Row // of the line
}

// excerpt is a part of a file.
type excerpt struct {
	of    identity
	data  []byte
	first int64 // number of the first line
	above bool  // the file has more before it
	below bool
	why   string // why it has no text
}

// NewPreview makes an empty preview whose job is named owner.
func NewPreview(env *ui.Env, owner string, store *memstore.Store) *Preview {
	p := &Preview{env: env, owner: owner, store: store}
	p.view = ui.TextView{Count: func() int { return len(p.rows) }, Height: func(int) int { return 1 }}
	p.actions = ui.NewActions(env, append(ui.BindMotions(p.pan),
		ui.Ignore(keymap.Left), ui.Ignore(keymap.Right))...)
	return p
}

// Show shows an action with what is known of it. Of the same one, of a newer plan, the text and the place stay.
func (p *Preview) Show(a policy.Action, facts []string) tea.Cmd {
	if a.Path != "" && identityOf(&a) == identityOf(&p.action) && p.excerpt != nil && a.Key == p.action.Key {
		p.action, p.facts, p.width = a, facts, 0
		return nil
	}
	p.action, p.facts, p.excerpt, p.width, p.view.Top = a, facts, nil, 0, ui.Place{}
	if a.Path == "" || a.Info.Kind != memstore.KindFile {
		p.env.Jobs.Cancel(p.owner)
		p.excerpt = &excerpt{}
		return nil
	}
	store := p.store
	return p.env.Jobs.Start(p.owner, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		return readExcerpt(store, a), nil
	})
}

// readExcerpt reads the part of a file that an action is about. It does I/O.
func readExcerpt(store *memstore.Store, a policy.Action) *excerpt {
	e := &excerpt{of: identityOf(&a), first: 1}
	f, err := store.Backend().Open(memstore.BackendName(a.Path), memstore.Look)
	if err != nil {
		e.why = ui.TextFileGone
		return e
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil {
		e.why = ui.TextFileGone
		return e
	}
	from := int64(0)
	if a.Found != nil && a.Found.Start > previewBytes/2 {
		from = a.Found.Start - previewBytes/4
	}
	data := make([]byte, max(0, min(previewBytes, info.Size-from)))
	n, err := f.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) {
		e.why = ui.TextFileGone
		return e
	}
	e.data = data[:n]
	e.below = from+int64(n) < info.Size
	if from > 0 {
		e.above = true
		if i := bytes.IndexByte(e.data, '\n'); i >= 0 && int64(i) < a.Found.Start-from {
			from += int64(i) + 1
			e.data = e.data[i+1:]
		}
		e.first = max(1, a.Found.Line-int64(bytes.Count(e.data[:min(int64(len(e.data)), a.Found.Start-from)], []byte{'\n'})))
	}
	return e
}

// Receive implements [ui.Pane].
func (p *Preview) Receive(done ui.Done) tea.Cmd {
	if e, ok := done.Value.(*excerpt); ok && e.of == identityOf(&p.action) {
		p.excerpt, p.width = e, 0
		p.lay()
	}
	return nil
}

// lay makes the rows for the width.
func (p *Preview) lay() {
	if p.width == p.w && p.styles == p.env.Styles && p.measure == p.env.Measure {
		return
	}
	p.width, p.styles, p.measure = p.w, p.env.Styles, p.env.Measure
	p.rows = p.rows[:0]
	for i, fact := range p.facts {
		paint := func(st *theme.Styles) theme.Paint { return st.Dim }
		if i == 0 {
			paint = func(st *theme.Styles) theme.Paint { return st.Bold }
		}
		for _, line := range p.env.Wrapped(fact, p.w-1) {
			p.rows = append(p.rows, previewRow{text: " " + strings.TrimRight(line, " "), paint: paint})
		}
	}
	p.layText()
}

// Facts are the lines above the text.
func (p *Preview) Facts() []string { return p.facts }

func (p *Preview) layText() {
	e := p.excerpt
	dim := func(st *theme.Styles) theme.Paint { return st.Dim }
	switch {
	case p.action.Path == "":
		return
	case e == nil:
		p.rows = append(p.rows, previewRow{text: "", paint: dim}, previewRow{text: " " + ui.TextOpening, paint: dim})
		return
	case e.why != "":
		p.rows = append(p.rows, previewRow{text: "", paint: dim}, previewRow{text: " " + e.why, paint: dim})
		return
	case len(e.data) == 0:
		return
	}
	if len(p.rows) > 0 {
		p.rows = append(p.rows, previewRow{text: "", paint: dim})
	}
	if e.above {
		p.rows = append(p.rows, previewRow{text: " " + p.env.Styles.Glyphs.Ellipsis, paint: dim})
	}
	places := map[int64]bool{}
	if p.action.Found != nil {
		for _, at := range p.action.Found.Places {
			places[at.Line] = true
		}
	}
	number := e.first
	for line := range bytes.Lines(e.data) {
		p.layLine(number, bytes.TrimSuffix(line, []byte{'\n'}), places[number])
		number++
	}
	if e.below {
		p.rows = append(p.rows, previewRow{text: " " + p.env.Styles.Glyphs.Ellipsis, paint: dim})
	}
}

// layLine adds the rows of a line of the file, with its number and a sign where it is meant.
func (p *Preview) layLine(number int64, line []byte, meant bool) {
	lead := fmt.Sprintf(" %5d ", number)
	paint := func(st *theme.Styles) theme.Paint { return st.Text }
	if meant {
		lead = fmt.Sprintf("%s%5d ", p.env.Styles.Glyphs.Warning, number)
		paint = func(st *theme.Styles) theme.Paint { return st.Warning }
	}
	room := max(1, p.w-text.Width(lead))
	for i, part := range text.Wrap(nil, line, room, p.env.Text(0)) {
		if i > 0 {
			lead = strings.Repeat(" ", text.Width(lead))
		}
		p.rows = append(p.rows, previewRow{text: lead, paint: paint, line: line, part: part})
	}
}

// Actions implements [ui.Pane].
func (p *Preview) Actions() *ui.Actions { return p.actions }

func (p *Preview) pan(id keymap.ID) tea.Cmd {
	p.lay()
	p.view.Pan(id)
	return nil
}

// Resize implements [ui.Pane].
func (p *Preview) Resize(w, h int) { p.w, p.h, p.view.H = w, h, h }

// Rows implements [ui.Pane].
func (p *Preview) Rows(bool) []string {
	p.lay()
	p.view.Fill()
	top := p.view.Top.Line
	out := make([]string, 0, p.h)
	for _, r := range p.rows[top:min(len(p.rows), top+p.h)] {
		shown := r.text
		if r.line != nil {
			shown += p.env.Row(r.line, r.part.Start, r.part.End, max(1, p.w-text.Width(r.text)), r.part.Col)
		}
		out = append(out, r.paint(p.env.Styles).Apply(text.Pad(shown, p.w)))
	}
	return ui.FillRows(out, p.w, p.h)
}

// Scopes implements [ui.Pane].
func (p *Preview) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Curate} }

// Cursor implements [ui.Pane].
func (p *Preview) Cursor() (ui.Point, bool) { return ui.Point{}, true }

// Title implements [ui.Tab].
func (p *Preview) Title() string {
	return "why"
}

// Path implements [ui.Tab].
func (p *Preview) Path() string { return p.action.Path }

// Place implements [ui.Tab].
func (p *Preview) Place() string {
	if len(p.rows) <= p.h {
		return ""
	}
	return fmt.Sprintf("%d/%d", min(p.view.Top.Line+p.h, len(p.rows)), len(p.rows))
}

// LineReader implements [ui.Tab]: the reason.
func (p *Preview) LineReader(limit int) func() (string, error) {
	if p.action.Path == "" || len(p.action.Reason) > limit {
		return nil
	}
	reason := p.action.Reason
	return func() (string, error) { return reason, nil }
}

// Forget drops what is shown.
func (p *Preview) Forget() {
	p.env.Jobs.Cancel(p.owner)
	p.action, p.facts, p.excerpt, p.rows, p.width, p.view.Top = policy.Action{}, nil, nil, nil, 0, ui.Place{}
}
