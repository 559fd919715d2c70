package stores

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/load"
	"memcurator/memstore/overview"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// page shows the store under the cursor of the list.
type page struct {
	screen  *Screen
	env     *ui.Env
	actions *ui.Actions
	w, h    int
	of      string // the row that is shown, by its key
	title   string
	lines   []line
	view    ui.TextView
	read    *reading // what was read for a row; nil: nothing yet
	near    *nearby  // what was read for a match; nil: nothing yet
}

// reading describes what a session of a store starts with.
type reading struct {
	row   Row
	start *load.Start // nil: the agent reads on demand, or is unknown
	why   string      // it could not be read
}

// ownerStart is the owner of the job that reads it.
const ownerStart = "stores.start"

// line is a fact: a label and its value, or a sentence alone.
type line struct {
	word, says string
	look       look
}

// look is how a line is painted; themes may change while it is shown.
type look uint8

const (
	plain look = iota
	dim
	warned
	beside  // a line of a note near a match
	matched // the line of the match
)

func (l look) paint(st *theme.Styles) theme.Paint {
	switch l {
	case dim, beside:
		return st.Dim
	case warned:
		return st.Warning
	}
	return st.Text
}

// wordWidth is how many cells the words of the facts take, with a blank.
const wordWidth = 10

// numberWidth is how many cells the number of a line takes, with a blank.
const numberWidth = 6

func newPage(s *Screen) *page {
	p := &page{screen: s, env: s.env}
	p.view = ui.TextView{Count: func() int { return len(p.lines) }, Height: func(i int) int {
		_, rows := p.wrap(p.lines[i])
		return len(rows)
	}}
	p.actions = ui.NewActions(p.env, append(p.view.Bindings(),
		ui.Action{ID: keymap.Open, Run: func() tea.Cmd {
			if s.found != nil {
				return s.found.open()
			}
			return s.open()
		}},
		ui.Action{ID: keymap.Left, Run: func() tea.Cmd { return s.shell.FocusList() }},
	)...)
	return p
}

// refresh shows the row under the cursor, and reads what a session there starts with once the cursor rests.
func (p *page) refresh() tea.Cmd {
	p.fill()
	s := p.screen
	if s.changes() != nil {
		p.env.Jobs.Cancel(ownerStart)
		return s.showDiff()
	}
	r, ok := s.row()
	near := p.readNear(r)
	if !ok || s.Start == nil {
		p.env.Jobs.Cancel(ownerStart)
		return near
	}
	return tea.Batch(near, p.readStart(r))
}

// readStart reads what a session of a store starts with once the cursor rests.
func (p *page) readStart(r Row) tea.Cmd {
	s := p.screen
	if r.Row.Start == nil || p.read != nil && p.read.row.Path == r.Path && *p.read.row.Row.Start == *r.Row.Start {
		return nil
	}
	wait, read := p.env.Debounce, s.Start
	return ui.Start(p.env.Jobs, ui.Job[reading]{
		Owner: ownerStart, Label: "reading what a session starts with",
		Work: func(ctx context.Context, _ *ui.Progress) (reading, error) {
			out := reading{row: r}
			if err := ui.Debounce(ctx, wait); err != nil {
				return out, err
			}
			start, err := read(ctx, r)
			if out.start = start; err != nil {
				out.why = err.Error()
			}
			return out, ctx.Err()
		},
		Done: func(read reading) tea.Cmd {
			p.read = &read
			p.fill()
			return s.start.take(p.read)
		},
	})
}

// fill shows what is known of the row under the cursor.
func (p *page) fill() {
	e, _ := p.screen.list.Current()
	key := e.key()
	if r, ok := p.screen.row(); ok {
		key = r.Path
	}
	if m, ok := p.screen.found.match(); ok {
		key += fmt.Sprintf("\n%s:%d", m.Path, m.Line)
	}
	p.title, p.lines = p.content()
	if key != p.of {
		p.of, p.view.Cursor, p.view.Top = key, ui.Place{}, ui.Place{}
	}
	p.view.Reveal()
}

