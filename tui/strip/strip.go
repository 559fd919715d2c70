// Package strip is the live strip at the bottom of the Browse screen: the newest revisions of this session, newest last, and between
// them the calls of agents that changed nothing. It draws what the root's feed holds and answers with intents; it keeps no bytes of
// its own.
package strip

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// callsMost is how many calls are shown; older ones are dropped.
const callsMost = 200

// Pane is the strip. Make it with [New].
type Pane struct {
	env     *kit.Env
	actions *kit.Actions
	w, h    int
	changes []past.Revision
	calls   []call
	count   int64 // calls so far
	rows    []entry
	unread  func(rev int64) bool
	// sessions is set if an agent has named its session.
	sessions bool
	purged   bool     // there may have been edits that a purge has cleared
	list     kit.List // on the last row it follows the newest change

	// Secrets counts the secrets in a file now; nil: unknown.
	Secrets func(path string) int
}

// call is a call with a number of its own.
type call struct {
	past.Call
	number int64
}

// entry is a row: a revision, or a call that changed nothing.
type entry struct {
	rev  int64 // 0: it is a call
	call int64 // its number
	at   int   // the place among the revisions or the calls
}

// New makes an empty strip; unread reports whether the user has not seen a revision.
func New(env *kit.Env, unread func(rev int64) bool) *Pane {
	p := &Pane{env: env, unread: unread}
	p.actions = kit.NewActions(env, p.bindings()...)
	p.list.Follow()
	return p
}

// SetChanges takes the revisions that the strip is to show, newest last. The cursor stays on its row.
func (p *Pane) SetChanges(changes []past.Revision) {
	p.changes = changes
	p.arrange()
}

// AddCalls adds calls that changed nothing. Views of one path in a row are one.
func (p *Pane) AddCalls(list []past.Call) {
	for _, c := range list {
		if n := len(p.calls); n > 0 {
			last := &p.calls[n-1]
			same := last.Failed == c.Failed && last.Command == c.Command && last.Path == c.Path && last.Session == c.Session
			if same && c.Failed == "" && (len(p.changes) == 0 || p.changes[len(p.changes)-1].Time.Before(last.Time)) {
				last.Time = c.Time
				continue
			}
		}
		p.count++
		p.calls = append(p.calls, call{c, p.count})
	}
	p.calls = slices.Delete(p.calls, 0, max(0, len(p.calls)-callsMost))
	p.arrange()
}

// Forget drops all calls, for a purge.
func (p *Pane) Forget() {
	p.calls, p.purged = nil, true
	p.arrange()
}

// arrange merges revisions and calls by their times. The cursor stays on its row.
func (p *Pane) arrange() {
	at, had := p.selected()
	p.rows = p.rows[:0]
	p.sessions = slices.ContainsFunc(p.changes, func(r past.Revision) bool { return r.Session != "" }) ||
		slices.ContainsFunc(p.calls, func(c call) bool { return c.Session != "" })
	c := 0
	for i, r := range p.changes {
		for ; c < len(p.calls) && p.calls[c].Time.Before(r.Time); c++ {
			p.rows = append(p.rows, entry{call: p.calls[c].number, at: c})
		}
		p.rows = append(p.rows, entry{rev: r.Rev, at: i})
	}
	for ; c < len(p.calls); c++ {
		p.rows = append(p.rows, entry{call: p.calls[c].number, at: c})
	}
	if had && !p.list.Following() {
		i := slices.IndexFunc(p.rows, func(e entry) bool { return e.rev == at.rev && e.call == at.call })
		if i < 0 { // the oldest may have left
			i = max(0, slices.IndexFunc(p.rows, func(e entry) bool { return e.rev > at.rev }))
		}
		was, _ := p.list.At()
		p.list.Shift(i - was)
	}
	p.list.SetCount(len(p.rows))
	p.followEnd()
}

// Newest goes back to the newest change and stays with it.
func (p *Pane) Newest() { p.list.Follow() }

