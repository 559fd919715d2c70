package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// previewBytes is how much of a file the preview reads, around the place that it is about.
const previewBytes = 128 << 10

// Preview shows why an action is proposed, and the text of its file. Make it with [NewPreview].
type Preview struct {
	*kit.Text
	env    *kit.Env
	owner  string
	store  *memstore.Store
	action policy.Action
	facts  []string // what is known of the action, a line each
	part   *excerpt // nil: not read yet
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

// numbered is what a line of the file is of.
type numbered struct {
	line  int64
	meant bool // the action is about it
}

// NewPreview makes an empty preview whose job is named owner.
func NewPreview(env *kit.Env, owner string, store *memstore.Store) *Preview {
	p := &Preview{env: env, owner: owner, store: store}
	p.Text = kit.NewText(env, kit.TextSpec{Title: "why", Scope: keymap.Curate, Owner: owner, Lead: p.lead})
	return p
}

// Show shows an action with what is known of it. Of the same one, of a newer plan, the place stays.
func (p *Preview) Show(a policy.Action, facts []string) tea.Cmd {
	if identityOf(&a) != identityOf(&p.action) {
		p.part = nil
	}
	p.action, p.facts = a, facts
	p.env.Jobs.Cancel(p.owner)
	shown := p.set()
	if a.Path == "" || a.Info.Kind != memstore.KindFile {
		return shown
	}
	store := p.store
	return tea.Batch(shown, kit.Start(p.env.Jobs, kit.Job[*excerpt]{
		Owner: p.owner, Label: kit.LabelOpen,
		Work: func(context.Context, *kit.Progress) (*excerpt, error) { return readExcerpt(store, a), nil },
		Done: func(e *excerpt) tea.Cmd {
			if e.of != identityOf(&p.action) {
				return nil
			}
			p.part = e
			return p.set()
		},
	}))
}

// set shows the facts, and below them the part of the file.
func (p *Preview) set() tea.Cmd {
	var lines []kit.Line
	for i, fact := range p.facts {
		look := dimLine
		if i == 0 {
			look = func(st *theme.Styles) theme.Paint { return st.Bold }
		}
		lines = append(lines, kit.Line{Text: []byte(fact), Look: look, Own: true})
	}
	if p.part != nil {
		lines = append(lines, p.excerpt(p.part)...)
	}
	return p.Set(fmt.Sprint(identityOf(&p.action)), kit.Lines(lines))
}

func dimLine(st *theme.Styles) theme.Paint { return st.Dim }

// excerpt are the lines of a part of the file.
func (p *Preview) excerpt(e *excerpt) (lines []kit.Line) {
	own := func(s string) { lines = append(lines, kit.Line{Text: []byte(s), Look: dimLine, Own: true}) }
	if e.why != "" || len(e.data) > 0 {
		own("")
	}
	if e.why != "" {
		own(e.why)
		return lines
	}
	if e.above {
		own(p.env.Styles.Glyphs.Ellipsis)
	}
	meant := map[int64]bool{}
	if p.action.Found != nil {
		for _, at := range p.action.Found.Places {
			meant[at.Line] = true
		}
	}
	number := e.first
	for line := range bytes.Lines(e.data) {
		l := kit.Line{Text: bytes.TrimSuffix(line, []byte{'\n'}), Of: numbered{number, meant[number]}}
		if meant[number] {
			l.Look = func(st *theme.Styles) theme.Paint { return st.Warning }
		}
		lines = append(lines, l)
		number++
	}
	if e.below {
		own(p.env.Styles.Glyphs.Ellipsis)
	}
	return lines
}

// lead is the number of a line of the file, with a sign where the action is about it.
func (p *Preview) lead(l kit.Line, _ int, _ bool) (string, kit.Look) {
	n, ok := l.Of.(numbered)
	if !ok {
		return "", nil
	}
	sign := " "
	if n.meant {
		sign = p.env.Styles.Glyphs.Warning
	}
	return text.PadLeft(fmt.Sprintf("%s%5d ", sign, n.line), 7), l.Look
}

// readExcerpt reads the part of a file that an action is about. It does I/O.
func readExcerpt(store *memstore.Store, a policy.Action) *excerpt {
	e := &excerpt{of: identityOf(&a), first: 1}
	f, err := store.Backend().Open(memstore.BackendName(a.Path), memstore.Look)
	if err != nil {
		e.why = kit.TextFileGone
		return e
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil {
		e.why = kit.TextFileGone
		return e
	}
	from := int64(0)
	if a.Found != nil && a.Found.Start > previewBytes/2 {
		from = a.Found.Start - previewBytes/4
	}
	data := make([]byte, max(0, min(previewBytes, info.Size-from)))
	n, err := f.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) {
		e.why = kit.TextFileGone
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

// Facts are the lines above the text.
func (p *Preview) Facts() []string { return p.facts }

// Path implements [kit.Tab].
func (p *Preview) Path() string { return p.action.Path }

// Forget drops what is shown.
func (p *Preview) Forget() {
	p.action, p.facts, p.part = policy.Action{}, nil, nil
	p.Text.Forget()
}
