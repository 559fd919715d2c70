package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/overlay"
	"memcurator/tui/pane"
	"memcurator/tui/prompt"
)

// View implements [tea.Model]. The frame is a concatenation of rows of exact
// width: measured about fifty times cheaper than composing layers.
func (m *Model) View() tea.View {
	rows, cursor := m.frame()
	v := tea.NewView(strings.Join(rows, "\n"))
	v.AltScreen = true
	v.WindowTitle = "memcurator " + text.Clean(m.options.Title)
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
		v.Cursor.Blink = false
	}
	return v
}

// frame draws the screen as rows and says where the terminal's cursor stands.
func (m *Model) frame() ([]string, *pane.Point) {
	if m.w <= 0 || m.h <= 0 {
		return nil, nil
	}
	if m.layout.tooSmall {
		rows := make([]string, m.h)
		for i := range rows {
			rows[i] = strings.Repeat(" ", m.w)
		}
		rows[0] = text.Pad(pane.TextTooSmall, m.w)
		return rows, nil
	}
	rows := make([]string, 0, m.h)
	rows = append(rows, m.topBar())
	rows = append(rows, m.body()...)
	if !m.layout.strip.Empty() {
		rows = append(rows, m.strip.Rows(m.focus == onStrip)...)
	}
	bottom, at := m.bottomBar()
	rows = append(rows, bottom)
	cursor := m.paneCursor()
	if note := m.lineNote(); note != "" && len(rows) > 2 {
		rows[len(rows)-2] = note
	}
	if n := len(m.overlays); n > 0 {
		cursor = m.drawOverlay(rows, m.overlays[n-1])
	}
	if at >= 0 {
		cursor = &pane.Point{X: at, Y: m.h - 1}
	}
	return rows, cursor
}

func (m *Model) body() []string {
	l := m.layout
	var left, right []string
	if !l.tree.Empty() {
		left = m.box(l.tree, m.focus == onTree, m.treeTitle(l.tree.W-4), m.tree.Rows(m.focus == onTree))
	}
	if !l.main.Empty() {
		right = m.box(l.main, m.focus == onMain, m.tabTitle(l.main.W-4), m.mainPane().Rows(m.focus == onMain))
	}
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	}
	for i := range left {
		left[i] += right[i]
	}
	return left
}

// box puts a border with a title around rows; title is painted and w-4 cells wide at most.
func (m *Model) box(r pane.Rect, focused bool, title string, rows []string) []string {
	st := m.env.Styles
	b, paint := st.Glyphs.Border, st.Border
	if focused {
		b, paint = st.Glyphs.BorderFocused, st.BorderFocused
	}
	out := make([]string, 0, r.H)
	fill := max(0, r.W-2-ansi.StringWidth(title)-1)
	out = append(out, paint.Apply(b.TopLeft+b.Top)+title+paint.Apply(strings.Repeat(b.Top, fill)+b.TopRight))
	for _, row := range rows {
		out = append(out, paint.Apply(b.Left)+row+paint.Apply(b.Right))
	}
	return append(out, paint.Apply(b.BottomLeft+strings.Repeat(b.Bottom, max(0, r.W-2))+b.BottomRight))
}

func (m *Model) treeTitle(width int) string {
	title := " tree "
	if f := m.tree.Filter(); f != "" {
		title = " tree /" + text.Clean(f) + " "
	}
	return m.env.Styles.Title.Apply(text.Truncate(title, max(0, width), ""))
}

func (m *Model) tabTitle(width int) string {
	st := m.env.Styles
	active, inactive := "view", "diff"
	names := []string{"view", "diff"}
	if m.tab == tabDiff {
		active, inactive = inactive, active
	}
	place, shown := m.viewer.Place(), m.viewer.Path()
	if m.tab == tabDiff {
		place = m.diff.Place()
		if p := m.diff.Path(); p != "" {
			shown = p
		}
	}
	plain := " [" + active + "] " + st.Glyphs.Separator + " " + inactive + " "
	room := width - text.Width(plain) - text.Width(place) - 3
	path := text.TruncateLeft(text.Clean(shown), max(0, room), st.Glyphs.Ellipsis)
	if width < text.Width(plain)+4 {
		return st.TabActive.Apply(text.Truncate(" "+active+" ", max(0, width), ""))
	}
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(st.Dim.Apply(" " + st.Glyphs.Separator))
		}
		if name == active {
			b.WriteString(st.TabActive.Apply(" [" + name + "]"))
		} else {
			b.WriteString(st.TabInactive.Apply(" " + name))
		}
	}
	b.WriteString(" ")
	if room > 0 {
		b.WriteString(st.Path.Apply(path) + " " + st.Dim.Apply(place) + " ")
	}
	return b.String()
}