func (p *Pane) selected() (entry, bool) {
	i, ok := p.list.At()
	if !ok || i >= len(p.rows) {
		return entry{}, false
	}
	return p.rows[i], true
}

// Selected returns the revision under the cursor, if there is one.
func (p *Pane) Selected() (past.Revision, bool) {
	e, ok := p.selected()
	if !ok || e.rev == 0 {
		return past.Revision{}, false
	}
	return p.changes[e.at], true
}

// followEnd stays with the newest change from now on if the cursor came to it.
func (p *Pane) followEnd() {
	if i, ok := p.list.At(); ok && i == len(p.rows)-1 {
		p.list.Follow()
	}
}

// Actions implements [kit.Pane].
func (p *Pane) Actions() *kit.Actions { return p.actions }

func (p *Pane) bindings() []kit.Action {
	return append(p.list.Bindings(p.moved),
		kit.On(keymap.Open, func() {
			if r, ok := p.Selected(); ok {
				p.env.Emit(kit.ShowChange{Rev: r.Rev})
				p.env.Emit(kit.FocusView{})
				return
			}
			p.openCall()
		}),
		kit.On(keymap.OpenFile, func() {
			if r, ok := p.Selected(); ok {
				p.env.Emit(kit.OpenFile{Path: r.Path})
				return
			}
			p.openCall()
		}),
	)
}

// Title implements [kit.Strip].
func (p *Pane) Title(int) kit.Title {
	st := p.env.Styles
	title := kit.Title{Left: st.Title.Apply("live")}
	if n := len(p.changes); n > 0 {
		title.Right = st.Dim.Apply(kit.CountGrouped(n, "change"))
	}
	return title
}

// openCall shows the file that the call under the cursor was about.
func (p *Pane) openCall() {
	if e, ok := p.selected(); ok && e.rev == 0 {
		p.env.Emit(kit.OpenFile{Path: p.calls[e.at].Path})
	}
}

func (p *Pane) moved(keymap.ID) tea.Cmd {
	p.followEnd()
	if r, ok := p.Selected(); ok {
		p.env.Emit(kit.ShowChange{Rev: r.Rev})
	}
	return nil
}

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	hit, again := p.list.Click(row)
	if r, ok := p.Selected(); hit && ok {
		p.followEnd()
		p.env.Emit(kit.ShowChange{Rev: r.Rev})
	}
	return again
}

// Receive implements [kit.Pane]; the strip starts no jobs.
func (p *Pane) Receive(kit.Done) tea.Cmd { return nil }

// Resize implements [kit.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [kit.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Strip} }

// Cursor implements [kit.Pane].
func (p *Pane) Cursor() (kit.Point, bool) { return p.list.Point() }

const textNoChanges = "No edits since you opened the store. New ones appear here"

const textPurged = "Cleared by the purge. New edits appear here"

// Rows implements [kit.Pane].
func (p *Pane) Rows(focused bool) []string {
	said := textNoChanges
	if p.purged {
		said = textPurged
	}
	none := func() []string { return kit.Notice(p.env, said, p.w) }
	return p.list.Draw(nil, p.w, p.h, none, func(i int) string { return p.drawRow(i, focused) })
}

// The widths from which on a row has the actor, and its session.
const (
	actorFrom   = 60
	sessionFrom = 76
)

func (p *Pane) drawRow(i int, focused bool) string {
	st, row := p.env.Styles, kit.Row{Room: p.w}
	at, _ := p.list.At()
	current := i == at && focused
	of := func(own theme.Paint) theme.Paint {
		if current {
			return st.Selected
		}
		return own
	}
	lead := " "
	if current {
		lead = st.Glyphs.Cursor
	}
	row.Put(lead, of(st.Text))
	if e := p.rows[i]; e.rev == 0 {
		p.drawCall(&row, &p.calls[e.at], of)
	} else {
		p.drawChange(&row, &p.changes[e.at], of, current)
	}
	return row.String()
}

