package browse

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// stripCallsMost is how many calls are shown; older ones are dropped.
const stripCallsMost = 200

// Strip is below the others: the newest revisions of this session, newest last, and between them the calls of agents that changed
// nothing. It shows what the feed holds, answers with intents and keeps no bytes of its own.
type Strip struct {
	*kit.Table[stripRow]
	env     *kit.Env
	changes []past.Revision
	calls   []stripRow
	count   int64            // calls so far
	last    map[string]int64 // the newest of the changes, by path
	purged  bool             // there may have been edits that a purge has cleared

	// Secrets counts the secrets in a file now; nil: unknown.
	Secrets func(path string) int
}

// stripRow is a row: a revision, or a call that changed nothing, which has the fields that both have.
type stripRow struct {
	past.Revision
	call   int64  // its number; 0: a revision
	failed string // why the call failed
}

// newStrip makes an empty strip; unread reports whether the user has not seen a revision.
func newStrip(env *kit.Env, unread func(rev int64) bool) *Strip {
	p := &Strip{env: env}
	p.Table = kit.NewTable(env, kit.Spec[stripRow]{
		Scope: keymap.Strip,
		Key:   func(e stripRow) string { return strconv.FormatInt(e.Rev, 10) + " " + strconv.FormatInt(e.call, 10) },
		Words: func(e stripRow) string { return e.Path },
		Path:  func(e stripRow) string { return e.Path },
		Sign: func(e stripRow) string {
			if unread(e.Rev) {
				return env.Styles.Glyphs.Unread
			}
			return " "
		},
		Paint: func(e stripRow, st *theme.Styles) theme.Paint {
			switch {
			case e.call > 0:
				return st.Dim
			case unread(e.Rev):
				return st.Unread
			}
			return st.Text
		},
		Columns: []kit.Column[stripRow]{
			{Width: 8, Text: func(e stripRow) string { return e.Time.In(env.Now().Location()).Format("15:04:05") }},
			{From: 60, Width: 8, Text: func(e stripRow) string { return string(e.Actor) }, Paint: stripActorPaint},
			{From: 76, Most: 12, Text: func(e stripRow) string { return text.ShortID(e.Session) }},
			{Width: 11, Text: stripCommand},
			{Ends: true, Text: func(e stripRow) string { return env.MaskedText(stripPath(e.Revision, env.Styles)) }},
			{Most: 12, Text: p.secret, Paint: func(_ stripRow, st *theme.Styles) theme.Paint { return st.Error }},
			{Most: 45, Right: true, Text: p.outcome, Paint: stripOutcomePaint},
		},
		Empty: func() string {
			if p.purged {
				return "Cleared by the purge. New edits appear here"
			}
			return "No edits since you opened the store. New ones appear here"
		},
		Open: func(e stripRow) tea.Cmd {
			if e.call > 0 {
				env.Emit(kit.OpenFile{Path: e.Path})
				return nil
			}
			env.Emit(kit.ShowChange{Rev: e.Rev})
			env.Emit(kit.FocusView{})
			return nil
		},
		Moved: func() tea.Cmd {
			if r, ok := p.Selected(); ok {
				env.Emit(kit.ShowChange{Rev: r.Rev})
			}
			return nil
		},
		More: []kit.Action{kit.On(keymap.OpenFile, func() {
			if e, ok := p.Current(); ok {
				env.Emit(kit.OpenFile{Path: e.Path})
			}
		})},
	})
	return p
}

// SetChanges takes the revisions that the strip is to show, newest last.
func (p *Strip) SetChanges(changes []past.Revision) {
	p.changes = changes
	p.arrange()
}