// topBar: name, directory, dialect, files and bytes, watch state, unread, badges.
func (m *Model) topBar() string {
	st := m.env.Styles
	right := m.topRight()
	room := m.w - ansi.StringWidth(right)
	left := " memcurator  "
	if m.w < singleWidth {
		left = " "
	}
	title := text.TruncateLeft(text.Clean(m.options.Title), max(0, room-text.Width(left)-1), st.Glyphs.Ellipsis)
	left = text.Pad(left+title, max(0, room))
	return st.TopBar.Apply(left) + right
}

func (m *Model) topRight() string {
	st := m.env.Styles
	var parts []string
	if m.w >= singleWidth {
		parts = append(parts, m.options.Store.Dialect().String())
	}
	if s := m.live.snapshot; s != nil && s.Root != nil {
		count := pane.Count(s.Root.Files, "file")
		if !s.Complete {
			count = fmt.Sprintf("%d+ files", s.Root.Files)
		}
		if m.w >= singleWidth {
			count += "  " + memstore.FormatSize(m.options.Store.Dialect(), s.Root.Bytes)
		}
		parts = append(parts, count)
	}
	parts = append(parts, m.stateText())
	if n := len(m.live.unread); n > 0 {
		parts = append(parts, fmt.Sprintf("%s%d unread", st.Glyphs.Unread, n))
	}
	if m.follow {
		parts = append(parts, "following")
	}
	line := st.TopBar.Apply(strings.Join(parts, "  ") + " ")
	if m.options.ReadOnly {
		line += st.BadgeReadOnly.Apply(" READ-ONLY ")
	}
	if m.options.Badge != "" {
		line += st.Badge.Apply(" " + m.options.Badge + " ")
	}
	return ansi.Truncate(line, m.w, "")
}

func (m *Model) stateText() string {
	g := m.env.Styles.Glyphs
	switch m.live.state {
	case watch.Live:
		return g.Live + " live"
	case watch.Limited:
		return g.Warning + " partly watched"
	case watch.Unavailable:
		return g.Gone + " unavailable"
	default:
		return g.Gone + " loading"
	}
}

// bottomBar is the line being typed, else a message or the state of things, and the hints.
// at is the column of the cursor in a typed line, -1 without one.
func (m *Model) bottomBar() (row string, at int) {
	if m.line.Active() {
		return m.typedLine()
	}
	st := m.env.Styles
	hints := m.hints()
	left, paint := m.status()
	room := max(0, m.w-ansi.StringWidth(hints)-1)
	if msg, ok := m.say.current(); ok {
		left, paint = msg.text, levelPaint(st, msg.level)
		if text.Width(left)+2 > room {
			room, hints = m.w-1, ""
		}
	}
	left = text.Pad(" "+text.Truncate(left, max(0, room-1), st.Glyphs.Ellipsis), room)
	row = paint.Apply(left) + " " + hints
	if pad := m.w - ansi.StringWidth(row); pad > 0 {
		row += strings.Repeat(" ", pad)
	}
	return ansi.Truncate(row, m.w, ""), -1
}

func levelPaint(st *theme.Styles, l pane.Level) theme.Paint {
	switch l {
	case pane.Fail:
		return st.Error
	case pane.Warn:
		return st.Warning
	default:
		return st.Info
	}
}

// status says what is going on: a job, the search, the selected path.
func (m *Model) status() (string, theme.Paint) {
	st := m.env.Styles
	if job, ok := m.env.Jobs.Oldest(); ok && job.Since >= tickEvery {
		label := job.Label + st.Glyphs.Ellipsis
		if job.Total > 0 {
			label = fmt.Sprintf("%s %d%%", job.Label, job.Done*100/job.Total)
		}
		return label, st.Accent
	}
	if s := m.viewer.SearchState(); s != "" && m.tab == tabView {
		return s, st.Accent
	}
	path, n := m.tree.Selected()
	if n != nil && n.Problem != nil {
		return text.Clean(path) + ": cannot be read", st.Warning
	}
	return text.Clean(path), st.StatusBar
}

// hints lists keys that work here as long as they fit; "?" and "q" come first.
func (m *Model) hints() string {
	st := m.env.Styles
	scopes := m.scopes()
	actions := m.env.Keys.Hints(scopes)
	order := make([]keymap.Action, 0, len(actions))
	for _, want := range []bool{true, false} {
		for _, a := range actions {
			if (a.ID == keymap.Help || a.ID == keymap.Quit) == want {
				order = append(order, a)
			}
		}
	}
	room := m.w / 2
	var parts []string
	for _, a := range order {
		part := a.Keys[0] + " " + a.Hint
		if room -= len(part) + 2; room < 0 {
			break
		}
		parts = append(parts, st.KeyName.Apply(a.Keys[0])+" "+st.KeyHelp.Apply(a.Hint))
	}
	return strings.Join(parts, "  ")
}