// content is the title and the lines for the row under the cursor.
func (p *page) content() (title string, lines []line) {
	s := p.screen
	if r, ok := s.row(); ok {
		return s.list.project(r), append(p.around(), p.facts(r)...)
	}
	e, ok := s.list.Current()
	switch {
	case !ok || s.found != nil:
		return "", nil
	case e.kind == heading:
		for _, below := range e.below {
			lines = append(lines, line{says: s.list.project(below.row)})
		}
		return agentName(e.agent), lines
	default:
		if s.known && len(s.list.rows) == 0 {
			lines = []line{
				{says: "Found no memory of an agent on this machine"},
				{says: p.env.Keyed("{stores/open} runs the selected row, {stores/add-folder} adds a folder, {stores/refresh} looks again")},
				{},
			}
		}
		return e.offer.Name, append(lines, line{says: e.offer.Text})
	}
}

// facts are those of a store: its problems, what a session there starts with, and the rest.
func (p *page) facts(r Row) (lines []line) {
	say := func(word, says string) {
		if says != "" {
			lines = append(lines, line{word: word, says: says})
		}
	}
	s, now := p.screen, p.env.Now()
	if why := s.problem[r.Path]; why != "" {
		lines = append(lines, line{says: why, look: warned})
	}
	for _, problem := range r.Problems {
		if overview.IsOutOfStep(problem) && s.Mend != nil {
			problem += p.env.Keyed(". {stores/mend-index} mends")
		}
		if problem == overview.TextLost && s.Recover != nil {
			problem += p.env.Keyed(". {stores/open} restores the files, {stores/forget-store} forgets it")
		}
		lines = append(lines, line{says: problem, look: warned})
	}
	if lines = append(lines, p.starts(r)...); len(lines) > 0 {
		lines = append(lines, line{})
	}
	say("path", s.Title(r.Path))
	say("agent", r.Agent)
	if r.Root != "" {
		say("project", s.Title(r.Root))
	} else {
		say("project", r.Project)
	}
	if !r.Missing {
		more := ""
		if r.More {
			more = " or more"
		}
		say("notes", fmt.Sprintf("%s%s, %s", ui.CountGrouped(r.Files, "file"), more, memstore.FormatSize(memstore.Docs, r.Bytes)))
	}
	if r.Budget != nil {
		say("limit", r.Budget.Bar()+"  "+r.Budget.Words())
	}
	if r.Lost != nil {
		if r.Lost.Now != "" {
			say("now at", s.Title(r.Lost.Now))
		}
		say("opened", ui.When(r.Lost.Seen, now))
	}
	if !r.Newest.IsZero() {
		say("changed", ui.When(r.Newest, now))
	}
	proposed := make([]string, len(r.Proposals))
	for i, file := range r.Proposals {
		proposed[i] = s.Title(file)
	}
	say("proposed", strings.Join(proposed, ", "))
	say("waiting", waiting(r.Tally()))
	say("preset", r.Preset)
	for _, quirk := range r.Quirks {
		lines = append(lines, line{says: quirk, look: dim})
	}
	return lines
}

// waiting lists what waits for the user: "2 unread, 1 due, 1 secret".
func waiting(t overview.Tally) string {
	var waits []string
	if t.Unread > 0 {
		waits = append(waits, ui.Number(t.Unread)+" unread")
	}
	if t.Due > 0 {
		waits = append(waits, ui.Number(t.Due)+" due")
	}
	if t.Secrets > 0 {
		waits = append(waits, ui.CountGrouped(t.Secrets, "secret"))
	}
	return strings.Join(waits, ", ")
}

// nameWidth is how many cells the names of the files take at most.
const nameWidth = 24

// starts are the files that a session starts with.
func (p *page) starts(r Row) (lines []line) {
	switch {
	case p.read == nil || p.read.row.Path != r.Path:
		return nil
	case p.read.why != "":
		return []line{{says: p.read.why, look: warned}}
	case p.read.start == nil:
		return nil
	}
	files, width := p.read.start.Files, 0
	for i := range files {
		width = max(width, min(nameWidth, text.Width(text.Clean(files[i].Name))))
	}
	for i := range files {
		f := &files[i]
		said, look := ui.CountGrouped(int(f.Have.Lines), "line")+", ", warned
		switch {
		case f.Problem != "":
			said = f.Problem
		case f.Whole():
			said, look = said+"whole", plain
		case f.Line == 0:
			said += "past the limit, not loaded"
		default:
			said += "cut after line " + ui.Number(f.Line)
		}
		name := text.Pad(text.TruncateLeft(text.Clean(f.Name), width, p.env.Styles.Glyphs.Ellipsis), width)
		lines = append(lines, line{says: name + "  " + said, look: look})
	}
	if rest := r.Files - len(files); rest > 0 && !r.More {
		lines = append(lines, line{says: ui.CountGrouped(rest, "other file") + " on demand", look: dim})
	}
	return lines
}

