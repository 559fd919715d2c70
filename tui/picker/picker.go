// Package picker is the list of memory directories that opens when none was named: typing
// narrows it, enter opens the one under the cursor. It is a program of its own, before the
// interface of a store, and knows directories only as rows: its caller finds them.
package picker

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/search/fuzzy"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Row is one directory, or an offer: something else to do.
type Row struct {
	Name    string // "" where it has none
	Dir     string // for people: the home folder as a tilde
	Agent   string // "" where it is unknown
	Project string // "" where it is unknown
	Offer   string // what an offer does; "" for a directory
	Files   int
	Bytes   int64
	More    bool      // there are more files than that
	Newest  time.Time // zero: no file
	Missing bool
}

// maxTyped bounds the filter, in characters.
const maxTyped = 1000

// model is the list. All its methods run on the Bubble Tea goroutine.
type model struct {
	env    *ui.Env
	rows   []Row
	now    time.Time
	shown  []int // rows that the filter lets through
	list   ui.List
	w, h   int
	input  textinput.Model
	chosen int // row; -1: none
	mouse  bool
	// Background is called when the terminal has said whether its background is dark; nil: no one asks.
	Background func(dark bool)
}

// New makes the list; now is what ages are counted from.
func New(env *ui.Env, rows []Row, now time.Time, mouse bool) *model {
	m := &model{env: env, rows: rows, now: now, chosen: -1, mouse: mouse, input: textinput.New()}
	m.input.Prompt = ""
	m.input.CharLimit = maxTyped
	m.input.SetVirtualCursor(false)
	m.input.Focus()
	m.filter()
	return m
}

// Chosen is the row that was opened; false where the user left.
func (m *model) Chosen() (int, bool) { return m.chosen, m.chosen >= 0 }

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd {
	if m.Background == nil {
		return nil
	}
	return tea.RequestBackgroundColor
}

const textPrompt = " > "

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.list.Resize(m.height())
		m.input.SetWidth(max(1, m.w-len(textPrompt)-1))
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return m, m.click(msg.Y)
		}
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			m.move(-1)
		case tea.MouseWheelDown:
			m.move(1)
		}
	case tea.PasteMsg:
		m.typed(msg)
	case tea.BackgroundColorMsg:
		if m.Background != nil {
			m.Background(msg.IsDark())
		}
	}
	return m, nil
}

// key asks the keys of a typed line first, then those that move and type no character, and before anything is typed the one that quits.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	scopes := []keymap.Scope{keymap.Input}
	if msg.Text == "" {
		scopes = append(scopes, keymap.Motion, keymap.Global)
	}
	a, _ := m.env.Keys.Lookup(scopes, name)
	if quits, ok := m.env.Keys.Lookup([]keymap.Scope{keymap.Global}, name); ok && quits.ID == keymap.Quit && m.input.Value() == "" {
		return tea.Quit
	}
	switch a.ID {
	case keymap.Accept:
		return m.open()
	case keymap.Cancel:
		if m.input.Value() != "" && name != "ctrl+c" {
			m.input.SetValue("")
			m.filter()
			return nil
		}
		return tea.Quit
	case keymap.ForceQuit:
		return tea.Quit
	case keymap.Suspend:
		return tea.Suspend
	case keymap.HistoryOlder, keymap.Up:
		m.move(-1)
	case keymap.HistoryNewer, keymap.Down:
		m.move(1)
	case keymap.PageUp:
		m.move(-m.height())
	case keymap.PageDown:
		m.move(m.height())
	default:
		m.typed(msg)
	}
	return nil
}

func (m *model) typed(msg tea.Msg) {
	before := m.input.Value()
	m.input, _ = m.input.Update(msg)
	if m.input.Value() != before {
		m.filter()
	}
}

// filter keeps the rows that fit what is typed, the best first.
func (m *model) filter() {
	m.shown = fuzzy.Parse(m.input.Value()).Best(len(m.rows), func(i int) fuzzy.Entry {
		r := m.rows[i]
		return fuzzy.Entry{Names: []string{r.Name, r.Agent, r.Project, r.Dir, r.Offer}}
	})
	m.list.SetCount(len(m.shown))
	m.list.MoveTo(0)
}

func (m *model) move(by int) {
	at, _ := m.list.At()
	m.list.MoveTo(at + by)
}

func (m *model) open() tea.Cmd {
	at, ok := m.list.At()
	if !ok {
		return nil
	}
	m.chosen = m.shown[at]
	return tea.Quit
}

// The rows around the list: the title, the filter and the heads of the columns above, the hints below.
const above, below = 3, 1

// height is how many directories fit.
func (m *model) height() int { return max(1, m.h-above-below) }

// click moves the cursor to a row of the screen; the second click opens.
func (m *model) click(y int) tea.Cmd {
	if y >= above+m.height() {
		return nil
	}
	if _, again := m.list.Click(y - above); again {
		return m.open()
	}
	return nil
}

// View implements [tea.Model].
func (m *model) View() tea.View {
	v := tea.NewView(strings.Join(m.Rows(), "\n"))
	v.AltScreen = true
	v.WindowTitle = "memcurator"
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.h > above {
		// Where what is typed goes; a screen reader follows it.
		x := len(textPrompt)
		if c := m.input.Cursor(); c != nil {
			x += c.X
		}
		v.Cursor = tea.NewCursor(min(x, max(0, m.w-1)), 1)
		v.Cursor.Blink = false
	}
	return v
}

