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
	"memcurator/tui/kit"
)

// page shows the store under the cursor of the list.
type page struct {
	*kit.Text
	screen *Screen
	env    *kit.Env
	title  string
	read   *reading // what was read for a row; nil: nothing yet
	near   *nearby  // what was read for a match; nil: nothing yet
}

// reading describes what a session of a store starts with.
type reading struct {
	row   Row
	start *load.Start // nil: the agent reads on demand, or is unknown
	why   string      // it could not be read
}

// ownerStart is the owner of the job that reads it.
const ownerStart = "stores.start"

// What lines look like.
func dim(st *theme.Styles) theme.Paint    { return st.Dim }
func warned(st *theme.Styles) theme.Paint { return st.Warning }

// wordWidth is how many cells the words of the facts take, with a blank.
const wordWidth = 10

// numberWidth is how many cells the number of a line takes, with a blank.
const numberWidth = 6

// fact is a line with a word in front of it; says alone: a sentence.
func fact(word, says string) kit.Line {
	return kit.Line{Text: []byte(says), Of: text.Pad(word, wordWidth)}
}

// sentence is a line of its own.
func sentence(look kit.Look, says string) kit.Line {
	return kit.Line{Text: []byte(says), Look: look, Of: ""}
}

func newPage(s *Screen) *page {
	p := &page{screen: s, env: s.env}
	p.Text = kit.NewText(s.env, kit.TextSpec{
		Scope: keymap.Stores, Owner: "stores.page",
		Lead: func(l kit.Line, width int, _ bool) (string, kit.Look) {
			lead := l.Of.(string)
			if width <= 3*wordWidth && lead != "" {
				lead = strings.TrimSpace(lead) + " "
			}
			return lead, nil
		},
		Open: func(any) tea.Cmd {
			if s.found == nil {
				return s.open()
			}
			h, _ := s.found.Current()
			return s.found.open(h)
		},
		More: []kit.Action{{ID: keymap.Left, Run: func() tea.Cmd { return s.shell.FocusList() }}},
	})
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
	if !ok {
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
	wait, read := p.env.Debounce, s.Source.Start
	return kit.Start(p.env.Jobs, kit.Job[reading]{
		Owner: ownerStart, Label: "reading what a session starts with",
		Work: func(ctx context.Context, _ *kit.Progress) (reading, error) {
			out := reading{row: r}
			if err := kit.Debounce(ctx, wait); err != nil {
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
	title, lines := p.content()
	p.title = title
	p.Set(key, kit.Lines(lines))
}

// content is the title and the lines for the row under the cursor.
func (p *page) content() (title string, lines []kit.Line) {
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
			lines = append(lines, sentence(nil, s.list.project(below.row)))
		}
		return agentName(e.agent), lines
	}
	if s.known && len(s.list.rows) == 0 {
		lines = []kit.Line{
			sentence(nil, "Found no memory of an agent on this machine"),
			sentence(nil, p.env.Keyed("{stores/open} runs the selected row, {stores/add-folder} adds a folder, {stores/refresh} looks again")),
			sentence(nil, ""),
		}
	}
	return e.offer.Name, append(lines, sentence(nil, e.offer.Text))
}

// facts are those of a store: its problems, what a session there starts with, and the rest.
func (p *page) facts(r Row) (lines []kit.Line) {
	say := func(word, says string) {
		if says != "" {
			lines = append(lines, fact(word, says))
		}
	}
	s, now := p.screen, p.env.Now()
	if why := s.problem[r.Path]; why != "" {
		lines = append(lines, sentence(warned, why))
	}
	for _, problem := range r.Problems {
		if overview.IsOutOfStep(problem) {
			problem += p.env.Keyed(". {global/curate} in the store fixes")
		}
		if problem == overview.TextLost {
			problem += p.env.Keyed(". {stores/open} restores the files, {stores/forget-store} forgets it")
		}
		lines = append(lines, sentence(warned, problem))
	}
	if lines = append(lines, p.starts(r)...); len(lines) > 0 {
		lines = append(lines, sentence(nil, ""))
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
		say("notes", fmt.Sprintf("%s%s, %s", kit.CountGrouped(r.Files, "file"), more, memstore.FormatSize(memstore.Docs, r.Bytes)))
	}
	if r.Budget != nil {
		say("limit", r.Budget.Bar()+"  "+r.Budget.Words())
	}
	if r.Lost != nil {
		if r.Lost.Now != "" {
			say("now at", s.Title(r.Lost.Now))
		}
		say("opened", kit.When(r.Lost.Seen, now))
	}
	if !r.Newest.IsZero() {
		say("changed", kit.When(r.Newest, now))
	}
	proposed := make([]string, len(r.Proposals))
	for i, file := range r.Proposals {
		proposed[i] = s.Title(file)
	}
	say("proposed", strings.Join(proposed, ", "))
	say("waiting", waiting(r))
	say("preset", r.Preset)
	for _, quirk := range r.Quirks {
		lines = append(lines, sentence(dim, quirk))
	}
	return lines
}

// waiting lists what waits for the user: "2 unread, 1 due, 1 secret".
func waiting(r Row) string {
	var waits []string
	if n := count(r.Unread); n > 0 {
		waits = append(waits, kit.Number(n)+" unread")
	}
	if n := count(r.Due); n > 0 {
		waits = append(waits, kit.Number(n)+" due")
	}
	if n := count(r.Secrets); n > 0 {
		waits = append(waits, kit.CountGrouped(n, "secret"))
	}
	return strings.Join(waits, ", ")
}

// nameWidth is how many cells the names of the files take at most.
const nameWidth = 24

// starts are the files that a session starts with.
func (p *page) starts(r Row) (lines []kit.Line) {
	switch {
	case p.read == nil || p.read.row.Path != r.Path:
		return nil
	case p.read.why != "":
		return []kit.Line{sentence(warned, p.read.why)}
	case p.read.start == nil:
		return nil
	}
	files, width := p.read.start.Files, 0
	for i := range files {
		width = max(width, min(nameWidth, text.Width(text.Clean(files[i].Name))))
	}
	for i := range files {
		f := &files[i]
		said, look := kit.CountGrouped(int(f.Have.Lines), "line")+", ", kit.Look(warned)
		switch {
		case f.Problem != "":
			said = f.Problem
		case f.Whole():
			said, look = said+"whole", nil
		case f.Line == 0:
			said += "past the limit, not loaded"
		default:
			said += "cut after line " + kit.Number(f.Line)
		}
		name := text.Pad(text.TruncateLeft(text.Clean(f.Name), width, p.env.Styles.Glyphs.Ellipsis), width)
		lines = append(lines, sentence(look, name+"  "+said))
	}
	if rest := r.Files - len(files); rest > 0 && !r.More {
		lines = append(lines, sentence(dim, kit.CountGrouped(rest, "other file")+" on demand"))
	}
	return lines
}

// Title implements [kit.Tab].
func (p *page) Title() string { return cmp.Or(text.Clean(p.title), "no store") }

// Path implements [kit.Tab].
func (p *page) Path() string { return "" }

// Place implements [kit.Tab]: how much a session starts with.
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
