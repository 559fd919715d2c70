// Package summary is what the Browse screen shows on opening, beside the tree: what changed since the user last looked, by actor and
// session, and a line for everything else that needs the user, with the key that leads there. It takes no key itself. The screen
// shows it until the user moves; the journal is read in a job.
package summary

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/load"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// owner names the job that reads the journal.
const owner = "summary"

// most bounds the revisions that are counted.
const most = 20_000

// Options are what a summary is made of.
type Options struct {
	Source past.Lister
	// Since is when the user looked last; zero: never.
	Since time.Time
	// Comparing reports whether changes made while the program was closed are still being looked for.
	Comparing func() bool
	// Unread is how many changes are unread now.
	Unread func() int
	// Lines are the rows below the changes, and Alert is the last one; without a text it says nothing. Both are asked for at each draw.
	Lines func() []Line
	Alert func() Line
	// Titles says what sessions were about, by their ids; nil: unknown. It does I/O.
	Titles func(ctx context.Context, sessions []string) map[string]string
	// Start returns what a session starts with, as far as it is known; nil: nothing. Each draw calls it.
	Start func() *load.Start
	// Elsewhere says what the list of all stores has, as far as that is known; nil: there is no list.
	Elsewhere func() string
}

// Line is a row of the summary with the key of the action that leads on.
type Line struct {
	Key   keymap.ID // "": none
	Text  string
	Paint theme.Paint
}

// Pane implements [kit.Tab]. Make it with [New].
type Pane struct {
	Options
	env     *kit.Env
	actions *kit.Actions
	w, h    int
	shown   bool
	known   bool // the journal was read
	ever    bool // it has revisions
	runs    []past.Run
	changes int
	files   int
	titles  map[string]string
}

// New makes a summary, which is not shown yet.
func New(env *kit.Env, o Options) *Pane {
	return &Pane{Options: o, env: env, actions: kit.NewActions(env)}
}

// Show shows the summary until [Pane.Hide].
func (p *Pane) Show() { p.shown = true }

// Hide ends that, and reports whether it was shown.
func (p *Pane) Hide() bool {
	was := p.shown
	p.shown = false
	return was
}

// Shown reports whether the summary is shown.
func (p *Pane) Shown() bool { return p.shown }

// content is the outcome of reading.
type content struct {
	ever   bool
	list   []past.Revision // newest first
	titles map[string]string
}

// Changed reads again while the summary is shown: the record has changed.
func (p *Pane) Changed() tea.Cmd {
	if !p.shown {
		return nil
	}
	return p.Read()
}

// Read reads what changed since the user looked last.
func (p *Pane) Read() tea.Cmd {
	o := p.Options
	return kit.Start(p.env.Jobs, kit.Job[content]{
		Owner: owner, Label: kit.LabelJournal, Done: p.take,
		Work: func(ctx context.Context, _ *kit.Progress) (c content, err error) {
			filter := past.Filter{Newest: true, Limit: 1}
			if c.list, err = past.Revisions(ctx, o.Source, filter); err != nil || len(c.list) == 0 {
				return c, err
			}
			c.ever = true
			filter.Limit, filter.Since = most, o.Since // at the first look, of all time
			if c.list, err = past.Revisions(ctx, o.Source, filter); err != nil || o.Titles == nil {
				return c, err
			}
			var sessions []string
			for i := range c.list {
				if s := c.list[i].Session; s != "" && !slices.Contains(sessions, s) && len(sessions) < runsMost {
					sessions = append(sessions, s)
				}
			}
			c.titles = o.Titles(ctx, sessions)
			return c, nil
		},
	})
}

func (p *Pane) take(c content) tea.Cmd {
	slices.Reverse(c.list)
	p.known, p.ever, p.titles = true, c.ever, c.titles
	p.runs, p.changes, p.files = joined(past.Runs(c.list)), len(c.list), past.Paths(c.list)
	return nil
}

