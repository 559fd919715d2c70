package browse

import (
	"context"
	"fmt"
	"slices"
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
	// summaryMost bounds the revisions that are counted, runsMost the sessions that are listed.
	summaryMost = 20_000
	runsMost    = 8
)

// Summary is what the screen shows on opening in place of the tabs, until the user moves: what changed since the user last looked, by
// actor and session, and a line for whatever else needs the user, with the key that leads there.
type Summary struct {
	*kit.Text
	screen *Screen
	since  time.Time // when the user looked last; zero: never
	shown  bool
	known  bool // the journal was read
	ever   bool // it has revisions
	runs   []past.Run
	list   []past.Revision
	titles map[string]string
}

func newSummary(s *Screen) *Summary {
	return &Summary{screen: s, Text: kit.NewText(s.Env, kit.TextSpec{Owner: ownerSummary})}
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
	ever   bool
	list   []past.Revision // newest first
	titles map[string]string
}

// Changed reads what changed since the user looked last, while the summary is shown.
func (p *Summary) Changed() tea.Cmd {
	if !p.shown {
		return nil
	}
	j, since, titles := p.screen.Journal, p.since, p.screen.Titles
	return kit.Start(p.screen.Env.Jobs, kit.Job[changesRead]{
		Owner: ownerSummary, Label: kit.LabelJournal,
		Work: func(ctx context.Context, _ *kit.Progress) (c changesRead, err error) {
			filter := past.Filter{Newest: true, Limit: 1}
			if c.list, err = past.Revisions(ctx, j, filter); err != nil || len(c.list) == 0 {
				return c, err
			}
			c.ever = true
			filter.Limit, filter.Since = summaryMost, since // at the first look, of all time
			if c.list, err = past.Revisions(ctx, j, filter); err != nil || titles == nil {
				return c, err
			}
			var sessions []string
			for i := range c.list {
				if s := c.list[i].Session; s != "" && !slices.Contains(sessions, s) && len(sessions) < runsMost {
					sessions = append(sessions, s)
				}
			}
			c.titles = titles(ctx, sessions)
			return c, nil
		},
		Done: func(c changesRead) tea.Cmd {
			slices.Reverse(c.list)
			p.known, p.ever, p.titles, p.list = true, c.ever, c.titles, c.list
			p.runs = joinRuns(past.Runs(c.list))
			return nil
		},
	})
}

// joinRuns makes one run of all that an actor did without a session: pauses matter in Changes, not at a glance.
func joinRuns(runs []past.Run) (out []past.Run) {
	at := map[memstore.Actor]int{}
	for _, r := range runs { // newest first
		i, again := at[r.Actor]
		switch {
		case r.Session != "" || !again:
			if r.Session == "" {
				at[r.Actor] = len(out)
			}
			out = append(out, r)
		default:
			out[i].Revisions = append(slices.Clip(r.Revisions), out[i].Revisions...)
			out[i].First = r.First
			out[i].Added, out[i].Removed = out[i].Added+r.Added, out[i].Removed+r.Removed
		}
	}
	return out
}

// Forget discards what was read.
func (p *Summary) Forget() { p.runs, p.list, p.titles, p.shown = nil, nil, nil, false }

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
	unread, count := len(p.screen.Feed.Unread()), len(p.list)
	key := keymap.NextUnread
	if unread == 0 {
		key = ""
	}
	since := strings.TrimPrefix(kit.When(p.since, p.screen.Env.Now()), "today ")
	said := ""
	switch {
	case !p.known:
		return []kit.Line{p.keyed("", kit.LabelJournal+p.screen.Env.Styles.Glyphs.Ellipsis, false)}
	case !p.ever:
		return []kit.Line{p.keyed("", "No changes recorded yet. New edits appear here as they are made", false)}
	case count == 0 && p.screen.Env.Jobs.Running(act.OwnerCompare):
		return []kit.Line{p.keyed("", kit.LabelCompare+p.screen.Env.Styles.Glyphs.Ellipsis, false)}
	case count == 0 && unread == 0:
		return []kit.Line{p.keyed("", "Nothing new since "+since, false)}
	case count == 0:
		return []kit.Line{p.keyed(key, kit.Number(unread)+" unread, nothing new since "+since, false)}
	case count == summaryMost:
		said = "more than "
	case p.since.IsZero():
		said = "First look: "
	}
	said += kit.CountGrouped(count, "change") + " in " + kit.CountGrouped(past.Paths(p.list), "file")
	switch {
	case unread > count: // some of them older than what is counted here
		said += "; " + kit.Number(unread) + " unread in all"
	case unread > 0:
		said += ", " + kit.Number(unread) + " unread"
	}
	lines := []kit.Line{p.keyed(key, said, false)}
	for i := range p.runs[:min(len(p.runs), runsMost)] {
		lines = append(lines, p.run(&p.runs[i]))
	}
	if more := len(p.runs) - runsMost; more > 0 {
		lines = append(lines, p.keyed("", fmt.Sprintf("  and %d more", more), false))
	}
	return lines
}

// timesFrom is the width, in cells, from which a row of a session says when and how many lines.
const timesFrom = 60

// run is what one session did.
func (p *Summary) run(r *past.Run) kit.Line {
	session := "no session"
	if r.Session != "" {
		session = text.FitID(r.Session, 12) + "  " + text.Clean(p.titles[r.Session])
	} else if r.Actor == memstore.Curator {
		session = "you"
	}
	end := ""
	if p.Width() >= timesFrom {
		counts := kit.Counts{Added: r.Added, Removed: r.Removed}.Text(p.screen.Env.Styles)
		end = "  " + kit.WhenSpan(r.First, r.Last, p.screen.Env.Now()) + text.PadLeft(counts, 12)
	}
	said := "  " + text.Pad(string(r.Actor), 9) + text.PadLeft(kit.Number(len(r.Revisions)), 4) + "  "
	room := max(0, p.Width()-2-keyCells-text.Width(said)-text.Width(end))
	said += text.Pad(text.Truncate(session, room, p.screen.Env.Styles.Glyphs.Ellipsis), room) + end
	return p.keyed("", said, false)
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