// drawHead draws what a revision and a call have in common.
func (p *Pane) drawHead(row *kit.Row, mark string, at time.Time, actor memstore.Actor, session, command string,
	paint func(theme.Paint) theme.Paint, own theme.Paint) {
	st := p.env.Styles
	row.Put(mark+" ", paint(st.Unread))
	row.Put(at.In(p.env.Now().Location()).Format("15:04:05")+"  ", paint(own))
	if p.w >= actorFrom {
		row.PutPadded(text.Clean(string(actor)), 9, paint(own))
	}
	if p.sessions && p.w >= sessionFrom {
		row.PutPadded(text.ShortID(session), 9, paint(own))
	}
	row.Put(text.Pad(text.Clean(command), 11)+" ", paint(own))
}

func (p *Pane) drawChange(row *kit.Row, r *past.Revision, paint func(theme.Paint) theme.Paint, current bool) {
	st := p.env.Styles
	mark, look := " ", st.Text
	if p.unread(r.Rev) {
		mark, look = st.Glyphs.Unread, st.Unread
	}
	p.drawHead(row, mark, r.Time, r.Actor, r.Session, commandOf(r), paint, st.Actor(string(r.Actor)))
	counts := kit.Counts{Added: r.Added, Removed: r.Removed}
	secret := ""
	if p.Secrets != nil && p.Secrets(r.Path) > 0 && p.isLast(r) {
		secret = " " + st.Glyphs.Sensitive + " secret"
	}
	width := text.Width(counts.Text(st))
	room := max(0, row.Room-width-1-text.Width(secret))
	row.PutPadded(text.TruncateLeft(p.env.MaskedText(relative(*r, st)), room, st.Glyphs.Ellipsis), room, paint(look))
	row.Put(secret, paint(st.Error))
	row.Put(" ", paint(look)) // without color, the paint of secrets underlines
	var all *theme.Paint
	if current {
		all = &st.Selected
	}
	counts.Put(row, width, st, all)
}

func (p *Pane) drawCall(row *kit.Row, c *call, paint func(theme.Paint) theme.Paint) {
	st := p.env.Styles
	p.drawHead(row, " ", c.Time, c.Actor, c.Session, c.Command, paint, st.Dim)
	said, look := "read", st.Dim
	if c.Failed != "" {
		said, look = p.env.MaskedText("failed: "+c.Failed), st.Warning
	}
	path := p.env.MaskedText(kit.PathText(c.Path))
	room := max(8, row.Room-text.Width(said)-2)
	row.PutPadded(text.TruncateLeft(path, room, st.Glyphs.Ellipsis), min(room, max(text.Width(path), row.Room/2)), paint(st.Dim))
	row.Put("  "+text.Truncate(said, max(0, row.Room-2), st.Glyphs.Ellipsis), paint(look))
}

// isLast reports whether no later revision in the strip is about the same path.
func (p *Pane) isLast(r *past.Revision) bool {
	for _, other := range slices.Backward(p.changes) {
		if other.Path == r.Path {
			return other.Rev == r.Rev
		}
	}
	return false
}

// commandOf names what a revision did: an undo goes by that name whatever command carried it out.
func commandOf(r *past.Revision) string {
	if r.Undoes == 0 || r.Actor != memstore.Curator {
		return r.Command
	}
	switch r.Command {
	case "undo", "redo", "revert", "restore":
		return r.Command
	}
	return "undo"
}

// relative names the path of a revision, relative to the store: both names of a rename.
func relative(r past.Revision, st *theme.Styles) string {
	slash := ""
	if r.Kind == memstore.KindDir {
		slash = "/"
	}
	path := text.Clean(kit.PathText(r.Path)) + slash
	if r.OldPath != "" {
		return text.Clean(kit.PathText(r.OldPath)) + slash + " " + st.Glyphs.Arrow + " " + path
	}
	return path
}
