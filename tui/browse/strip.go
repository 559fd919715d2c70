package browse

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
)

// Strip is below the others: the newest revisions of this session, newest last. It shows what the feed holds, answers with intents and
// keeps no bytes of its own.
type Strip struct {
	*kit.Table[past.Revision]
	env *kit.Env
}

// newStrip makes an empty strip of what a feed holds.
func newStrip(env *kit.Env, f *feed.Feed) *Strip {
	p := &Strip{env: env}
	p.Table = kit.NewTable(env, kit.Spec[past.Revision]{
		Scope: keymap.Strip,
		Key:   func(r past.Revision) string { return strconv.FormatInt(r.Rev, 10) },
		Words: func(r past.Revision) string { return r.Path },
		Path:  func(r past.Revision) string { return r.Path },
		Sign: func(r past.Revision) string {
			if f.IsUnread(r.Rev) {
				return env.Styles.Glyphs.Unread
			}
			return " "
		},
		Paint: func(r past.Revision, st *theme.Styles) theme.Paint {
			if f.IsUnread(r.Rev) {
				return st.Unread
			}
			return st.Text
		},
		Columns: []kit.Column[past.Revision]{
			{Width: 8, Text: func(r past.Revision) string { return r.Time.In(env.Now().Location()).Format("15:04:05") }},
			{From: 60, Width: 8, Text: func(r past.Revision) string { return string(r.Actor) }, Paint: func(r past.Revision, st *theme.Styles) theme.Paint {
				return st.Actor(string(r.Actor))
			}},
			{From: 76, Most: 12, Text: func(r past.Revision) string { return text.FitID(r.Session, 12) }},
			{Width: 11, Text: func(r past.Revision) string { return r.Command }},
			{Ends: true, Text: func(r past.Revision) string { return env.MaskedText(stripPath(r, env.Styles)) }},
			{Most: 45, Right: true, Paint: func(_ past.Revision, st *theme.Styles) theme.Paint { return st.Dim }, Text: func(r past.Revision) string {
				return kit.Counts{Added: r.Added, Removed: r.Removed}.Text(env.Styles)
			}},
		},
		Empty: func() string {
			switch {
			case f.Health().Level == past.Damaged:
				return kit.TextNoJournal
			case !f.Begun():
				return "Reading the journal..."
			}
			return "New edits appear here"
		},
		Open: func(r past.Revision) tea.Cmd {
			env.Emit(kit.ShowChange{Rev: r.Rev})
			env.Emit(kit.FocusView{})
			return nil
		},
		Moved: func() tea.Cmd {
			if r, ok := p.Current(); ok {
				env.Emit(kit.ShowChange{Rev: r.Rev})
			}
			return nil
		},
		More: []kit.Action{
			{ID: keymap.Open, Keys: "enter", Help: "open the diff of the change, or the file that was read", Hint: "diff"},
			{ID: keymap.OpenFile, Keys: "b", Help: "browse the file of the change", Hint: "file", Run: kit.Do(func() {
				if r, ok := p.Current(); ok {
					env.Emit(kit.OpenFile{Path: r.Path})
				}
			})},
		},
	})
	return p
}

// SetChanges takes the revisions that the strip is to show, newest last. The cursor stays on its row, or with the newest one if it is
// there.
func (p *Strip) SetChanges(changes []past.Revision) {
	follow := p.AtEnd()
	p.Set(changes)
	if follow {
		p.Last()
	}
}

// Newest implements [kit.Strip].
func (p *Strip) Newest() { p.Last() }

// Scopes implements [kit.Pane].
func (p *Strip) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Strip} }

// Title implements [kit.Strip].
func (p *Strip) Title(int) kit.Title {
	st := p.env.Styles
	title := kit.Title{Left: st.Title.Apply("live")}
	if n := len(p.Items()); n > 0 {
		title.Right = st.Dim.Apply(kit.CountGrouped(n, "change"))
	}
	return title
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
