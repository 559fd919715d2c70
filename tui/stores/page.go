package stores

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// page shows the facts of the store under the cursor.
type page struct {
	*kit.Text
	screen *Screen
	title  string
}

// wordWidth is how many cells the words of the facts take, with a blank.
const wordWidth = 10

// fact is a line with a word in front of it.
func fact(word, says string) kit.Line {
	return kit.Line{Text: []byte(says), Of: text.Pad(word, wordWidth)}
}

// sentence is a line of its own.
func sentence(look kit.Look, says string) kit.Line {
	return kit.Line{Text: []byte(says), Look: look, Of: ""}
}

func newPage(s *Screen) *page {
	p := &page{screen: s}
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
			return s.table().Actions().Run(keymap.Open)
		},
	})
	return p
}

// fill shows what is known of the row under the cursor.
func (p *page) fill() {
	s := p.screen
	r, ok := s.row()
	if ok {
		p.title = s.list.project(r)
		p.Set(r.Path, kit.Lines(append(s.match(), s.facts(r)...)))
		return
	}
	var lines []kit.Line
	if s.known && len(s.list.rows) == 0 {
		lines = []kit.Line{
			sentence(nil, "Found no memory of an agent on this machine"),
			sentence(nil, s.env.Keyed("{stores/add-folder} adds a folder, {stores/refresh} looks again")),
			sentence(nil, "memcurator demo shows a sample store with an agent at work"),
		}
	}
	p.title = ""
	p.Set("", kit.Lines(lines))
}

// match is the whole line that a search of all stores found, whose row may be cut.
func (s *Screen) match() []kit.Line {
	if s.found == nil {
		return nil
	}
	h, _ := s.found.Current()
	if h.of.Matches == nil || h.isStore() {
		return nil
	}
	return []kit.Line{fact("note", h.where()), fact("text", h.line()), sentence(nil, "")}
}

// facts are those of a store: its problems, and the rest.
func (s *Screen) facts(r Row) (lines []kit.Line) {
	say := func(word, says string) {
		if says != "" {
			lines = append(lines, fact(word, says))
		}
	}
	for _, problem := range r.Problems {
		lines = append(lines, sentence(func(st *theme.Styles) theme.Paint { return st.Warning }, problem))
	}
	if len(lines) > 0 {
		lines = append(lines, sentence(nil, ""))
	}
	say("path", s.source.Title(r.Path))
	say("agent", r.Agent)
	if r.Root != "" {
		say("project", s.source.Title(r.Root))
	} else {
		say("project", r.Project)
	}
	if !r.Missing {
		say("notes", notes(r)+" "+text.Plural(r.Files, "file")+", "+size(r))
	}
	if !r.Newest.IsZero() {
		say("changed", kit.When(r.Newest, s.env.Now()))
	}
	say("waiting", waiting(r))
	for _, quirk := range r.Quirks {
		lines = append(lines, sentence(func(st *theme.Styles) theme.Paint { return st.Dim }, quirk))
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

// Title implements [kit.Tab].
func (p *page) Title() string { return cmp.Or(text.Clean(p.title), "no store") }

// Path implements [kit.Tab].
func (p *page) Path() string { return "" }

// Place implements [kit.Tab]: how much a session starts with.
func (p *page) Place() string {
	r, ok := p.screen.row()
	if !ok || r.Start == nil {
		return ""
	}
	start := r.Start
	if start.Given.IsZero() && start.Gauge.Level() == loadlimit.Unlimited {
		return "nothing loads at start"
	}
	said := "starts with " + start.Gauge.Words()
	if state := start.Gauge.State(); state != "" {
		said += ": " + state
	}
	return said
}
