package browse

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

const (
	ownerSummary = "summary"
	// summaryMost bounds the revisions that are counted, sessionsMost the sessions that are listed.
	summaryMost  = 20_000
	sessionsMost = 8
)

// Summary is what the screen shows on opening in place of the tabs, until the user moves: what others changed since the user last looked,
// by actor and session, and a line for whatever else needs the user, with the key that leads there.
type Summary struct {
	*kit.Text
	screen *Screen
	since  time.Time // when the user looked last; zero: never
	shown  bool
	read   *changesRead // nil: the journal was not read yet
}

// Begin shows the summary of what changed since a time when the program begins.
func (p *Summary) Begin(since time.Time) { p.since, p.shown = since, p.screen.Journal != nil }

// leave shows the tabs again, and reports whether the summary was shown.
func (p *Summary) leave() bool {
	was := p.shown
	p.shown = false
	return was
}

// show shows the summary until the user moves.
func (p *Summary) show() tea.Cmd {
	p.shown = p.screen.Journal != nil
	return tea.Batch(p.Changed(), p.screen.shell.Relayout())
}

// changesRead is the outcome of reading the journal.
type changesRead struct {
	changes, files int
	sessions       []*session // the newest first
	titles         map[string]string
}

// session is what a session did, or an actor without one.
type session struct {
	actor       memstore.Actor
	id          string
	changes     int
	counts      kit.Counts
	first, last time.Time
}

// Changed reads what changed since the user looked last, while the summary is shown and no act is under way: it is read whole.
func (p *Summary) Changed() tea.Cmd {
	if !p.shown || p.screen.Edits.Busy() {
		return nil
	}
	j, since, titles := p.screen.Journal, p.since, p.screen.Edits.Titles
	return kit.Start(p.screen.Env.Jobs, kit.Job[*changesRead]{
		Owner: ownerSummary, Label: kit.LabelJournal,
		Work: func(ctx context.Context, _ *kit.Progress) (*changesRead, error) {
			list, err := past.Revisions(ctx, j, past.Filter{
				Actors: []memstore.Actor{memstore.Agent, memstore.External}, Newest: true, Limit: summaryMost, Since: since, // zero: of all time
			})
			c := &changesRead{changes: len(list), files: past.Paths(list), sessions: sessionsOf(list)}
			if err != nil || titles == nil {
				return c, err
			}
			var ids []string
			for _, one := range c.sessions[:min(len(c.sessions), sessionsMost)] {
				if one.id != "" {
					ids = append(ids, one.id)
				}
			}
			c.titles = titles(ctx, ids)
			return c, nil
		},
		Done: func(c *changesRead) tea.Cmd {
			p.read = c
			return nil
		},
	})
}

// sessionsOf sums revisions up, of which the newest comes first. Pauses of an actor without a session matter in Changes, not at a glance.
func sessionsOf(list []past.Revision) (sessions []*session) {
	of := map[[2]string]*session{}
	for _, r := range list {
		key := [2]string{string(r.Actor), r.Session}
		one := of[key]
		if one == nil {
			one = &session{actor: r.Actor, id: r.Session, last: r.Time}
			of[key], sessions = one, append(sessions, one)
		}
		one.changes++
		one.counts.Added, one.counts.Removed = one.counts.Added+r.Added, one.counts.Removed+r.Removed
		one.first = r.Time
	}
	return sessions
}

// Forget discards what was read.
func (p *Summary) Forget() { p.read, p.shown = nil, false }

// Title implements [kit.Tab].
func (p *Summary) Title() string {
	if p.since.IsZero() {
		return "at a glance"
	}
	return "since you last looked, " + kit.When(p.since, p.screen.Env.Now())
}

// Place implements [kit.Tab].
func (p *Summary) Place() string { return "" }

// Rows implements [kit.Pane]. What needs the user may have changed since the last time.
func (p *Summary) Rows(focused bool) []string {
	lines := p.changes()
	for _, need := range p.screen.shell.Needs() {
		lines = append(lines, p.keyed(need.Key, need.Text, need.Urgent))
	}
	p.Set("", kit.Lines(append(lines, p.load()...)))
	return p.Text.Rows(focused)
}

// keyCells is the room of the key in front of a line.
const keyCells = 3