// typedLine draws the prompt, with what is wrong with it or what could complete it.
func (m *Model) typedLine() (string, int) {
	st := m.env.Styles
	lead := map[prompt.Purpose]string{prompt.Command: ":", prompt.Search: "/", prompt.Filter: "filter: ", prompt.OverlayFilter: "/"}[m.line.Purpose()]
	width := m.w - len(lead)
	state := ""
	if m.line.Purpose() == prompt.Search {
		state = text.Truncate("  "+text.Clean(m.viewer.SearchState()), max(0, m.w/2), st.Glyphs.Ellipsis)
		width -= text.Width(state)
	}
	view, at := m.line.View(max(2, width))
	row := st.Prompt.Apply(lead) + view
	if pad := m.w - ansi.StringWidth(row) - text.Width(state); pad > 0 {
		row += strings.Repeat(" ", pad)
	}
	return ansi.Truncate(row+st.Accent.Apply(state), m.w, ""), min(m.w-1, len(lead)+at)
}

// lineNote is the row above a typed line: what is wrong with it, or what could complete it.
func (m *Model) lineNote() string {
	st := m.env.Styles
	note, paint := m.line.Problem, st.Error
	if note == "" {
		note, paint = strings.Join(lastWords(m.line.Choices()), "  "), st.Info
	}
	if !m.line.Active() || note == "" {
		return ""
	}
	note = text.Truncate(text.Clean(note), max(0, m.w-2), st.Glyphs.Ellipsis)
	return paint.Apply(text.Pad(" "+note, m.w))
}

// lastWords shortens completions to the part that differs.
func lastWords(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		l = strings.TrimRight(l, " ")
		out[i] = l[strings.LastIndexByte(strings.TrimSuffix(l, "/"), '/')+1:]
	}
	return out
}

func (m *Model) paneCursor() *pane.Point {
	at, ok := m.focused().Cursor()
	if !ok {
		return nil
	}
	r := m.focusedRect()
	if r.Empty() {
		return nil
	}
	return &pane.Point{X: r.X + min(at.X, r.W-1), Y: r.Y + min(at.Y, r.H-1)}
}

func (m *Model) focusedRect() pane.Rect {
	switch m.focus {
	case onTree:
		return inner(m.layout.tree)
	case onStrip:
		return m.layout.strip
	default:
		return inner(m.layout.main)
	}
}

// drawOverlay splices the box into the finished rows.
func (m *Model) drawOverlay(rows []string, o overlay.Overlay) *pane.Point {
	w, h := o.Size(max(1, min(m.w-4, 110)), max(1, m.h-4))
	r := pane.Rect{W: min(m.w, w+2), H: min(m.h, h+2)}
	r.X, r.Y = (m.w-r.W)/2, (m.h-r.H)/2
	in := inner(r)
	title := m.env.Styles.Title.Apply(" " + text.Truncate(text.Clean(o.Title()), max(0, r.W-5), "") + " ")
	lines := m.box(r, true, title, o.Rows(in.W, in.H))
	if f := o.Footer(); f != "" && len(lines) > 1 {
		lines[len(lines)-1] = m.footer(r, text.Clean(f))
	}
	for i, line := range lines {
		if y := r.Y + i; y < len(rows) {
			rows[y] = ansi.Truncate(rows[y], r.X, "") + line + ansi.TruncateLeft(rows[y], r.X+r.W, "")
		}
	}
	return &pane.Point{X: in.X, Y: in.Y}
}

func (m *Model) footer(r pane.Rect, note string) string {
	st := m.env.Styles
	b := st.Glyphs.BorderFocused
	note = " " + text.Truncate(note, max(0, r.W-6), st.Glyphs.Ellipsis) + " "
	fill := max(0, r.W-3-text.Width(note))
	return st.BorderFocused.Apply(b.BottomLeft+b.Bottom) + st.Dim.Apply(note) + st.BorderFocused.Apply(strings.Repeat(b.Bottom, fill)+b.BottomRight)
}

// relayout recomputes the rectangles and tells the panes their inner sizes.
func (m *Model) relayout() tea.Cmd {
	m.layout = arrange(m.w, m.h, m.focus, m.zoom)
	t, b, s := inner(m.layout.tree), inner(m.layout.main), m.layout.strip
	m.tree.Resize(t.W, t.H)
	m.viewer.Resize(b.W, b.H)
	m.diff.Resize(b.W, b.H)
	m.strip.Resize(s.W, s.H)
	return m.viewer.Settle()
}
