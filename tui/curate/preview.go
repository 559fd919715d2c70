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

// preview shows why an action is proposed, and the beginning of its file. Make it with [newPreview].
type preview struct {
	*kit.Text
	env    *kit.Env
	store  *memstore.Store
	action policy.Action
}

// numbered is what a line of the file is of.
type numbered struct {
	line  int64
	meant bool // the action is about it
}

func newPreview(env *kit.Env, store *memstore.Store) *preview {
	p := &preview{env: env, store: store}
	p.Text = kit.NewText(env, kit.TextSpec{Title: "why", Scope: keymap.Curate, Owner: ownerPreview, Lead: p.lead})
	return p
}

// show shows an action with what is known of it.
func (p *preview) show(a policy.Action, facts []string) tea.Cmd {
	p.action = a
	p.env.Jobs.Cancel(ownerPreview)
	dim := func(st *theme.Styles) theme.Paint { return st.Dim }
	var lines []kit.Line
	for _, fact := range facts {
		lines = append(lines, kit.Line{Text: []byte(fact), Look: dim, Own: true})
	}
	if len(lines) > 0 {
		lines[0].Look = func(st *theme.Styles) theme.Paint { return st.Bold }
	}
	key := identityOf(&a)
	if a.Path == "" || a.Info.Kind != memstore.KindFile {
		p.Set(key, kit.Lines(lines))
		return nil
	}
	store := p.store
	return kit.Start(p.env.Jobs, kit.Job[[]kit.Line]{
		Owner: ownerPreview, Label: kit.LabelOpen,
		Work: func(context.Context, *kit.Progress) ([]kit.Line, error) {
			lines = append(lines, kit.Line{Own: true})
			data, more, err := beginning(store, a.Path)
			if err != nil {
				return append(lines, kit.Line{Text: []byte(kit.TextFileGone), Look: dim, Own: true}), nil
			}
			number := int64(0)
			for line := range bytes.Lines(data) {
				number++
				of := numbered{number, false}
				if a.Found != nil {
					for _, at := range a.Found.Places {
						of.meant = of.meant || at.Line == number
					}
				}
				l := kit.Line{Text: bytes.TrimSuffix(line, []byte{'\n'}), Of: of}
				if of.meant {
					l.Look = func(st *theme.Styles) theme.Paint { return st.Warning }
				}
				lines = append(lines, l)
			}
			if more {
				lines = append(lines, kit.Line{Text: []byte("..."), Look: dim, Own: true})
			}
			return lines, nil
		},
		Done: func(lines []kit.Line) tea.Cmd {
			p.Set(key, kit.Lines(lines))
			return nil
		},
	})
}

// lead is the number of a line of the file, with a sign where the action is about it.
func (p *preview) lead(l kit.Line, _ int, _ bool) (string, kit.Look) {
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

// beginning reads the beginning of a file. It does I/O.
func beginning(store *memstore.Store, path string) (data []byte, more bool, err error) {
	f, err := store.Backend().Open(memstore.BackendName(path), memstore.Look)
	if err != nil {
		return nil, false, err
	}
	defer f.Close() // opened for reading: nothing can be lost here
	data, err = io.ReadAll(io.NewSectionReader(f, 0, previewBytes+1))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	return data[:min(len(data), previewBytes)], len(data) > previewBytes, nil
}

// Path implements [kit.Tab].
func (p *preview) Path() string { return p.action.Path }