// joined makes one run of all that an actor did without a session: pauses matter in Changes, not at a glance.
func joined(runs []past.Run) (out []past.Run) {
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
func (p *Pane) Forget() { p.runs, p.titles, p.shown = nil, nil, false }

// Title implements [kit.Tab].
func (p *Pane) Title() string {
	if p.Since.IsZero() {
		return "at a glance"
	}
	return "since you last looked, " + kit.When(p.Since, p.env.Now())
}

// Path implements [kit.Tab].
func (p *Pane) Path() string { return memstore.Root }

// Place implements [kit.Tab].
func (p *Pane) Place() string { return "" }

// LineReader implements [kit.Tab].
func (p *Pane) LineReader(int) func() (string, error) { return nil }

// Actions implements [kit.Pane].
func (p *Pane) Actions() *kit.Actions { return p.actions }

// Resize implements [kit.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h }

// Scopes implements [kit.Pane].
func (p *Pane) Scopes() []keymap.Scope { return nil }

// Cursor implements [kit.Pane].
func (p *Pane) Cursor() (kit.Point, bool) { return kit.Point{}, false }

// Rows implements [kit.Pane].
func (p *Pane) Rows(bool) []string {
	rows := p.changed()
	for _, l := range p.Lines() {
		rows = append(rows, p.keyed(l)...)
	}
	rows = append(rows, p.loaded()...)
	if alert := p.Alert(); alert.Text != "" {
		rows = append(rows, p.keyed(alert)...)
	}
	rows = append(append(rows, ""), p.keys()...)
	out := make([]string, 0, p.h)
	for _, r := range rows[:min(len(rows), p.h)] {
		if r == "" {
			r = strings.Repeat(" ", p.w)
		}
		out = append(out, r)
	}
	return kit.FillRows(out, p.w, p.h)
}

// keys draws the keys to go on with, in as many rows as they need.
func (p *Pane) keys() (rows []string) {
	said, keys := "", []string{"{tree/open} opens", "{global/find} searches", "{global/help} all keys", "{global/follow} follows the agent"}
	if p.Elsewhere != nil {
		keys = slices.Insert(keys, 2, "{global/stores} "+p.Elsewhere())
	}
	for _, k := range keys {
		k = p.env.Keyed(k)
		next := said + "   " + k
		if said == "" {
			next = " " + k
		}
		if said != "" && text.Width(next) > p.w {
			rows = append(rows, p.text(said, p.env.Styles.Dim))
			next = " " + k
		}
		said = next
	}
	return append(rows, p.text(said, p.env.Styles.Dim))
}

// runsMost bounds the sessions that are listed.
const runsMost = 8

// changed are the rows about changes.
func (p *Pane) changed() []string {
	st, unread := p.env.Styles, p.Unread()
	waiting := func(said string) []string {
		switch {
		case unread > p.changes: // some of them older than what is counted here
			said += "; " + kit.Number(unread) + " unread in all"
		case unread > 0:
			said += ", " + kit.Number(unread) + " unread"
		}
		key := keymap.NextUnread
		if unread == 0 {
			key = ""
		}
		return p.keyed(Line{key, said, st.Text})
	}
	switch {
	case !p.known:
		return []string{p.text("   "+kit.LabelJournal+st.Glyphs.Ellipsis, st.Dim)}
	case p.Since.IsZero() && !p.ever:
		return p.keyed(Line{"", "No changes recorded yet. New edits appear here as they are made", st.Dim})
	case p.Since.IsZero():
		return append(waiting("First look: "+p.changesText()), p.runRows()...)
	case p.changes == 0 && p.Comparing():
		return []string{p.text("   "+kit.LabelCompare+st.Glyphs.Ellipsis, st.Dim)}
	case p.changes == 0:
		since := strings.TrimPrefix(kit.When(p.Since, p.env.Now()), "today ")
		if unread == 0 {
			return p.keyed(Line{"", "Nothing new since " + since, st.Text})
		}
		return p.keyed(Line{keymap.NextUnread, kit.Number(unread) + " unread, nothing new since " + since, st.Text})
	}
	return append(waiting(p.changesText()), p.runRows()...)
}

// runRows are the rows of the sessions, the newest last.
func (p *Pane) runRows() (rows []string) {
	for _, r := range p.runs[:min(len(p.runs), runsMost)] {
		rows = append(rows, p.run(&r))
	}
	if more := len(p.runs) - runsMost; more > 0 {
		rows = append(rows, p.text(fmt.Sprintf("     and %d more", more), p.env.Styles.Dim))
	}
	return rows
}

func (p *Pane) changesText() string {
	more := ""
	if p.changes == most {
		more = "more than "
	}
	return more + kit.CountGrouped(p.changes, "change") + " in " + kit.CountGrouped(p.files, "file")
}

// wide is the width from which on a row has times and lines; these take countsWidth cells.
const (
	wide        = 60
	countsWidth = 12
)

// run draws what one session did.
func (p *Pane) run(r *past.Run) string {
	st := p.env.Styles
	row := kit.Row{Room: p.w}
	row.Put("     ", st.Text)
	row.PutPadded(text.Clean(string(r.Actor)), 9, st.Actor(string(r.Actor)))
	row.Put(text.PadLeft(kit.Number(len(r.Revisions)), 4)+"  ", st.Text)
	when, counts := "", 0
	if p.w >= wide {
		when, counts = "  "+kit.WhenSpan(r.First, r.Last, p.env.Now()), countsWidth
	}
	room := max(0, row.Room-text.Width(when)-counts)
	session := "no session"
	if r.Session != "" {
		title := text.Clean(p.titles[r.Session])
		session = text.FitID(r.Session, room-2-text.Width(title)) + "  " + title
	} else if r.Actor == memstore.Curator {
		session = "you"
	}
	row.PutPadded(text.Truncate(session, room, st.Glyphs.Ellipsis), room, st.Text)
	row.Put(when, st.Dim)
	said := kit.Counts{Added: r.Added, Removed: r.Removed}.Text(st)
	row.PutPadded(text.PadLeft(said, counts), counts, st.Dim)
	return row.String()
}

// keyCells is the room of the key in front of a line.
const keyCells = 4

// begin begins a row with a key; "" leaves its place blank.
func (p *Pane) begin(id keymap.ID) *kit.Row {
	key := ""
	if id != "" {
		key = p.env.Keys.KeyFor(keymap.Global, id)
	}
	row := &kit.Row{Room: p.w}
	row.Put(" "+text.Pad(key, keyCells-2)+" ", p.env.Styles.KeyName)
	return row
}

// keyed draws a line with its key, wrapped where it is longer than the pane is wide.
func (p *Pane) keyed(l Line) (rows []string) {
	for _, part := range p.env.Wrapped(text.Clean(l.Text), p.w-keyCells) {
		row := p.begin(l.Key)
		l.Key = "" // in front of the first row
		row.Put(strings.TrimLeft(part, " "), l.Paint)
		rows = append(rows, row.String())
	}
	return rows
}

func (p *Pane) text(s string, paint theme.Paint) string {
	return paint.Apply(text.Pad(text.Truncate(s, p.w, p.env.Styles.Glyphs.Ellipsis), p.w))
}