// Rows draws the screen: exactly as many rows as it is high, each exactly as wide.
func (m *model) Rows() []string {
	if m.w <= 0 || m.h <= 0 {
		return nil
	}
	st := m.env.Styles
	out := []string{st.Title.Apply(m.line(" "+m.title(), m.w))}
	out = append(out, st.Prompt.Apply(m.line(textPrompt, m.w)))
	if room := m.w - len(textPrompt); room > 1 {
		out[1] = st.Prompt.Apply(textPrompt) + text.Pad(text.TruncateLeft(text.Clean(m.input.Value()), room-1, st.Glyphs.Ellipsis), room)
	}
	out = append(out, st.Dim.Apply(m.line("  "+m.heads(), m.w)))
	at, _ := m.list.At()
	for i := m.list.Top(); i < min(len(m.shown), m.list.Top()+m.height()); i++ {
		out = append(out, m.row(m.rows[m.shown[i]], i == at))
	}
	if len(m.shown) == 0 {
		out = append(out, st.Dim.Apply(m.line(fmt.Sprintf(" No rows match %q", text.Clean(m.input.Value())), m.w)))
	}
	out = append(ui.FillRows(out, m.w, m.h-below), m.hints())
	return out[:m.h]
}

// title heads the list of memory directories.
func (m *model) title() string {
	all, shown := 0, 0
	for _, r := range m.rows {
		if r.Offer == "" {
			all++
		}
	}
	for _, i := range m.shown {
		if m.rows[i].Offer == "" {
			shown++
		}
	}
	switch {
	case all == 0:
		return "memcurator  no memory directory found on this machine"
	case shown == all:
		return fmt.Sprintf("memcurator  which memory directory?  %d found", all)
	}
	return fmt.Sprintf("memcurator  which memory directory?  %d of %d", shown, all)
}

// column is a part of a row, from a width of the screen on.
type column struct {
	head        string
	width, from int
	right       bool
	of          func(m *model, r Row) string
}

var columns = []column{
	{"agent", 12, 60, false, func(_ *model, r Row) string { return r.Agent }},
	{"project", 16, 80, false, func(_ *model, r Row) string { return cmp.Or(r.Name, r.Project) }},
	{"files", 7, 50, true, func(_ *model, r Row) string {
		switch {
		case r.Missing:
			return "missing"
		case r.More:
			return fmt.Sprintf("%d+", r.Files)
		}
		return fmt.Sprint(r.Files)
	}},
	{"size", 7, 70, true, func(_ *model, r Row) string {
		if r.Missing {
			return ""
		}
		return memstore.FormatSize(memstore.Docs, r.Bytes)
	}},
	{"changed", 7, 50, true, func(m *model, r Row) string { return age(r.Newest, m.now) }},
}

// heads names the columns.
func (m *model) heads() string {
	if m.w < columns[2].from {
		return "directory"
	}
	return m.cells(func(c column) string { return c.head }) + "directory"
}

// cells are the columns that fit.
func (m *model) cells(of func(column) string) string {
	out := ""
	for _, c := range columns {
		if m.w < c.from {
			continue
		}
		cell := text.Truncate(text.Clean(of(c)), c.width, m.env.Styles.Glyphs.Ellipsis)
		if c.right {
			cell = strings.Repeat(" ", c.width-text.Width(cell)) + cell
		}
		out += text.Pad(cell, c.width) + "  "
	}
	return out
}

// row draws one directory, or an offer.
func (m *model) row(r Row, selected bool) string {
	st := m.env.Styles
	left := m.cells(func(c column) string { return c.of(m, r) })
	if r.Offer != "" {
		left = text.Pad(r.Name, 12) + "  " + r.Offer
	}
	mark := "  "
	if selected {
		mark = text.Pad(st.Glyphs.Cursor, 2)
	}
	// The end of a path says more than its beginning.
	line := m.line(mark+left+text.TruncateLeft(text.Clean(r.Dir), max(0, m.w-3-text.Width(left)), st.Glyphs.Ellipsis), m.w)
	switch {
	case selected:
		return st.Selected.Apply(line)
	case r.Missing:
		return st.Dim.Apply(line)
	}
	return line
}

func (m *model) hints() string {
	var parts []string
	for _, a := range m.env.Keys.InScope(keymap.Input) {
		what := ""
		switch a.ID {
		case keymap.Accept:
			what = "open"
		case keymap.Cancel:
			what = "quit"
		}
		if what != "" && len(a.Keys) > 0 {
			parts = append(parts, a.Keys[0]+" "+what)
		}
	}
	parts = append(parts, "type to filter")
	return m.env.Styles.KeyHelp.Apply(m.line(" "+strings.Join(parts, "  "), m.w))
}

func (m *model) line(s string, w int) string {
	return text.Pad(text.Truncate(s, w, m.env.Styles.Glyphs.Ellipsis), w)
}

// age is how long ago something was, in the largest unit; "" where it never was.
func age(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	d := now.Sub(at)
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}} {
		if d >= u.unit {
			return fmt.Sprintf("%d %s", d/u.unit, u.name)
		}
	}
	return "now"
}