// AddCalls adds calls that changed nothing. Views of one path in a row are one.
func (p *Strip) AddCalls(list []past.Call) {
	for _, c := range list {
		p.count++
		e := stripRow{call: p.count, failed: c.Failed, Revision: past.Revision{
			Time: c.Time, Actor: c.Actor, Session: c.Session, Command: c.Command, Path: c.Path,
		}}
		if n := len(p.calls); n > 0 {
			last := &p.calls[n-1]
			same := last.failed == "" && c.Failed == "" && last.Command == c.Command && last.Path == c.Path && last.Session == c.Session
			if same && (len(p.changes) == 0 || p.changes[len(p.changes)-1].Time.Before(last.Time)) {
				last.Time = c.Time
				continue
			}
		}
		p.calls = append(p.calls, e)
	}
	p.calls = slices.Delete(p.calls, 0, max(0, len(p.calls)-stripCallsMost))
	p.arrange()
}

// Forget drops all calls, for a purge.
func (p *Strip) Forget() {
	p.calls, p.purged = nil, true
	p.arrange()
}

// arrange merges revisions and calls by their times. The cursor stays on its row, or with the newest one if it is there.
func (p *Strip) arrange() {
	follow := p.AtEnd()
	p.last = map[string]int64{}
	var rows []stripRow
	calls := p.calls
	for _, r := range p.changes {
		for len(calls) > 0 && calls[0].Time.Before(r.Time) {
			rows, calls = append(rows, calls[0]), calls[1:]
		}
		rows = append(rows, stripRow{Revision: r})
		p.last[r.Path] = r.Rev
	}
	p.Set(append(rows, calls...))
	if follow {
		p.Last()
	}
}

// Newest implements [kit.Strip].
func (p *Strip) Newest() { p.Last() }

// Selected returns the revision under the cursor, if there is one.
func (p *Strip) Selected() (past.Revision, bool) {
	e, ok := p.Current()
	return e.Revision, ok && e.call == 0
}

// Scopes implements [kit.Pane].
func (p *Strip) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Strip} }

// Title implements [kit.Strip].
func (p *Strip) Title(int) kit.Title {
	st := p.env.Styles
	title := kit.Title{Left: st.Title.Apply("live")}
	if n := len(p.changes); n > 0 {
		title.Right = st.Dim.Apply(kit.CountGrouped(n, "change"))
	}
	return title
}

// secret says that there are secrets in the file, on its newest change.
func (p *Strip) secret(e stripRow) string {
	if e.call > 0 || p.Secrets == nil || p.last[e.Path] != e.Rev || p.Secrets(e.Path) == 0 {
		return ""
	}
	return p.env.Styles.Glyphs.Sensitive + " secret"
}

// outcome is how many lines a change has added and removed, or what a call did.
func (p *Strip) outcome(e stripRow) string {
	switch {
	case e.failed != "":
		return p.env.MaskedText("failed: " + e.failed)
	case e.call > 0:
		return "read"
	}
	return kit.Counts{Added: e.Added, Removed: e.Removed}.Text(p.env.Styles)
}

func stripOutcomePaint(e stripRow, st *theme.Styles) theme.Paint {
	if e.failed != "" {
		return st.Warning
	}
	return st.Dim
}

func stripActorPaint(e stripRow, st *theme.Styles) theme.Paint {
	if e.call > 0 {
		return st.Dim
	}
	return st.Actor(string(e.Actor))
}

// stripCommand names what a revision did: an undo goes by that name whatever command carried it out.
func stripCommand(r stripRow) string {
	if r.Undoes == 0 || r.Actor != memstore.Curator {
		return r.Command
	}
	switch r.Command {
	case "undo", "redo", "revert", "restore":
		return r.Command
	}
	return "undo"
}

// stripPath names the path of a revision, relative to the store: both names of a rename.
func stripPath(r past.Revision, st *theme.Styles) string {
	slash := ""
	if r.Kind == memstore.KindDir {
		slash = "/"
	}
	path := kit.PathText(r.Path) + slash
	if r.OldPath != "" {
		return kit.PathText(r.OldPath) + slash + " " + st.Glyphs.Arrow + " " + path
	}
	return path
}