// Search implements [ui.Searchable]: it finds rows of the list.
func (p *page) Search() ui.Searcher { return ui.SearchOf(p.screen.List()) }

// Actions implements [ui.Pane].
func (p *page) Actions() *ui.Actions { return p.actions }

// Receive implements [ui.Pane]: it has no jobs.
func (p *page) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (p *page) Resize(w, h int) {
	p.w, p.h, p.view.H = w, h, h
	p.view.Reveal()
}

// Scopes implements [ui.Pane].
func (p *page) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Stores} }

// Cursor implements [ui.Pane].
func (p *page) Cursor() (ui.Point, bool) {
	return ui.Point{Y: p.view.CursorRow()}, len(p.lines) > 0
}

// Title implements [ui.Tab].
func (p *page) Title() string { return cmp.Or(text.Clean(p.title), "no store") }

// Path implements [ui.Tab].
func (p *page) Path() string { return "" }

// Place implements [ui.Tab]: how much a session starts with.
func (p *page) Place() string {
	r, ok := p.screen.row()
	if !ok || r.Row.Start == nil {
		return ""
	}
	start := r.Row.Start
	if start.Given.IsZero() && start.Gauge.Level() == loadlimit.Unlimited {
		return "nothing loads at start"
	}
	said := "starts with " + start.Gauge.Words()
	if start.Gauge.Unit() != loadlimit.Tokens {
		said += ", about " + loadlimit.About(start.Given.Tokens) + " " + text.Plural(int(min(start.Given.Tokens, 2)), "token")
	}
	if state := start.Gauge.State(); state != "" {
		said += ": " + state
	}
	return said
}

// LineReader implements [ui.Tab].
func (p *page) LineReader(limit int) func() (string, error) {
	if at := p.view.Cursor.Line; at < len(p.lines) {
		return ui.LineOf(strings.TrimSpace(p.lines[at].word+" "+p.lines[at].says), limit)
	}
	return nil
}

// wrapped is a line in rows: what is in front of each, and which part of the text it shows.
type wrapped struct {
	lead string
	text.Row
}

// wrap breaks a line into rows.
func (p *page) wrap(l line) (says string, rows []wrapped) {
	indent := 1
	if width := l.wordWidth(); l.word != "" && p.w > 3*wordWidth {
		indent += width
	}
	says = text.Clean(l.says)
	if indent == 1 && l.word != "" {
		says = l.word + " " + says
	}
	for i, r := range text.Wrap(nil, []byte(says), max(1, p.w-indent-1), p.env.Text(0)) {
		lead := strings.Repeat(" ", indent)
		switch {
		case i > 0 || indent == 1:
		case l.look == beside || l.look == matched: // a line number
			lead = strings.Repeat(" ", max(0, indent-1-text.Width(l.word))) + l.word + " "
		default:
			lead = " " + text.Pad(l.word, wordWidth)
		}
		rows = append(rows, wrapped{lead, r})
	}
	if len(rows) == 0 {
		rows = []wrapped{{}}
	}
	return says, rows
}

// wordWidth is how many cells the word of the line takes, with a blank.
func (l line) wordWidth() int {
	if l.look == beside || l.look == matched {
		return numberWidth
	}
	return wordWidth
}

// Rows implements [ui.Pane].
func (p *page) Rows(focused bool) []string {
	st := p.env.Styles
	var out []string
	for i := p.view.Top.Line; i < len(p.lines) && len(out) < p.h; i++ {
		says, rows := p.wrap(p.lines[i])
		if i == p.view.Top.Line {
			rows = rows[min(p.view.Top.Row, len(rows)):]
		}
		look, chosen := p.lines[i].look, focused && i == p.view.Cursor.Line
		paint := look.paint(st)
		if chosen {
			paint = st.Selected
		}
		for _, r := range rows {
			row := ui.Row{Room: p.w}
			switch found := p.screen.found; {
			case !chosen && (look == beside || look == matched) && found != nil && found.matcher != nil:
				match := st.Match
				if look == matched {
					match = st.MatchCurrent
				}
				row.Put(r.lead, st.Number)
				found.putMatches(&row, says, r.Row, paint, match)
			default:
				row.PutPadded(text.Truncate(r.lead+says[r.Start:r.End], p.w, st.Glyphs.Ellipsis), p.w, paint)
			}
			out = append(out, row.String())
		}
	}
	return ui.FillRows(out, p.w, p.h)
}