// keyed is a line with the key of the action that leads on; "": none.
func (p *Summary) keyed(id keymap.ID, said string, urgent bool) kit.Line {
	key := ""
	if id != "" {
		key = p.screen.Env.Keys.KeyFor(keymap.Global, id)
	}
	l := kit.Line{Text: []byte(text.Pad(key, keyCells) + said), Own: true}
	l.Spans = []kit.Span{{End: len(key), Look: func(st *theme.Styles, _ theme.Paint) theme.Paint { return st.KeyName }}}
	if urgent {
		l.Look = func(st *theme.Styles) theme.Paint { return st.Error }
	}
	return l
}

// changes are the lines about changes.
func (p *Summary) changes() []kit.Line {
	waiting := p.screen.Env.Styles.Glyphs.Ellipsis
	switch {
	case p.screen.Edits.Damaged != "", p.screen.Feed.Damaged():
		return []kit.Line{p.keyed("", kit.TextNoJournal, true)}
	case p.read == nil:
		return []kit.Line{p.keyed("", kit.LabelJournal+waiting, false)}
	}
	unread, count := len(p.screen.Feed.Unread()), p.read.changes
	key := keymap.NextUnread
	said := kit.CountGrouped(count, "change") + " in " + kit.CountGrouped(p.read.files, "file")
	if unread == 0 {
		key = ""
		said += ", all read"
	}
	switch {
	case count == 0 && p.screen.Env.Jobs.Running(act.OwnerCompare):
		return []kit.Line{p.keyed("", kit.LabelCompare+waiting, false)}
	case count == 0 && p.screen.Edits.Journal == nil:
		return []kit.Line{p.keyed("", act.NoJournalText(p.screen.Edits.NoJournal), false)}
	case count == 0 && p.since.IsZero():
		return []kit.Line{p.keyed("", "No changes by others yet", false)}
	case count == 0:
		said = "Nothing new since " + strings.TrimPrefix(kit.When(p.since, p.screen.Env.Now()), "today ")
	case count == summaryMost:
		said = "more than " + said
	}
	older := 0 // the rows below are not of these
	for _, r := range p.screen.Feed.Unread() {
		if r.Time.Before(p.since) {
			older++
		}
	}
	if unread > older {
		said += ", " + kit.Number(unread-older) + " unread"
	}
	if older > 0 {
		said += "; " + kit.Number(older) + " unread from before"
	}
	lines := []kit.Line{p.keyed(key, said, false)}
	for _, one := range p.read.sessions[:min(len(p.read.sessions), sessionsMost)] {
		lines = append(lines, p.session(one))
	}
	if more := len(p.read.sessions) - sessionsMost; more > 0 {
		lines = append(lines, p.keyed("", fmt.Sprintf("  and %d more", more), false))
	}
	return lines
}

// timesFrom is the width, in cells, from which a row of a session says when and how many lines.
const timesFrom = 60

// session is what one session did.
func (p *Summary) session(one *session) kit.Line {
	st, who := p.screen.Env.Styles, "no session"
	if one.id != "" {
		title := text.Clean(p.read.titles[one.id])
		if who = text.FitID(one.id, text.LongID); title != "" {
			who = text.ShortID(one.id) + "  " + title
		}
	}
	end := ""
	if p.Width() >= timesFrom {
		end = "  " + kit.WhenSpan(one.first, one.last, p.screen.Env.Now()) + text.PadLeft(one.counts.Text(st), 12)
	}
	cells := len(kit.Number(p.read.changes)) // of all, so that the numbers stand below one another
	said := "  " + text.Pad(string(one.actor), 9) + text.PadLeft(kit.Number(one.changes), max(4, cells)) + "  "
	room := max(0, p.Width()-2-keyCells-text.Width(said)-text.Width(end))
	return p.keyed("", said+text.Pad(text.Truncate(who, room, st.Glyphs.Ellipsis), room)+end, false)
}

// load is the line about what a session starts with: how much of the limit it has. Without a rule there is none.
func (p *Summary) load() []kit.Line {
	start := p.screen.load.start
	if start == nil || len(start.Files) == 0 {
		return nil
	}
	g := start.Gauge()
	said := "Load " + g.Words() + "  " + g.Bar()
	if g.Level() == loadlimit.Unlimited {
		said = "Load " + kit.CountGrouped(int(start.Given.Lines), "line") + ", no limit"
	}
	of := kit.Count(len(start.Files), "file")
	if f := start.Fullest(); f != nil && (len(start.Files) == 1 || !start.Rule.Together) {
		of = f.Name
	}
	if state := g.State(); state != "" {
		of = state + ", " + of
	}
	said += "  " + text.Clean(of)
	return []kit.Line{p.keyed(keymap.Listing, said, false)}
}
