// Package strip is the live strip at the bottom of the Browse screen: the newest revisions
// since the program was started, newest last. It draws what the root's feed
// holds and answers with intents; it keeps no bytes of its own.
package strip

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Pane is the strip. Make it with [New].
type Pane struct {
	env     *ui.Env
	actions *ui.Actions
	w, h    int
	changes []past.Revision
	unread  func(rev int64) bool
	list    ui.List // on the last row it follows the newest change
}

// New makes an empty strip; unread reports whether the user has not seen a revision.
func New(env *ui.Env, unread func(rev int64) bool) *Pane {
	p := &Pane{env: env, unread: unread}
	p.actions = ui.NewActions(env, p.bindings()...)
	p.list.Follow()
	return p
}

// SetChanges takes what the strip is to show, newest last. The cursor stays on its revision.
func (p *Pane) SetChanges(changes []past.Revision) {
	at, had := p.Selected()
	p.changes = changes
	if had && !p.list.Following() {
		i, _ := slices.BinarySearchFunc(changes, at.Rev, func(r past.Revision, rev int64) int { return cmp.Compare(r.Rev, rev) })
		was, _ := p.list.At()
		p.list.Shift(i - was) // the oldest may have left
	}
	p.list.SetCount(len(changes))
	p.followEnd()
}

// Title implements [ui.Strip].
func (p *Pane) Title(int) ui.Title {
	st := p.env.Styles
	title := ui.Title{Left: st.Title.Apply("live")}
	if n := len(p.changes); n > 0 {
		title.Right = st.Dim.Apply(ui.CountGrouped(n, "change"))
	}
	return title
}

// Newest goes back to the newest change and stays with it.
func (p *Pane) Newest() { p.list.Follow() }

// Selected returns the revision under the cursor, if there is one.
func (p *Pane) Selected() (past.Revision, bool) {
	i, ok := p.list.At()
	if !ok {
		return past.Revision{}, false
	}
	return p.changes[i], true
}

// followEnd stays with the newest change from now on if the cursor came to it.
func (p *Pane) followEnd() {
	if i, ok := p.list.At(); ok && i == len(p.changes)-1 {
		p.list.Follow()
	}
}

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	return append(p.list.Bindings(p.moved),
		ui.On(keymap.OpenChange, func() {
			if r, ok := p.Selected(); ok {
				p.env.Emit(ui.ShowChange{Rev: r.Rev})
				p.env.Emit(ui.FocusView{})
			}
		}),
		ui.On(keymap.OpenFile, func() {
			if r, ok := p.Selected(); ok {
				p.env.Emit(ui.OpenFile{Path: r.Path})
			}
		}),
	)
}

func (p *Pane) moved(keymap.ID) tea.Cmd {
	p.followEnd()
	if r, ok := p.Selected(); ok {
		p.env.Emit(ui.ShowChange{Rev: r.Rev})
	}
	return nil
}

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	hit, again := p.list.Click(row)
	if r, ok := p.Selected(); hit && ok {
		p.followEnd()
		p.env.Emit(ui.ShowChange{Rev: r.Rev})
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
func (p *Pane) Cursor() (ui.Point, bool) { return p.list.Point() }

const textNoChanges = "no change since memcurator was started; edits show up here as they are made"

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	none := func() []string { return []string{p.env.Styles.Dim.Apply(text.Pad(" "+textNoChanges, p.w))} }
	return p.list.Draw(nil, p.w, p.h, none, func(i int) string { return p.drawRow(i, focused) })
}

func (p *Pane) drawRow(i int, focused bool) string {
	st := p.env.Styles
	r := p.changes[i]
	mark := " "
	if p.unread(r.Rev) {
		mark = st.Glyphs.Unread
	}
	counts := Counts(r, st)
	clock := r.Time.In(p.env.Now().Location()).Format("15:04:05")
	command := text.Pad(text.Clean(r.Command), 11) + " "
	who := text.Pad(text.Clean(string(r.Actor)), 8) + " " + command
	if p.w < 60 {
		who = command
	}
	head := clock + "  " + who
	room := max(0, p.w-2-text.Width(mark)-text.Width(head)-text.Width(counts)-1)
	path := text.Pad(text.TruncateLeft(Path(r, st), room, st.Glyphs.Ellipsis), room)
	if at, _ := p.list.At(); i == at && focused {
		return st.Selected.Apply(text.Pad(st.Glyphs.Cursor+mark+" "+head+path+" "+counts, p.w))
	}
	body := st.Actor(string(r.Actor)).Apply(head)
	paint := st.Text
	if p.unread(r.Rev) {
		paint = st.Unread
	}
	line := " " + mark + " " + body + paint.Apply(path) + " " + st.Dim.Apply(counts)
	used := 3 + utf8.RuneCountInString(head) + text.Width(path) + 1 + text.Width(counts)
	if used > p.w {
		return text.Pad(" "+mark+" "+head+path+" "+counts, p.w)
	}
	return line + strings.Repeat(" ", p.w-used)
}

// Path names the path of a revision for people: both names of a rename.
func Path(r past.Revision, st *theme.Styles) string {
	path := text.Clean(r.Path)
	if r.Kind == memstore.KindDir {
		path += "/"
	}
	if r.OldPath != "" {
		old := text.Clean(r.OldPath)
		if r.Kind == memstore.KindDir {
			old += "/"
		}
		return old + " " + st.Glyphs.Arrow + " " + path
	}
	return path
}

// Counts writes the added and removed lines of a revision.
func Counts(r past.Revision, st *theme.Styles) string {
	if r.Added == 0 && r.Removed == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d %s%d", st.Glyphs.Plus, r.Added, st.Glyphs.Minus, r.Removed)
}
