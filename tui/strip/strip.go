// Package strip is the live strip at the bottom of the Browse screen: every change
// since the program was started, newest last. It draws what the root's record of
// changes holds and answers with intents; it keeps no bytes of its own.
package strip

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Pane is the strip. Make it with [New].
type Pane struct {
	env     *ui.Env
	w, h    int
	changes []*watch.Change
	unread  func(*watch.Change) bool
	list    ui.List // on the last row it follows the newest change
}

// New makes an empty strip; unread reports whether the user has seen a change.
func New(env *ui.Env, unread func(*watch.Change) bool) *Pane {
	p := &Pane{env: env, unread: unread}
	p.list.Follow()
	return p
}

// SetChanges takes the whole record, newest last.
func (p *Pane) SetChanges(changes []*watch.Change) {
	p.changes = changes
	p.list.SetCount(len(changes))
	p.followEnd()
}

// Newest goes back to the newest change and stays with it.
func (p *Pane) Newest() { p.list.Follow() }

// Selected returns the change under the cursor, nil when there is none.
func (p *Pane) Selected() *watch.Change {
	i, ok := p.list.At()
	if !ok {
		return nil
	}
	return p.changes[i]
}

// followEnd stays with the newest change from now on if the cursor came to it.
func (p *Pane) followEnd() {
	if i, ok := p.list.At(); ok && i == len(p.changes)-1 {
		p.list.Follow()
	}
}

// Handle implements [ui.Pane].
func (p *Pane) Handle(id keymap.ID) (tea.Cmd, bool) {
	if p.list.Motion(id) {
		p.followEnd()
		if c := p.Selected(); c != nil {
			p.env.Emit(ui.ShowChange{Seq: c.Seq})
		}
		return nil, true
	}
	c := p.Selected()
	switch id {
	case keymap.OpenChange:
		if c != nil {
			p.env.Emit(ui.ShowChange{Seq: c.Seq})
			p.env.Emit(ui.FocusView{})
		}
	case keymap.OpenFile:
		if c != nil {
			p.env.Emit(ui.Select{Path: c.Path, Reveal: true})
			p.env.Emit(ui.FocusView{})
		}
	case keymap.Left, keymap.Right:
	default:
		return nil, false
	}
	return nil, true
}

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	hit, again := p.list.Click(row)
	if c := p.Selected(); hit {
		p.followEnd()
		p.env.Emit(ui.ShowChange{Seq: c.Seq})
	}
	return again
}

// Receive implements [ui.Pane]; the strip starts no jobs.
func (p *Pane) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Changes} }

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	i, ok := p.list.At()
	return ui.Point{Y: i - p.list.Top()}, ok
}

const textNoChanges = "no change since memcurator was started; edits show up here as they are made"

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	st := p.env.Styles
	out := make([]string, 0, p.h)
	if len(p.changes) == 0 && p.h > 0 {
		out = append(out, st.Dim.Apply(text.Pad(" "+textNoChanges, p.w)))
	}
	for i := p.list.Top(); i < len(p.changes) && len(out) < p.h; i++ {
		out = append(out, p.drawRow(i, focused))
	}
	return ui.FillRows(out, p.w, p.h)
}

func (p *Pane) drawRow(i int, focused bool) string {
	st := p.env.Styles
	c := p.changes[i]
	mark := " "
	if p.unread(c) {
		mark = st.Glyphs.Unread
	}
	counts := Counts(c, st)
	clock := c.Time.Format("15:04:05")
	command := text.Pad(text.Clean(c.Command), 11) + " "
	who := text.Pad(text.Clean(string(c.Actor)), 8) + " " + command
	if p.w < 60 {
		who = command
	}
	head := clock + "  " + who
	room := max(0, p.w-2-text.Width(mark)-text.Width(head)-text.Width(counts)-1)
	path := text.Pad(text.TruncateLeft(Path(c, st), room, st.Glyphs.Ellipsis), room)
	if at, _ := p.list.At(); i == at && focused {
		return st.Selected.Apply(text.Pad(st.Glyphs.Cursor+mark+" "+head+path+" "+counts, p.w))
	}
	body := st.Actor(string(c.Actor)).Apply(head)
	paint := st.Text
	if p.unread(c) {
		paint = st.Unread
	}
	line := " " + mark + " " + body + paint.Apply(path) + " " + st.Dim.Apply(counts)
	used := 3 + utf8.RuneCountInString(head) + text.Width(path) + 1 + text.Width(counts)
	if used > p.w {
		return text.Pad(" "+mark+" "+head+path+" "+counts, p.w)
	}
	return line + strings.Repeat(" ", p.w-used)
}

// Path names the path of a change for people: both names of a rename.
func Path(c *watch.Change, st *theme.Styles) string {
	path := text.Clean(c.Path)
	if c.Kind == memstore.KindDir {
		path += "/"
	}
	if c.OldPath != "" {
		old := text.Clean(c.OldPath)
		if c.Kind == memstore.KindDir {
			old += "/"
		}
		return old + " " + st.Glyphs.Arrow + " " + path
	}
	return path
}

// Counts writes the added and removed lines of a change.
func Counts(c *watch.Change, st *theme.Styles) string {
	if c.Added == 0 && c.Removed == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d %s%d", st.Glyphs.Plus, c.Added, st.Glyphs.Minus, c.Removed)
}
