package curate

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

// previewBytes is how much of a file the preview reads.
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

// excerpt is the beginning of a file.
type excerpt struct {
	of    identity
	data  []byte
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
	p.set()
	if a.Path == "" || a.Info.Kind != memstore.KindFile {
		return nil
	}
	store := p.store
	return kit.Start(p.env.Jobs, kit.Job[*excerpt]{
		Owner: p.owner, Label: kit.LabelOpen,
		Work: func(context.Context, *kit.Progress) (*excerpt, error) { return readExcerpt(store, a), nil },
		Done: func(e *excerpt) tea.Cmd {
			if e.of != identityOf(&p.action) {
				return nil
			}
			p.part = e
			p.set()
			return nil
		},
	})
}

// set shows the facts, and below them the part of the file.
func (p *Preview) set() {
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
	p.Set(fmt.Sprint(identityOf(&p.action)), kit.Lines(lines))
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
	meant := map[int64]bool{}
	if p.action.Found != nil {
		for _, at := range p.action.Found.Places {
			meant[at.Line] = true
		}
	}
	number := int64(1)
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

// readExcerpt reads the beginning of the file of an action. It does I/O.
func readExcerpt(store *memstore.Store, a policy.Action) *excerpt {
	e := &excerpt{of: identityOf(&a)}
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
	e.data = make([]byte, max(0, min(previewBytes, info.Size)))
	n, err := f.ReadAt(e.data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		e.why = kit.TextFileGone
		return e
	}
	e.data, e.below = e.data[:n], int64(n) < info.Size
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
