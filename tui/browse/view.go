package browse

import (
	"context"
	"math"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

const ownerView = "viewer"

// viewPane is the view tab: the text that the memory tool would return for a path, byte for byte, with only a gutter and a scroll bar
// added beside it. Of a file over 64 MiB the beginning is shown. Files are read in jobs, never on the Bubble Tea goroutine.
type viewPane struct {
	*kit.Text
	screen  *Screen
	env     *kit.Env
	store   *memstore.Store
	doc     *document // nil: nothing was read yet
	listing *document // of a folder, the last one shown; nil: there was none
	goal    int       // the line to go to once the file is there, from 1; 0: none
	landing bool      // the cursor goes to the match on its line once the file is there
}

func newView(s *Screen) *viewPane {
	p := &viewPane{screen: s, env: s.Env, store: s.Store}
	p.Text = kit.NewText(s.Env, kit.TextSpec{
		Title: "view", Scope: keymap.View, Owner: ownerView, Label: kit.LabelOpen, Read: p.read, Begin: p.begin,
		Lead: p.lead, Shown: p.shown,
		More: []kit.Action{
			{ID: keymap.SearchNext, Run: func() tea.Cmd { return p.find(1) }},
			{ID: keymap.SearchPrev, Run: func() tea.Cmd { return p.find(-1) }},
		},
	})
	return p
}

// SetStore implements [stateTab].
func (p *viewPane) SetStore(s *memstore.Store, _ int64) { p.store = s }

// Show implements [kit.FileTab].
func (p *viewPane) Show(path string) tea.Cmd {
	if path == p.Path() {
		return nil
	}
	p.goal = 0
	return p.Text.Show(path)
}

// largeListing is from how many files below it the listing of a folder takes every processor for a while: it is only read when the user
// stays at the folder, and when the tree has changed since.
const largeListing = 5_000

func (p *viewPane) read(path string) func(context.Context) (*kit.Doc, error) {
	store, tree, known, large := p.store, p.screen.Files.snapshot, p.listing, p.screen.Files.below(path) >= largeListing
	return func(ctx context.Context) (*kit.Doc, error) {
		if large && known != nil && known.path == path && known.tree == tree {
			return known.doc(), nil
		}
		if large {
			if err := kit.Debounce(ctx, p.env.Debounce); err != nil {
				return nil, err
			}
		}
		d := readDocument(ctx, store, path)
		d.tree = tree
		return d.doc(), nil
	}
}

// begin reads the beginning of a large file.
func (p *viewPane) begin(path string) func(context.Context) (*kit.Doc, error) {
	store := p.store
	return func(ctx context.Context) (*kit.Doc, error) {
		d := readBeginning(ctx, store, path)
		if d == nil {
			return nil, nil
		}
		return d.doc(), nil
	}
}

// shown puts the cursor where it belongs in a text that was just read.
func (p *viewPane) shown(doc *kit.Doc, _ bool) {
	was, _ := p.current()
	if p.doc = doc.Of.(*document); !p.doc.isFile && !p.doc.refused {
		p.listing = p.doc
	}
	_, cursor, _ := p.Text.Lines()
	switch {
	case p.doc.partial: // the whole comes soon
		return
	case was != nil && was.partial && was.path == p.doc.path && p.goal == 0:
		if cursor >= was.doc().Len-1 { // the user asked for the end
			p.MoveTo(math.MaxInt32, math.MaxInt32)
		}
	case p.goal > 0:
		p.MoveTo(p.doc.rowOf(p.goal-1), p.doc.rowOf(p.goal-1))
	}
	p.goal = 0
	p.land()
}

// current is the document of the path that is shown, if it was read.
func (p *viewPane) current() (*document, bool) {
	if p.doc == nil || p.doc.path != p.Path() {
		return p.doc, false
	}
	return p.doc, true
}

// at is what the row under the cursor is of.
func (p *viewPane) at() (at place, ok bool) {
	l, ok := p.Current()
	if !ok {
		return place{}, false
	}
	at, ok = l.Of.(place)
	return at, ok
}

// GoTo puts the cursor on a line of the file, counted from 1.
func (p *viewPane) GoTo(line int) tea.Cmd {
	d, ok := p.current()
	if !ok {
		p.goal = max(1, line)
		return nil
	}
	row := d.rowOf(max(1, line) - 1)
	top, _, _ := p.Text.Lines()
	p.MoveTo(top, row)
	return nil
}

// FindAt looks for what the search of the store looks for, and goes to a match in a line, from 1; 0: the user stays where they are.
func (p *viewPane) FindAt(m *search.Matcher, line int) {
	useMatcher(p.Search(), m)
	if p.landing = line > 0; p.landing {
		p.GoTo(line)
		p.land()
	}
}

// find goes to a match; those of the search of the store go on in the next file.
func (p *viewPane) find(by int) tea.Cmd {
	if _, ofStore := p.Search().Key().(*search.Matcher); ofStore && !p.Search().Ahead(by) {
		return p.screen.Search.beyond(by)
	}
	return p.Search().Step(by)
}

// useMatcher looks in a text for what the search of the store looks for.
func useMatcher(in *kit.Search, m *search.Matcher) {
	in.Use(m.Query().String(), m, func(line []byte) (found [][2]int) {
		for _, s := range m.Spans(nil, line) {
			found = append(found, [2]int{s.Start, s.End})
		}
		return found
	})
}

// land goes to the match that the user chose, when its file is open.
func (p *viewPane) land() {
	if _, ok := p.current(); ok && p.landing {
		p.landing = false
		p.Search().Jump()
	}
}

// Line is the number of the file's line under the cursor, 0 on the header: the place below which insert puts a text. false: no file is
// shown. The empty row behind a final newline counts as the last line.
func (p *viewPane) Line() (n int, ok bool) {
	d, ok := p.current()
	at, there := p.at()
	if !ok || !d.isFile || !there {
		return 0, false
	}
	n = at.line
	if at.kind == bodyRow {
		n++
	}
	if n == len(d.starts) && n > 1 && len(d.line(n-1)) == 0 {
		n--
	}
	return n, true
}

// LineReader implements [kit.Tab]: the file's own bytes of the line under the cursor; nil on a row that is none.
func (p *viewPane) LineReader(limit int) func() (string, error) {
	if at, ok := p.at(); !ok || at.kind != bodyRow {
		return nil
	}
	return p.Text.LineReader(limit)
}

// Place implements [kit.Tab]: the lines of the file.
func (p *viewPane) Place() string {
	at, ok := p.at()
	if !ok {
		return ""
	}
	line := at.line
	if at.kind == bodyRow {
		line++
	}
	return strconv.Itoa(line) + "/" + strconv.Itoa(len(p.doc.starts))
}

// Lines are the lines of the file, from 0, at the top of the screen and under the cursor; not ok while nothing is shown.
func (p *viewPane) Lines() (top, cursor int, ok bool) {
	d, ok := p.current()
	top, cursor, shown := p.Text.Lines()
	if !ok || !shown || !d.isFile {
		return 0, 0, false
	}
	return d.at(top).line, d.at(cursor).line, true
}

// viewNumberCells is the width of the tool's row number and its tab: six digits, then up to the next tab stop.
const viewNumberCells = 8

// lead is the tool's number of a line: six wide, then the tab.
func (p *viewPane) lead(l kit.Line, _ int, _ bool) (string, kit.Look) {
	at, _ := l.Of.(place)
	if at.kind != bodyRow || !at.of.numbered {
		return "", nil
	}
	return text.Pad(text.PadLeft(strconv.Itoa(at.line+1), 6), viewNumberCells), func(st *theme.Styles) theme.Paint { return st.Number }
}

// Forget drops the text and the search, as if nothing had been shown.
func (p *viewPane) Forget() {
	p.doc, p.listing, p.goal = nil, nil, 0
	p.Text.Forget()
}
